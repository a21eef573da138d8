/** Objects of a document by their shape: schemas as they are written, members of path items, kinds of components. */
import { arrayOf, isObject, type JsonObject, own } from '../model/json.ts'

/** Returns the types that `type` lists or names; an empty list when the schema allows any. */
export function typesOf(schema: JsonObject): string[] {
  const type = own(schema, 'type')
  return [...arrayOf(type), type].filter((item) => typeof item === 'string')
}

export const schemaKeywords: ReadonlySet<string> = new Set([
  ...['$ref', 'type', 'enum', 'const', 'format', 'pattern', 'minLength', 'maxLength'],
  ...['multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['items', 'prefixItems', 'contains', 'minContains', 'maxContains'],
  ...['minItems', 'maxItems', 'uniqueItems'],
  ...['properties', 'patternProperties', 'additionalProperties', 'propertyNames', 'required'],
  ...['minProperties', 'maxProperties', 'dependentRequired', 'dependentSchemas', 'dependencies'],
  ...['unevaluatedItems', 'unevaluatedProperties', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
  ...['$defs', 'definitions']
])

/** Fields of a Path Item that hold an operation, in the order in which operations are listed. */
export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const

/** Field of a Path Item that holds the operations of all other methods (OpenAPI 3.2.0, section 4.9). */
export const additional = 'additionalOperations'

/** Returns true for a status, a range or `default` (OpenAPI 3.1.0, section 4.8.16.2). */
export const isStatus = (name: string): boolean => /^([1-5](\d\d|XX)|default)$/i.test(name)

interface Kind {
  readonly name: string
  readonly fits: (target: JsonObject) => boolean
}

const has = (target: JsonObject, ...members: readonly string[]): boolean =>
  members.some((member) => isObject(own(target, member)))
const says = (target: JsonObject, ...members: readonly string[]): boolean =>
  members.every((member) => typeof own(target, member) === 'string')
const isSchema = (target: JsonObject): boolean =>
  ['type', 'properties', 'items', 'allOf', 'anyOf', 'oneOf', 'enum'].some((key) => Object.hasOwn(target, key))

/** Sections of `components`, with the shape of their objects. */
export const kinds = {
  schemas: {
    name: 'a schema',
    fits: (target) => !says(target, 'name', 'in') && !has(target, 'content', 'schema', 'responses')
  },
  parameters: { name: 'a parameter', fits: (target) => says(target, 'name', 'in') },
  headers: {
    name: 'a header',
    fits: (target) => !says(target, 'in') && !isSchema(target) && has(target, 'schema', 'content')
  },
  requestBodies: {
    name: 'a request body',
    fits: (target) => !says(target, 'in') && has(target, 'content')
  },
  responses: {
    name: 'a response',
    fits: (target) =>
      !says(target, 'in') &&
      !isSchema(target) &&
      !has(target, 'schema') &&
      (says(target, 'description') || has(target, 'content', 'headers', 'links'))
  },
  pathItems: {
    name: 'a path item',
    fits: (target) => has(target, ...methods, additional)
  },
  securitySchemes: {
    name: 'a security scheme',
    fits: (target) =>
      ['apiKey', 'http', 'oauth2', 'openIdConnect', 'mutualTLS'].includes(String(own(target, 'type')))
  }
} as const satisfies Readonly<Record<string, Kind>>

export type Section = keyof typeof kinds

/** Returns true for an object under a heading of `components` whose shape is that of another kind only. */
export function isMisplaced(section: string, target: JsonObject): boolean {
  const isKnown = Object.hasOwn(kinds, section)
  return (
    isKnown &&
    !kinds[section as Section].fits(target) &&
    Object.values(kinds).some(({ fits }) => fits(target))
  )
}
