/** Two schemas for each kind of difference, of which the first allows less than the second. */

export interface SchemaPair {
  /** Names of the rules without `request-` and `response-`. */
  readonly narrowed: string
  readonly widened: string
  readonly narrow: unknown
  readonly wide: unknown
  /** True where it is not known if a server needs what clients still send. */
  readonly isLost?: true
}

const object = (properties: unknown, more = {}) => ({ type: 'object', properties, ...more })
const text = { type: 'string' }
const cat = object({ kind: { const: 'cat' } }, { required: ['kind'] })
const dog = object({ kind: { const: 'dog' } }, { required: ['kind'] })

/** Makes the pair `maxLength: 2` and `maxLength: 3`, with `max-length-lowered` and `max-length-raised`. */
const limit = (name: string, type: string, keyword: string, most: boolean): SchemaPair => {
  const [narrow, wide] = most ? [2, 3] : [3, 2]
  const [up, down] = [`${name}-raised`, `${name}-lowered`]
  return {
    narrowed: most ? down : up,
    widened: most ? up : down,
    narrow: { type, [keyword]: narrow },
    wide: { type, [keyword]: wide }
  }
}

const plain = (name: string, narrow: unknown, wide: unknown): SchemaPair => ({
  narrowed: `${name}-narrowed`,
  widened: `${name}-widened`,
  narrow,
  wide
})

/** Returns 150 alternatives: two such unions have 22,500 pairs. */
const words = (start: string) => ({
  anyOf: Array.from({ length: 150 }, (_none, index) => ({ ...text, pattern: `^${start}${index}` }))
})

/** Schemas that some pairs refer to. */
export const components = {
  schemas: {
    Cat: object({ kind: text, age: { type: 'integer' } }, { required: ['kind', 'age'] }),
    Dog: object({ kind: text, age: { type: 'integer', maximum: 20 } }, { required: ['kind', 'age'] }),
    Cow: object({ kind: text, age: text }, { required: ['kind', 'age'] }),
    Hen: object({ kind: text, eggs: text }, { required: ['kind'] }),
    Owl: object({ kind: text, wings: text }, { required: ['kind'] })
  }
}

const animals = ['Cat', 'Dog', 'Cow', 'Hen', 'Owl']

/** Returns a union in which the value `x` selects the schema. */
const selecting = (name: string) => ({
  oneOf: animals.map((each) => ({ $ref: `#/components/schemas/${each}` })),
  discriminator: {
    propertyName: 'kind',
    mapping: { ...Object.fromEntries(animals.map((each) => [each, each])), x: name }
  }
})

export const schemaPairs: readonly SchemaPair[] = [
  plain('type', { type: 'integer' }, { type: ['integer', 'string'] }),
  { narrowed: 'null-refused', widened: 'null-allowed', narrow: text, wide: { type: ['string', 'null'] } },
  {
    narrowed: 'enum-value-removed',
    widened: 'enum-value-added',
    narrow: { enum: ['a'] },
    wide: { enum: ['a', 'b'] }
  },
  limit('minimum', 'number', 'minimum', false),
  limit('maximum', 'number', 'maximum', true),
  plain('multiple-of', { type: 'number', multipleOf: 0.2 }, { type: 'number', multipleOf: 0.1 }),
  limit('min-length', 'string', 'minLength', false),
  limit('max-length', 'string', 'maxLength', true),
  plain('pattern', { ...text, pattern: '^[a-z]+$' }, text),
  plain('format', { ...text, format: 'date' }, text),
  plain('content-schema', { ...text, contentSchema: { type: 'integer' } }, { ...text, contentSchema: {} }),
  limit('min-items', 'array', 'minItems', false),
  limit('max-items', 'array', 'maxItems', true),
  {
    narrowed: 'unique-items-required',
    widened: 'unique-items-dropped',
    narrow: { type: 'array', uniqueItems: true },
    wide: { type: 'array' }
  },
  limit('min-properties', 'object', 'minProperties', false),
  limit('max-properties', 'object', 'maxProperties', true),
  {
    narrowed: 'property-became-required',
    widened: 'property-became-optional',
    narrow: object({ a: text }, { required: ['a'] }),
    wide: object({ a: text })
  },
  {
    narrowed: 'required-property-added',
    widened: 'required-property-removed',
    isLost: true,
    narrow: object({ a: text }, { required: ['a'] }),
    wide: object({})
  },
  {
    narrowed: 'closed-property-removed',
    widened: 'closed-property-added',
    narrow: object({ a: text }, { additionalProperties: false }),
    wide: object({ a: text, b: text }, { additionalProperties: false })
  },
  plain('additional-properties', object({}, { additionalProperties: text }), object({})),
  plain('property-names', { type: 'object', propertyNames: { maxLength: 2 } }, { type: 'object' }),
  {
    narrowed: 'dependent-required-added',
    widened: 'dependent-required-removed',
    narrow: { type: 'object', dependentRequired: { a: ['b'] } },
    wide: { type: 'object' }
  },
  plain(
    'dependent-schemas',
    object({ a: text }, { dependentSchemas: { a: { required: ['b'] } } }),
    object({ a: text })
  ),
  plain('not', { not: { type: ['string', 'integer'] } }, { not: { type: 'string' } }),
  plain(
    'condition',
    object({ a: text }, { if: { required: ['a'] }, then: { required: ['b'] } }),
    object({ a: text })
  ),
  plain('contains', { type: 'array', contains: { const: 1 } }, { type: 'array' }),
  {
    narrowed: 'alternative-removed',
    widened: 'alternative-added',
    narrow: { oneOf: [cat] },
    wide: { oneOf: [cat, dog] }
  },
  plain('discriminator-value', selecting('Dog'), selecting('Cat')),
  plain('schema', { oneOf: [{ type: 'number' }, { type: 'integer' }] }, { type: 'number' })
]

export interface OtherPair {
  /** Name of the rule without `request-` and `response-`. */
  readonly rule: string
  readonly one: unknown
  readonly other: unknown
  /** Name of the rule for the reverse edit; by default the same. */
  readonly reverse?: string
}

const union = (discriminator: unknown) => ({ oneOf: [cat, dog], discriminator })

/** Pairs of which neither schema includes the other. */
export const otherPairs: readonly OtherPair[] = [
  { rule: 'type-changed', one: text, other: { type: 'integer' } },
  {
    rule: 'multiple-of-changed',
    one: { type: 'number', multipleOf: 2 },
    other: { type: 'number', multipleOf: 3 }
  },
  { rule: 'pattern-changed', one: { ...text, pattern: '^[a-z]' }, other: { ...text, pattern: '^[A-Z]' } },
  { rule: 'format-changed', one: { ...text, format: 'date' }, other: { ...text, format: 'date-time' } },
  { rule: 'content-encoding-changed', one: { ...text, contentEncoding: 'base64' }, other: text },
  { rule: 'content-media-type-changed', one: { ...text, contentMediaType: 'image/png' }, other: text },
  {
    rule: 'discriminator-changed',
    one: union({ propertyName: 'kind' }),
    other: union({ propertyName: 'name' })
  },
  {
    rule: 'discriminator-changed',
    one: union({ propertyName: 'kind', defaultMapping: 'Cat' }),
    other: union({ propertyName: 'kind', defaultMapping: '#/components/schemas/Dog' })
  },
  {
    rule: 'discriminator-changed',
    one: union({ propertyName: 'kind' }),
    other: union({ propertyName: 'kind', defaultMapping: 'Dog' })
  },
  {
    rule: 'discriminator-added-or-removed',
    one: union({ propertyName: 'kind' }),
    other: { oneOf: [cat, dog] }
  },
  { rule: 'discriminator-value-moved', one: selecting('Cat'), other: selecting('Cow') },
  { rule: 'default-changed', one: { ...text, default: 'a' }, other: text },
  { rule: 'xml-changed', one: { ...text, xml: { attribute: true } }, other: text },
  { rule: 'property-added', one: object({}), other: object({ a: text }), reverse: 'property-removed' },
  { rule: 'property-removed', one: object({ a: text }), other: object({}), reverse: 'property-added' },
  {
    rule: 'property-deprecated',
    one: text,
    other: { ...text, deprecated: true },
    reverse: 'property-undeprecated'
  },
  {
    rule: 'property-undeprecated',
    one: { ...text, deprecated: true },
    other: text,
    reverse: 'property-deprecated'
  },
  {
    rule: 'discriminator-value-added',
    one: union({ propertyName: 'kind', mapping: { cat: 'Cat' } }),
    other: union({ propertyName: 'kind', mapping: { cat: 'Cat', dog: 'Dog' } }),
    reverse: 'discriminator-value-removed'
  },
  {
    rule: 'discriminator-value-removed',
    one: union({ propertyName: 'kind', mapping: { cat: 'Cat', dog: 'Dog' } }),
    other: union({ propertyName: 'kind', mapping: { cat: 'Cat' } }),
    reverse: 'discriminator-value-added'
  }
]

const names = { pattern: '^(?!zebra\\b)' }
const plate = { ...text, pattern: '^[A-Z]{2}-[0-9]{4}$' }

/** Pairs of requests that cannot be decided: no value of one is known to be refused by the other. */
export const undecidedPairs: readonly {
  readonly rule: string
  readonly one: unknown
  readonly other: unknown
}[] = [
  { rule: 'min-length-undecided', one: plate, other: { ...plate, minLength: 7 } },
  { rule: 'max-length-undecided', one: plate, other: { ...plate, maxLength: 7 } },
  { rule: 'pattern-undecided', one: { ...text, pattern: '^a{3}$' }, other: { ...text, pattern: '^aaa\\b' } },
  {
    rule: 'content-schema-undecided',
    one: { ...text, contentSchema: text },
    other: { ...text, contentSchema: { ...text, format: 'plate-number' } }
  },
  { rule: 'format-undecided', one: text, other: { ...text, format: 'plate-number' } },
  {
    rule: 'property-names-undecided',
    one: { type: 'object' },
    other: { type: 'object', propertyNames: names }
  },
  {
    rule: 'dependent-schemas-undecided',
    one: { type: 'object' },
    other: { type: 'object', dependentSchemas: { zebra: { required: ['b'] } } }
  },
  { rule: 'comparison-undecided', one: words('a'), other: words('b') },
  { rule: 'discriminator-value-undecided', one: selecting('Hen'), other: selecting('Owl') },
  { rule: 'not-undecided', one: text, other: { ...text, not: { pattern: '(zebra)\\1' } } },
  {
    rule: 'condition-undecided',
    one: { type: 'object' },
    other: {
      type: 'object',
      if: { required: ['a'] },
      else: { required: ['b'] }
    }
  },
  {
    rule: 'contains-undecided',
    one: { type: 'array', minItems: 1, items: text },
    other: { type: 'array', minItems: 1, items: text, contains: { format: 'plate-number' } }
  },
  {
    rule: 'schema-undecided',
    one: { oneOf: [object({ a: text, b: text }, { required: ['a'] })] },
    other: {
      oneOf: [
        object({ a: text, b: text }, { required: ['a'] }),
        object({ a: text, b: text }, { required: ['b'] })
      ]
    }
  },
  {
    rule: 'alternative-undecided',
    one: {
      anyOf: [
        { type: 'integer', minimum: 0, maximum: 9 },
        { type: 'integer', minimum: 100, multipleOf: 7 }
      ]
    },
    other: {
      anyOf: [
        { type: 'integer', minimum: 0, maximum: 4 },
        { type: 'integer', minimum: 5, maximum: 9 },
        { type: 'integer', minimum: 100, multipleOf: 7 }
      ]
    }
  }
]
