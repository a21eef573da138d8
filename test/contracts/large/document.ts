/** The parts of an OpenAPI 3.0 document that the generator writes. */

export type Schema = { readonly [keyword: string]: unknown }
export type Operation = { readonly [field: string]: unknown }

export const schemaRef = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
export const parameterRef = (name: string): Schema => ({ $ref: `#/components/parameters/${name}` })
export const responseRef = (name: string): Schema => ({ $ref: `#/components/responses/${name}` })
export const headerRef = (name: string): Schema => ({ $ref: `#/components/headers/${name}` })

export const array = (items: Schema, rest: Schema = {}): Schema => ({ type: 'array', items, ...rest })

/** @param required names of the required properties */
export const object = (properties: Schema, required: readonly string[] = [], rest: Schema = {}): Schema => ({
  type: 'object',
  ...(required.length > 0 && { required }),
  properties,
  ...rest
})

export const json = (schema: Schema, example?: string): Schema => ({
  'application/json': {
    schema,
    ...(example !== undefined && { examples: { typical: { $ref: `#/components/examples/${example}` } } })
  }
})
