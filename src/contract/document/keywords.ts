/** Keywords of JSON Schema draft 2020-12 that judge values. */
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
