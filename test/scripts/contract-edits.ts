/** Edits of the plant contract that several tests make. */

/** Adds one operation, as a person would write it. */
export const addListPlants = (text: string): string =>
  text.replace(
    '  /plants:\n',
    `  /plants:
    get:
      operationId: listPlants
      summary: List plants
      responses:
        '200':
          description: All plants
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/NewPlant' } }
        '400':
          description: The request does not match this contract
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Error' }
`
  )

export const requireTag = (text: string): string =>
  text
    .replace('      required: [name]\n', '      required: [name, tag]\n')
    .replace(/( +)untagged:\n.*\n.*\n/, '')

export const breakSecurity = (text: string): string => text.replace('  - bearerAuth: []', '  - bearer: []')
export const fixSecurity = (text: string): string => text.replace('  - bearer: []', '  - bearerAuth: []')

/** Changes the description of a schema, which the docs page shows. */
export const describePlant = (text: string) => (contract: string) =>
  contract.replace(/description: A plant in the store.*/, `description: A plant in the store${text}`)
