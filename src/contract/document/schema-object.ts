/** Schema Objects as written: the types that they name, and their keywords. */
import { arrayOf, type JsonObject, own } from '../model/json.ts'

/** Returns the types that `type` lists or names; an empty list when the schema allows any. */
export function typesOf(schema: JsonObject): string[] {
  const type = own(schema, 'type')
  return [...arrayOf(type), type].filter((item) => typeof item === 'string')
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
