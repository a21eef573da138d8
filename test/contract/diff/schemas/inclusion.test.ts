/** Which list a change of a schema is in, where its meaning is less plain. */
import t from 'tap'
import { compared, withSchema } from '../pairs/documents.ts'

const object = (properties: unknown, more = {}) => ({ type: 'object', properties, ...more })
const text = { type: 'string' }
const integer = { type: 'integer' }
const to = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const cat = object({ kind: { const: 'cat' }, name: text }, { required: ['kind'] })
const dog = object({ kind: { const: 'dog' } }, { required: ['kind'] })

interface Row {
  readonly what: string
  readonly old: unknown
  readonly now: unknown
  readonly schemas?: unknown
  readonly nowSchemas?: unknown
  /** Messages of a request, breaking first. */
  readonly request: readonly string[]
  readonly response: readonly string[]
}

const rows: readonly Row[] = [
  {
    what: 'a member of an alternative changes',
    old: { oneOf: [to('Cat'), to('Dog')] },
    now: { oneOf: [to('Dog'), to('Cat')] },
    schemas: { Cat: cat, Dog: dog },
    nowSchemas: {
      Dog: dog,
      Cat: object({ kind: { const: 'cat' }, name: { ...text, maxLength: 3 } }, { required: ['kind'] })
    },
    request: ['breaking body/name: maxLength now 3 (was none)'],
    response: ['compatible 200/body/name: maxLength now 3 (was none)']
  },
  {
    what: 'an alternative of which all properties are optional is another one',
    old: { oneOf: [to('Cat'), to('Dog')] },
    now: { oneOf: [to('Cat')] },
    schemas: { Cat: object({ meows: text }), Dog: object({ barks: text }) },
    request: ['breaking body: alternative Dog is gone'],
    response: ['undecided 200/body: may now be {}', 'compatible 200/body: alternative Dog is gone']
  },
  {
    what: 'an optional property of an alternative is new',
    old: { anyOf: [object({ a: text }), object({ b: text }, { required: ['b'] })] },
    now: { anyOf: [object({ a: text, c: text }), object({ b: text }, { required: ['b'] })] },
    request: ['compatible body/c: added'],
    response: ['compatible 200/body/c: added']
  },
  {
    what: 'a value of two alternatives of oneOf is none of it',
    old: { oneOf: [integer, text] },
    now: { oneOf: [integer, { type: 'number' }, text] },
    request: ['breaking body: no longer accepts 0', 'compatible body: alternative number added'],
    response: ['breaking 200/body: alternative number added', 'compatible 200/body: no longer accepts 0']
  },
  {
    what: 'one type among others is gone, null is another matter',
    old: { type: ['string', 'integer', 'null'] },
    now: { type: ['string', 'integer'] },
    request: ['breaking body: may not be null'],
    response: ['compatible 200/body: may not be null']
  },
  {
    what: 'nothing is valid any more',
    old: {},
    now: false,
    request: ['breaking body: type now nothing (was any)'],
    response: ['compatible 200/body: type now nothing (was any)']
  },
  {
    what: 'a schema of additional properties applies to a new property',
    old: object({}, { additionalProperties: integer }),
    now: object({ a: text }, { additionalProperties: integer }),
    request: ['breaking body/a: type now string (was integer)'],
    response: ['breaking 200/body/a: type now string (was integer)']
  },
  {
    what: 'a property whose name a pattern matches',
    old: object({}, { patternProperties: { '^x-': text }, additionalProperties: false }),
    now: object({ 'x-a': text }, { additionalProperties: false }),
    request: ['breaking body/~^x-: is gone, and no others are allowed'],
    response: ['compatible 200/body/~^x-: is gone, and no others are allowed']
  },
  {
    what: 'patterns of names in an open object',
    old: object({}),
    now: object({}, { patternProperties: { '^x-': text } }),
    request: ['compatible body/~^x-: added'],
    response: ['compatible 200/body/~^x-: added']
  },
  {
    what: 'a tuple grows',
    old: { type: 'array', prefixItems: [text], items: integer },
    now: { type: 'array', prefixItems: [text, text], items: integer },
    request: ['breaking body/1: type now string (was integer)'],
    response: ['breaking 200/body/1: type now string (was integer)']
  },
  {
    what: 'items of a list that is empty',
    old: { type: 'array', items: text, maxItems: 0 },
    now: { type: 'array', items: integer, maxItems: 0 },
    request: [],
    response: []
  },
  {
    what: 'int64 in place of int32',
    old: { ...integer, format: 'int32' },
    now: { ...integer, format: 'int64' },
    request: ['compatible body: format now int64 (was int32)'],
    response: ['breaking 200/body: format now int64 (was int32)']
  },
  {
    what: 'a format of numbers that nothing is known of',
    old: { type: 'number' },
    now: { type: 'number', format: 'float' },
    request: ['undecided body: format now float (was none)'],
    response: ['compatible 200/body: format now float (was none)']
  },
  {
    what: 'a format that is part of another',
    old: { ...text, format: 'uri' },
    now: { ...text, format: 'uri-reference' },
    request: ['compatible body: format now uri-reference (was uri)'],
    response: ['breaking 200/body: format now uri-reference (was uri)']
  },
  {
    what: 'a pattern of texts that have a format',
    old: { ...text, format: 'uuid' },
    now: { ...text, pattern: '^[0-9a-f-]{36}$', format: 'uuid' },
    request: ['undecided body: pattern now ^[0-9a-f-]{36}$ (was none)'],
    response: ['compatible 200/body: pattern now ^[0-9a-f-]{36}$ (was none)']
  },
  {
    what: 'an exclusive bound',
    old: { type: 'number', minimum: 0 },
    now: { type: 'number', exclusiveMinimum: 0 },
    request: ['breaking body: minimum now 0 (exclusive) (was 0)'],
    response: ['compatible 200/body: minimum now 0 (exclusive) (was 0)']
  },
  {
    what: 'a required property is no longer read-only',
    old: object({ id: { ...integer, readOnly: true } }, { required: ['id'] }),
    now: object({ id: integer }, { required: ['id'] }),
    request: ['breaking body/id: added, required'],
    response: []
  },
  {
    what: 'a read-only property is new',
    old: object({}),
    now: object({ id: { ...integer, readOnly: true } }),
    request: [],
    response: ['compatible 200/body/id: added']
  },
  {
    what: 'a read-only property changes',
    old: object({ id: { ...integer, readOnly: true } }, { required: ['id'] }),
    now: object({ id: { ...text, readOnly: true } }, { required: ['id'] }),
    request: [],
    response: ['breaking 200/body/id: type now string (was integer)']
  },
  {
    what: 'values that are listed now',
    old: text,
    now: { enum: ['a', 'b'] },
    request: ['breaking body: enum now ["a","b"] (was any)'],
    response: ['compatible 200/body: enum now ["a","b"] (was any)']
  },
  {
    what: 'a recursive schema changes in two places',
    old: to('Node'),
    now: to('Node'),
    schemas: {
      Node: object({ next: to('Node'), list: { type: 'array', items: to('Leaf') } }),
      Leaf: object({ node: to('Node'), size: { maximum: 9 } })
    },
    nowSchemas: {
      Node: object({ next: to('Node'), list: { type: 'array', items: to('Leaf') } }),
      Leaf: object({ node: to('Node'), size: { maximum: 5 } })
    },
    request: ['breaking body/list/*/size: maximum now 5 (was 9)'],
    response: ['compatible 200/body/list/*/size: maximum now 5 (was 9)']
  }
]

const messages = (
  role: 'request' | 'response',
  { old, now, schemas = {}, nowSchemas = schemas }: Row
): string[] => {
  const before = withSchema(role, old, { components: { schemas } })
  const report = compared(before, withSchema(role, now, { components: { schemas: nowSchemas } }))
  return Object.entries(report).flatMap(([list, changes]) =>
    changes.map(({ message }) => `${list} ${message}`)
  )
}

for (const row of rows) {
  t.test(row.what, async (t) => {
    t.strictSame(messages('request', row), row.request)
    t.strictSame(messages('response', row), row.response)
  })
}

t.test('a schema that is shared is reported at its first place, once for each operation', async (t) => {
  const schemas = { Name: text }
  const body = object({ first: to('Name'), last: to('Name') })
  const old = withSchema('request', body, { components: { schemas } })
  const now = withSchema('request', body, { components: { schemas: { Name: { ...text, maxLength: 9 } } } })
  t.strictSame(
    compared(old, now).breaking.map(({ operation, place }) => [operation, place]),
    [['POST /things', 'body/first']]
  )
})
