/** Edits of the plant contract that tests share. */

/** As a person would add it: one operation, its answers in the Error shape. */
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
export const mendSecurity = (text: string): string => text.replace('  - bearer: []', '  - bearerAuth: []')
