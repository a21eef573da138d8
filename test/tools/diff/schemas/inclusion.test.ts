/** The list of a change of a schema, when its meaning is less obvious. */
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
  /** Messages of an answer; by default those of the request, breaking and compatible ones exchanged. */
  readonly response?: readonly string[]
}

const rows: readonly Row[] = [
  {
    what: 'a list among the values is gone',
    old: { enum: [[1], 'a', [2]] },
    now: { enum: [[1], 'a'] },
    request: ['breaking body: enum: - [2]'],
    response: ['compatible 200/body: enum: - [2]']
  },
  {
    what: 'a member of an alternative changes',
    old: { oneOf: [to('Cat'), to('Dog')] },
    now: { oneOf: [to('Dog'), to('Cat')] },
    schemas: { Cat: cat, Dog: dog },
    nowSchemas: {
      Dog: dog,
      Cat: object({ kind: { const: 'cat' }, name: { ...text, maxLength: 3 } }, { required: ['kind'] })
    },
    request: ['breaking body/name: maxLength now 3 (was none)']
  },
  {
    what: 'an alternative of which all properties are optional is another one',
    old: { oneOf: [to('Cat'), to('Dog')] },
    now: { oneOf: [to('Cat')] },
    schemas: { Cat: object({ meows: text }), Dog: object({ barks: text }) },
    request: ['breaking body: alternative Dog is gone'],
    response: [
      'undecided 200/body: may now be a value of several alternatives',
      'compatible 200/body: alternative Dog is gone'
    ]
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
    request: [
      'breaking body: no longer accepts a value of several alternatives',
      'compatible body: alternative number added'
    ]
  },
  {
    what: 'one type among others is gone, null is another matter',
    old: { type: ['string', 'integer', 'null'] },
    now: { type: ['string', 'integer'] },
    request: ['breaking body: may not be null']
  },
  {
    what: 'nothing is valid any more',
    old: {},
    now: false,
    request: ['breaking body: type now nothing (was any)']
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
    request: ['breaking body/~^x-: is gone, and no others are allowed']
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
    request: []
  },
  {
    what: 'int64 in place of int32',
    old: { ...integer, format: 'int32' },
    now: { ...integer, format: 'int64' },
    request: ['compatible body: format now int64 (was int32)']
  },
  {
    what: 'a format of numbers that nothing is known of',
    old: { type: 'number' },
    now: { type: 'number', format: 'float' },
    request: ['undecided body: format now float (was none)'],
    response: ['compatible 200/body: format now float (was none)']
  },
  {
    what: 'a format of texts that nothing is known of',
    old: text,
    now: { ...text, format: 'isbn' },
    request: ['undecided body: format now isbn (was none)'],
    response: ['compatible 200/body: format now isbn (was none)']
  },
  {
    what: 'another format that nothing is known of',
    old: { ...text, format: 'isbn' },
    now: { ...text, format: 'ean' },
    request: ['undecided body: format now ean (was isbn)']
  },
  {
    what: 'a format in place of one that nothing is known of',
    old: { ...text, format: 'isbn' },
    now: { ...text, format: 'uuid' },
    request: ['undecided body: format now uuid (was isbn)']
  },
  {
    what: 'a format of listed texts that nothing is known of',
    old: { enum: ['a', 'b'] },
    now: { enum: ['a', 'b'], format: 'isbn' },
    request: ['undecided body: format now isbn (was none)'],
    response: ['compatible 200/body: format now isbn (was none)']
  },
  {
    what: 'a format in place of listed texts, one of them gone',
    old: { ...text, enum: ['a', 'b'] },
    now: { ...text, enum: ['b'], format: 'isbn' },
    request: ['breaking body: enum: - a', 'undecided body: format now isbn (was none)'],
    response: ['compatible 200/body: enum: - a', 'compatible 200/body: format now isbn (was none)']
  },
  {
    what: 'listed texts of a format, which stays, that nothing is known of',
    old: { ...text, enum: ['a'], format: 'isbn' },
    now: { ...text, enum: ['a', 'b'], format: 'isbn' },
    request: ['compatible body: enum: + b']
  },
  {
    what: 'listed texts in place of a format that nothing is known of',
    old: { ...text, format: 'isbn' },
    now: { ...text, enum: ['a'] },
    request: ['breaking body: enum now ["a"] (was any)', 'compatible body: format now none (was isbn)'],
    response: [
      'undecided 200/body: format now none (was isbn)',
      'compatible 200/body: enum now ["a"] (was any)'
    ]
  },
  {
    what: 'a format of listed texts that all have it',
    old: { ...text, enum: ['2020-01-01'] },
    now: { ...text, enum: ['2020-01-01'], format: 'date' },
    request: []
  },
  {
    what: 'a format that is part of another',
    old: { ...text, format: 'uri' },
    now: { ...text, format: 'uri-reference' },
    request: ['compatible body: format now uri-reference (was uri)']
  },
  {
    what: 'a pattern of texts that have a format',
    old: { ...text, format: 'uuid' },
    now: { ...text, pattern: '^[0-9a-f-]{36}$', format: 'uuid' },
    request: ['undecided body: pattern now ^[0-9a-f-]{36}$ (was none)'],
    response: ['compatible 200/body: pattern now ^[0-9a-f-]{36}$ (was none)']
  },
  {
    what: 'a bound that some multiples of a step do not keep',
    old: { ...integer, minimum: 1, multipleOf: 2 },
    now: { ...integer, minimum: 3, multipleOf: 2 },
    request: ['breaking body: minimum now 3 (was 1)']
  },
  {
    what: 'two integers that are one as doubles',
    old: { ...integer, format: 'int64', minimum: 9007199254740992n, maximum: 9007199254740993n },
    now: {
      ...integer,
      format: 'int64',
      minimum: 9007199254740992n,
      maximum: 9007199254740993n,
      multipleOf: 2
    },
    request: ['breaking body: multipleOf now 2 (was none)']
  },
  {
    what: 'an integer that is no double is another one',
    old: { ...integer, format: 'int64', minimum: 9007199254740993n, maximum: 9007199254740993n },
    now: { ...integer, format: 'int64', const: 9007199254740992n },
    request: ['breaking body: enum: - 9007199254740993', 'compatible body: enum: + 9007199254740992']
  },
  {
    what: 'numbers of a range that are not all listed',
    old: { ...integer, minimum: 1, maximum: 3 },
    now: { enum: [1, 3] },
    request: ['breaking body: enum: - 2']
  },
  {
    what: 'a length that texts of a format do not have',
    old: { ...text, format: 'uuid' },
    now: { ...text, format: 'uuid', maxLength: 32 },
    request: ['breaking body: maxLength now 32 (was 36)']
  },
  {
    what: 'lengths of texts that a pattern allows',
    old: { ...text, pattern: '^[a-z]*$' },
    now: { ...text, pattern: '^[a-z]*$', minLength: 1, maxLength: 40 },
    request: ['breaking body: minLength now 1 (was 0)', 'breaking body: maxLength now 40 (was none)']
  },
  {
    what: 'an exclusive bound',
    old: { type: 'number', minimum: 0 },
    now: { type: 'number', exclusiveMinimum: 0 },
    request: ['breaking body: minimum now 0 (exclusive) (was 0)']
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
    what: 'a pattern of properties in a closed object matches a declared one',
    old: object({}, { patternProperties: { '^x-': text }, additionalProperties: false }),
    now: object({ 'x-a': text }, { patternProperties: { '^x-': text }, additionalProperties: false }),
    request: []
  },
  {
    what: 'not excludes more',
    old: { not: integer },
    now: { not: { type: ['integer', 'string'] } },
    request: ['breaking body: not changed']
  },
  {
    what: 'the same condition has another consequence',
    old: { if: { minimum: 5 }, then: { maximum: 9 }, else: { minimum: 0 } },
    now: { if: { minimum: 5 }, then: { maximum: 10 }, else: { minimum: 0 } },
    request: ['compatible body: if changed'],
    response: ['undecided 200/body: if changed']
  },
  {
    what: 'conditions of objects are tried with the properties that they name',
    old: object({ a: integer }),
    now: object(
      { a: integer },
      {
        if: object({ kind: { const: 'cat' } }, { required: ['kind'] }),
        then: true,
        else: { required: ['a'] }
      }
    ),
    request: ['undecided body: if added'],
    response: ['compatible 200/body: if added']
  },
  {
    what: 'a list contains more of the same',
    old: { type: 'array', contains: integer },
    now: { type: 'array', contains: integer, minContains: 2 },
    request: ['breaking body: contains changed']
  },
  {
    what: 'a list contains at most some',
    old: { type: 'array', contains: integer, maxContains: 3 },
    now: { type: 'array', contains: { type: 'number' }, minContains: 0 },
    request: ['compatible body: contains changed']
  },
  {
    what: 'names of properties',
    old: { type: 'object', propertyNames: { maxLength: 2 } },
    now: { type: 'object', propertyNames: { maxLength: 3 } },
    request: ['compatible body: propertyNames changed']
  },
  {
    what: 'what a property demands of its object',
    old: { type: 'object', dependentSchemas: { a: { minProperties: 2 }, b: { minProperties: 2 } } },
    now: { type: 'object', dependentSchemas: { a: { minProperties: 1 } } },
    request: ['compatible body: dependentSchemas changed'],
    response: ['undecided 200/body: dependentSchemas changed']
  },
  {
    what: 'a property that cannot be there requires another',
    old: object({ a: false }),
    now: object({ a: false }, { dependentRequired: { a: ['b'] } }),
    request: []
  },
  {
    what: 'an alternative leaves open what another declares',
    old: { anyOf: [object({ a: text }, { required: ['a'] }), object({ b: text }, { required: ['b'] })] },
    now: { anyOf: [object({}, { required: ['a'] }), object({}, { required: ['b'] }), { type: 'string' }] },
    request: [
      'compatible body: type now string or object (was object)',
      'compatible body/a: type now any (was string)',
      'compatible body/b: type now any (was string)'
    ]
  },
  {
    what: 'a named alternative changes, and others are left',
    old: { anyOf: [to('Cat'), to('Dog')] },
    now: { anyOf: [to('Cat'), to('Dog')] },
    schemas: {
      Cat: object({ a: { ...text, maxLength: 9 } }, { required: ['a'] }),
      Dog: object({ b: text }, { required: ['b'] })
    },
    nowSchemas: {
      Cat: object({ a: { ...text, maxLength: 5 } }, { required: ['a'] }),
      Dog: object({ b: text }, { required: ['b'] })
    },
    request: ['breaking body/a: maxLength now 5 (was 9)']
  },
  {
    what: 'a union that is too large is not expanded',
    old: {
      allOf: Array.from({ length: 3 }, () => ({
        anyOf: Array.from({ length: 7 }, (_none, index) => ({ type: 'string', minLength: index }))
      }))
    },
    now: {
      allOf: Array.from({ length: 3 }, () => ({
        anyOf: Array.from({ length: 8 }, (_none, index) => ({ type: 'string', minLength: index }))
      }))
    },
    request: ['undecided body: alternative string is gone'],
    response: ['undecided 200/body: alternative string added']
  },
  {
    what: 'long values are shortened',
    old: { enum: ['x'.repeat(100), 9007199254740993n] },
    now: { enum: ['y'] },
    request: [
      'breaking body: type now string (was number or string)',
      `breaking body: enum: - ${'x'.repeat(57)}…`,
      'compatible body: enum: + y'
    ],
    response: [
      'breaking 200/body: enum: + y',
      'compatible 200/body: type now string (was number or string)',
      `compatible 200/body: enum: - ${'x'.repeat(57)}…`
    ]
  },
  {
    what: 'one listed value takes the place of another',
    old: { enum: ['a', 'b'] },
    now: { enum: ['b', 'c'] },
    request: ['breaking body: enum: - a', 'compatible body: enum: + c']
  },
  {
    what: 'names of schemas that a discriminator leads to',
    old: {
      oneOf: [to('Cat'), to('Dog')],
      discriminator: { propertyName: 'kind', mapping: { c: '#/components/schemas/Cat' } }
    },
    now: { oneOf: [to('Cat'), to('Dog')], discriminator: { propertyName: 'kind' } },
    schemas: { Cat: cat, Dog: dog },
    request: ['breaking body: discriminator: - c', 'compatible body: discriminator: + Cat']
  },
  {
    what: 'names of schemas that a discriminator beside null leads to',
    old: {
      anyOf: [
        {
          oneOf: [to('Cat'), to('Dog')],
          discriminator: { propertyName: 'kind', mapping: { c: '#/components/schemas/Cat' } }
        },
        { type: 'null' }
      ]
    },
    now: {
      anyOf: [{ oneOf: [to('Cat'), to('Dog')], discriminator: { propertyName: 'kind' } }, { type: 'null' }]
    },
    schemas: { Cat: cat, Dog: dog },
    request: ['breaking body: discriminator: - c', 'compatible body: discriminator: + Cat']
  },
  {
    what: 'a mapping that gives the name of a schema instead of a reference',
    old: { oneOf: [to('Cat'), to('Dog')], discriminator: { propertyName: 'kind', mapping: { c: 'Cat' } } },
    now: {
      oneOf: [to('Cat'), to('Dog')],
      discriminator: { propertyName: 'kind', mapping: { c: '#/components/schemas/Cat', d: 'Dog' } }
    },
    schemas: { Cat: cat, Dog: dog },
    request: ['breaking body: discriminator: - Dog', 'compatible body: discriminator: + d']
  },
  {
    what: 'a list may contain more of the same',
    old: { type: 'array', contains: integer, maxContains: 3 },
    now: { type: 'array', contains: integer, maxContains: 4 },
    request: ['compatible body: contains changed']
  },
  {
    what: 'a list contains what all of its items are',
    old: { type: 'array', items: integer, minItems: 1 },
    now: { type: 'array', items: integer, minItems: 1, contains: integer },
    request: []
  },
  {
    what: 'a value selects another schema that is not there',
    old: { oneOf: [cat], discriminator: { propertyName: 'kind', mapping: { cat: 'x' } } },
    now: { oneOf: [cat], discriminator: { propertyName: 'kind', mapping: { cat: 'y' } } },
    request: []
  },
  {
    what: 'a list contains none at least',
    old: { type: 'array' },
    now: { type: 'array', contains: integer, minContains: 0 },
    request: []
  },
  {
    what: 'a list contains a smaller type',
    old: { type: 'array', contains: { type: 'number' } },
    now: { type: 'array', contains: integer },
    request: ['breaking body: contains changed']
  },
  {
    what: 'a list contains fewer at most',
    old: { type: 'array', items: text, uniqueItems: true },
    now: {
      type: 'array',
      items: text,
      uniqueItems: true,
      contains: { enum: ['x', 'y'] },
      minContains: 0,
      maxContains: 1
    },
    request: ['undecided body: contains added'],
    response: ['compatible 200/body: contains added']
  },
  {
    what: 'a list contains fewer at most of what may be none of its items',
    old: { type: 'array', items: { ...integer, maximum: 9 } },
    now: {
      type: 'array',
      items: { ...integer, maximum: 9 },
      contains: { minimum: 10 },
      minContains: 0,
      maxContains: 2
    },
    request: ['undecided body: contains added'],
    response: ['compatible 200/body: contains added']
  },
  {
    what: 'a list contains at most as many as follow its tuple',
    old: { type: 'array', prefixItems: [text], items: integer, maxItems: 2 },
    now: {
      type: 'array',
      prefixItems: [text],
      items: integer,
      maxItems: 2,
      contains: integer,
      minContains: 0,
      maxContains: 1
    },
    request: ['undecided body: contains added'],
    response: ['compatible 200/body: contains added']
  },
  {
    what: 'a text that is excluded is none of the samples',
    old: text,
    now: { ...text, not: { const: 'x-ray' } },
    request: ['breaking body: not added']
  },
  {
    what: 'values that are excluded have another type, or are none of those listed',
    old: { enum: ['a', 'b', 1] },
    now: { enum: ['a', 'b', 1], not: { enum: ['c', true] } },
    request: []
  },
  {
    what: 'another property demands something of its object',
    old: object({ a: text, b: text }, { dependentSchemas: { a: { minProperties: 1 } } }),
    now: object({ a: text, b: text }, { dependentSchemas: { a: {}, b: { required: ['a'] } } }),
    request: ['breaking body: dependentSchemas changed']
  },
  {
    what: 'a condition has a consequence now',
    old: object({ a: text }, { if: { required: ['a'] } }),
    now: object({ a: text }, { if: { required: ['a'] }, then: { required: ['b'] } }),
    request: ['breaking body: if changed']
  },
  {
    what: 'an alternative without a partner leaves open what another declares',
    old: {
      anyOf: [
        object({ a: text }),
        object({ b: text }, { required: ['b'] }),
        object({ c: text }, { required: ['c'] })
      ]
    },
    now: { anyOf: [object({}), object({ b: text }, { required: ['b'] })] },
    request: ['compatible body: alternative object added']
  },
  {
    what: 'alternatives whose tag messages do not have are told apart by the others alone',
    old: { oneOf: [to('A'), to('B')], discriminator: { propertyName: 'tag' } },
    now: { oneOf: [to('A'), to('B')], discriminator: { propertyName: 'tag' } },
    schemas: {
      A: object({ tag: { ...text, readOnly: true }, a: text }, { required: ['tag', 'a'] }),
      B: object({ tag: { ...text, readOnly: true }, b: text }, { required: ['tag', 'b'] })
    },
    nowSchemas: {
      A: object({ tag: { ...text, readOnly: true }, a: text }),
      B: object({ tag: { ...text, readOnly: true }, b: text }, { required: ['tag', 'b'] })
    },
    request: [
      'undecided body: may refuse a value of several alternatives',
      'compatible body/a: now optional (was required)'
    ],
    response: [
      'breaking 200/body/tag: now optional (was required)',
      'breaking 200/body/a: now optional (was required)',
      'compatible 200/body: may refuse a value of several alternatives'
    ]
  },
  {
    what: 'alternatives whose tag may be missing are told apart by the others',
    old: { oneOf: [to('A'), to('B')], discriminator: { propertyName: 'tag' } },
    now: { oneOf: [to('A'), to('B')], discriminator: { propertyName: 'tag' } },
    schemas: {
      A: object({ tag: text, a: text }, { required: ['a'] }),
      B: object({ tag: text, b: text }, { required: ['b'] })
    },
    nowSchemas: { A: object({ tag: text, a: text }), B: object({ tag: text, b: text }, { required: ['b'] }) },
    request: [
      'undecided body: may refuse a value of several alternatives',
      'compatible body/a: now optional (was required)'
    ],
    response: [
      'breaking 200/body/a: now optional (was required)',
      'compatible 200/body: may refuse a value of several alternatives'
    ]
  },
  {
    what: 'a listed value of two alternatives of oneOf is none of it',
    old: { enum: [1, 'a'] },
    now: { oneOf: [integer, { type: 'number' }, text] },
    request: [
      'breaking body: enum: - 1',
      'compatible body: alternative integer added',
      'compatible body: alternative number added',
      'compatible body: enum now any (was ["a"])'
    ]
  },
  {
    what: 'a schema relies on another that changes',
    old: to('Node'),
    now: to('Node'),
    schemas: { Node: object({ leaf: to('Leaf'), size: { maximum: 9 } }), Leaf: object({ node: to('Node') }) },
    nowSchemas: {
      Node: object({ leaf: to('Leaf'), size: { maximum: 5 } }),
      Leaf: object({ node: to('Node') })
    },
    request: ['breaking body/size: maximum now 5 (was 9)']
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
    request: ['breaking body/list/*/size: maximum now 5 (was 9)']
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

const lists = ['breaking', 'undecided', 'compatible']

/** Returns what an answer of which the service sends the new values reports, if clients send the old ones otherwise. */
const mirrored = (request: readonly string[]): string[] =>
  request
    .map((message) => message.replace(/^(\w+) /, (_all, list) => `${lists.at(2 - lists.indexOf(list))} 200/`))
    .sort((a, b) => lists.indexOf(a.split(' ')[0] ?? '') - lists.indexOf(b.split(' ')[0] ?? ''))

for (const row of rows) {
  t.test(row.what, async (t) => {
    t.strictSame(messages('request', row), row.request)
    t.strictSame(messages('response', row), row.response ?? mirrored(row.request))
  })
}

t.test('a schema that is shared is reported at each of its places', async (t) => {
  const schemas = { Name: text }
  const body = object({ first: to('Name'), last: to('Name') })
  const old = withSchema('request', body, { components: { schemas } })
  const now = withSchema('request', body, { components: { schemas: { Name: { ...text, maxLength: 9 } } } })
  t.strictSame(
    compared(old, now).breaking.map(({ operation, place }) => [operation, place]),
    [
      ['POST /things', 'body/first'],
      ['POST /things', 'body/last']
    ]
  )
})
