/** Reads Schema Objects as written: the types that they name, and unions with null. */
import { arrayOf, type Json, type JsonObject, objectOf, own } from '../model/json.ts'

/** Returns the types that `type` lists or names; an empty list when the schema allows any. */
export function typesOf(schema: JsonObject): string[] {
  const type = own(schema, 'type')
  return [...arrayOf(type), type].filter((item) => typeof item === 'string')
}

/** Returns X for a schema with `anyOf: [X, null]`; undefined for any other one. */
export function besideNull(schema: JsonObject): Json | undefined {
  const branches = arrayOf(own(schema, 'anyOf'))
  const others = branches.filter((branch) => own(objectOf(branch), 'type') !== 'null')
  return branches.length === 2 && others.length === 1 ? others[0] : undefined
}

export const schemaKeywords: ReadonlySet<string> = new Set([
  ...['$ref', 'type', 'enum', 'const', 'format', 'pattern', 'minLength', 'maxLength'],
  ...['multipleOf', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...[
    'items',
    'prefixItems',
    'contains',
    'minContains',
    'maxContains',
    'minItems',
    'maxItems',
    'uniqueItems'
  ],
  ...['properties', 'patternProperties', 'additionalProperties', 'propertyNames', 'required'],
  ...['minProperties', 'maxProperties', 'dependentRequired', 'dependentSchemas', 'dependencies'],
  ...['unevaluatedItems', 'unevaluatedProperties', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
  ...['$defs', 'definitions']
])
