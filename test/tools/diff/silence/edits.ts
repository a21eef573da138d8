/** Random edits of one schema, most of which narrow or widen it. */
type Schema = Record<string, unknown>

/** Returns the schemas in a schema, itself first. */
export function schemasIn(node: unknown): Schema[] {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return []
  const schema = node as Schema
  const maps = ['properties', 'patternProperties', 'dependentSchemas', '$defs']
  const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
  const single = ['items', 'not', 'if', 'then', 'else', 'additionalProperties', 'contains', 'propertyNames']
  const inner = [
    ...maps.flatMap((key) => Object.values(Object(schema[key]))),
    ...lists.flatMap((key) => (Array.isArray(schema[key]) ? schema[key] : [])),
    ...single.map((key) => schema[key])
  ]
  return [schema, ...inner.flatMap(schemasIn)]
}

const limits: Readonly<Record<string, readonly Schema[]>> = {
  string: [
    ...[{ maxLength: 3 }, { minLength: 2 }, { pattern: '^a' }, { format: 'date' }, { enum: ['a', 'b'] }],
    ...[{ not: { maxLength: 1 } }, { if: { minLength: 3 }, then: { pattern: 'a' } }]
  ],
  integer: [{ maximum: 10 }, { minimum: 1 }, { multipleOf: 2 }, { format: 'int32' }, { not: { minimum: 5 } }],
  number: [{ maximum: 10 }, { exclusiveMinimum: 0 }, { multipleOf: 2 }, { type: 'integer' }],
  boolean: [{ const: true }, { enum: [false] }],
  array: [
    ...[{ maxItems: 1 }, { minItems: 2 }, { uniqueItems: true }, { contains: { type: 'string' } }],
    ...[{ items: false }, { items: { type: 'string' } }, { prefixItems: [{ type: 'integer' }] }]
  ],
  object: [
    ...[{ additionalProperties: false }, { unevaluatedProperties: false }, { maxProperties: 1 }],
    ...[{ minProperties: 2 }, { propertyNames: { maxLength: 3 } }, { required: ['new'] }],
    ...[{ properties: {} }, { additionalProperties: { type: 'integer' } }, { not: { minProperties: 2 } }]
  ]
}

const without = (object: Schema, key: string): Schema => {
  const { [key]: _gone, ...rest } = object
  return rest
}

const swapped: Readonly<Record<string, string>> = {
  oneOf: 'anyOf',
  anyOf: 'oneOf',
  minimum: 'exclusiveMinimum',
  maximum: 'exclusiveMaximum'
}

/** Returns a schema for each edit. */
export function editsOf(schema: Schema): Schema[] {
  const types = [schema['type'] ?? []].flat() as string[]
  return [
    ...types.flatMap((type) => limits[type] ?? []).map((more) => ({ ...schema, ...more })),
    ...Object.entries(schema).flatMap(([key, value]) => memberEdits(schema, key, value)),
    ...(types.length > 0
      ? [
          { ...schema, type: [...types, 'null'] },
          { ...schema, type: 'boolean' }
        ]
      : []),
    { anyOf: [schema, { type: 'null' }] },
    { oneOf: [schema, { type: 'object' }] },
    { allOf: [schema, { type: 'object', minProperties: 1 }] },
    { ...schema, readOnly: true },
    { ...schema, writeOnly: true }
  ]
}

function memberEdits(schema: Schema, key: string, value: unknown): Schema[] {
  const replaced = (other: unknown): Schema => ({ ...schema, [key]: other })
  const gone = key === '$ref' ? [] : [without(schema, key)]
  const other = swapped[key]
  const swap = other === undefined ? [] : [{ ...without(schema, key), [other]: value }]
  if (typeof value === 'number')
    return [...gone, ...swap, replaced(value + 1), replaced(Math.max(0, value - 1))]
  if (Array.isArray(value))
    return [...gone, ...swap, ...value.map((_each, index) => replaced(value.toSpliced(index, 1)))]
  if (key === 'properties') {
    const properties = value as Schema
    const names = Object.keys(properties)
    const required = (schema['required'] ?? []) as string[]
    return names.flatMap((name) => [
      replaced(without(properties, name)),
      replaced({ ...properties, [name]: false }),
      {
        ...schema,
        required: required.includes(name) ? required.filter((each) => each !== name) : [...required, name]
      },
      { ...schema, dependentRequired: { [name]: names } },
      { ...schema, not: { required: [name] } },
      { ...schema, if: { required: [name] }, then: { maxProperties: 1 } }
    ])
  }
  return [...gone, ...swap]
}
