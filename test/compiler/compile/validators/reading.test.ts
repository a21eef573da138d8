/** Equal schemas, their sizes, and unions as conditions. */
import t from 'tap'
import { Reading, type View } from '../../../../src/compiler/compile/validators/reading.ts'
import { contractOf } from '../../../contract/schema-of.ts'
import { to } from './definitions-of.ts'

const others = {
  Cat: { type: 'object', required: ['kind'], properties: { kind: { const: 'cat' } } },
  Dog: { type: 'object', required: ['kind'], properties: { kind: { const: 'dog' } } },
  Hidden: { type: 'object', required: ['kind'], properties: { kind: { const: 'hidden', readOnly: true } } },
  Free: { type: 'object', properties: { kind: { const: 'free' } } }
}
const text = { type: 'string' }

/** Returns the reading of a view, and schemas in it. */
function read(list: readonly unknown[], view: View = 'request') {
  const names = list.map((_, index) => `S${index}`)
  const schemas = { ...others, ...Object.fromEntries(list.map((schema, index) => [names[index], schema])) }
  const { components } = contractOf({ components: { schemas } })
  return {
    reading: new Reading(view, 'readOnly'),
    found: names.flatMap((name) => components.schemas.get(name) ?? [])
  }
}

const pairs: readonly [what: string, one: unknown, other: unknown, isEqual: boolean, view?: View][] = [
  ['annotations', { ...text, title: 'a', default: 'b' }, text, true],
  ['unknown keywords and formats', { ...text, foo: 1, format: 'foo' }, text, true],
  ['a format of numbers, for a text', { ...text, format: 'int32' }, text, true],
  ['a format', { ...text, format: 'uuid' }, text, false],
  ['values', { enum: [1] }, { enum: [2] }, false],
  ['integers beyond 2^53', { minimum: 9007199254740992n }, { minimum: 9007199254740993n }, false],
  ['a pattern', { pattern: 'a' }, { pattern: 'b' }, false],
  ['members', { properties: { a: text } }, { properties: { a: { ...text, title: 'a' } } }, true],
  ['names of members', { properties: { a: text } }, { properties: { b: text } }, false],
  [
    'hidden members',
    { properties: { a: { readOnly: true, ...text } } },
    { properties: { a: { readOnly: true } } },
    true
  ],
  ['a hidden member', { properties: { a: { readOnly: true } } }, { properties: { a: {} } }, false],
  ['references', { items: to('Cat') }, { items: to('Cat') }, true],
  ['references to others', { items: to('Cat') }, { items: to('Dog') }, false],
  ['what is malformed', { minLength: -1 }, { maxLength: -1 }, false],
  ['bytes of a part', { ...text, format: 'binary' }, text, false, 'multipart'],
  [
    'an encoded part',
    { ...text, contentMediaType: 'image/png', contentEncoding: 'base64' },
    text,
    true,
    'multipart'
  ],
  ['bytes elsewhere', { ...text, contentMediaType: 'image/png' }, text, true]
]

t.test('equal schemas have one number', async (t) => {
  for (const [what, one, other, isEqual, view] of pairs) {
    const { reading, found } = read([one, other], view)
    const numbers = found.map((schema) => reading.numberOf(schema))
    t.equal(new Set(numbers).size === 1, isEqual, what)
  }
})

t.test('keywords that judge values count, those of inner schemas included', async (t) => {
  const sizes: readonly [unknown, number][] = [
    [true, 0],
    [{ type: 'object', properties: { a: { enum: [1] }, b: true }, anyOf: [{ not: {} }] }, 5],
    [{ title: 'A', format: 'unknown', description: 'a' }, 0],
    [{ format: 'uuid', properties: { a: { minimum: 1, readOnly: true } } }, 2]
  ]
  for (const [schema, size] of sizes) {
    const { reading, found } = read([schema])
    t.strictSame(
      found.map((each) => reading.sizeOf(each)),
      [size],
      JSON.stringify(schema)
    )
  }
})

t.test('a discriminator is required unless a value may lack it', async (t) => {
  const kind = { propertyName: 'kind' }
  const unions: readonly [what: string, schema: unknown, isRequired: boolean][] = [
    ['required by each', { discriminator: kind, oneOf: [to('Cat'), to('Dog')] }, true],
    [
      'required by the base',
      { discriminator: kind, required: ['kind'], anyOf: [to('Cat'), to('Free')] },
      true
    ],
    ['not required by one', { discriminator: kind, oneOf: [to('Cat'), to('Free')] }, false],
    ['hidden in one', { discriminator: kind, oneOf: [to('Cat'), to('Hidden')] }, false],
    ['null', { discriminator: kind, oneOf: [to('Cat'), to('Dog'), { type: 'null' }] }, false],
    ['a default', { discriminator: { ...kind, defaultMapping: 'Dog' }, oneOf: [to('Cat'), to('Dog')] }, false]
  ]
  for (const [what, schema, isRequired] of unions) {
    const { reading, found } = read([schema])
    const [condition] = found.map((each) => reading.judged(each).allOf?.at(-1))
    t.equal(condition?.required?.has('kind') === true, isRequired, what)
    t.equal(condition?.if !== undefined, !isRequired, what)
  }
})
