/** The code of validators: a bounded number of errors with bounded paths, shared parts, one plain module. */
import t from 'tap'
import {
  Definitions,
  memoisedNames,
  trackedNames
} from '../../../../src/compiler/compile/validators/definitions.ts'
import { Reading, type View } from '../../../../src/compiler/compile/validators/reading.ts'
import { DefinitionCompiler } from '../../../../src/compiler/compile/validators/validators.ts'
import { make } from '../../../../src/contract/contract.ts'
import { contractOf } from '../../../contract/schema-of.ts'
import type { Schema } from './keywords/tables.ts'

/** Returns a reference to a schema. */
const to = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** Returns the definitions of schemas, which refer to each other as components. */
function definitionsOf(schemas: Readonly<Record<string, Schema>>): Definitions {
  const { components } = contractOf({ components: { schemas } })
  const definitions = new Definitions(new Reading('request', 'readOnly'))
  for (const schema of components.schemas.values()) definitions.define(make({ ref: schema }, schema), '')
  return definitions
}

function compilerOf(schemas: Record<string, Schema>, ...memoised: readonly string[]): DefinitionCompiler {
  const definitions = definitionsOf(schemas)
  const tracked = trackedNames(definitions.references)
  return new DefinitionCompiler(definitions, { prefix: 'request', memoised: new Set(memoised), tracked })
}

const errorsOf = (schema: Schema, value: unknown, others: Record<string, Schema> = {}) => {
  const validate = compilerOf({ A: schema, ...others }).validator('A')
  return validate(value) ? [] : [...(validate.errors ?? [])]
}

const members = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`m${index}`, index]))
const items = Object.values(members)
const text: Schema = { type: 'string' }
const part: Schema = { ...to('C'), type: 'string' }

const reporting: Readonly<Record<string, readonly [schema: Schema, value: unknown]>> = {
  items: [{ items: text }, items],
  'items: false': [{ items: false }, items],
  contains: [{ contains: text, minContains: 3 }, items],
  'a union of each item': [{ items: { oneOf: [text, { type: 'null' }] } }, items],
  not: [{ items: { not: true } }, items],
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  if: [{ items: { if: true, else: true, then: text } }, items],
  required: [{ required: Object.keys(members) }, {}],
  dependentRequired: [{ dependentRequired: { a: Object.keys(members) } }, { a: 1 }],
  properties: [{ properties: Object.fromEntries(Object.keys(members).map((name) => [name, text])) }, members],
  propertyNames: [{ propertyNames: { maxLength: 1 } }, members],
  additionalProperties: [{ additionalProperties: text }, members],
  'additionalProperties: false': [{ additionalProperties: false }, members],
  patternProperties: [{ patternProperties: { '^m': text } }, members],
  unevaluatedProperties: [{ unevaluatedProperties: text }, members],
  unevaluatedItems: [{ unevaluatedItems: text }, items],
  'a reference': [to('B'), items],
  'references to one another': [{ items: to('B') }, items.map(() => [1, 2])]
}

t.test('errors are bounded, whichever keyword reports them', async (t) => {
  for (const [what, [schema, value]] of Object.entries(reporting)) {
    const errors = errorsOf(schema, value, { B: { items: part, type: 'array' }, C: true })
    t.ok(errors.length > 0 && errors.length <= 1001, `${what}: ${errors.length}`)
    t.ok(errors.every((error) => typeof error.instancePath === 'string'))
  }
})

t.test('each name of a long list of required ones is an own property, in a branch, too', async (t) => {
  const names = [...Array.from({ length: 9 }, (_, at) => `n${at}`), 'toString']
  const whole = Object.fromEntries(names.map((name) => [name, 1]))
  const { n3: _n3, ...partial } = whole
  const required: Schema = { type: 'object', required: names }
  const union: Schema = { anyOf: [required, text] }
  t.strictSame(errorsOf(required, whole), [])
  t.match(
    errorsOf(required, { ...partial, toString: undefined }),
    ['n3', 'toString'].map((missingProperty) => ({ keyword: 'required', params: { missingProperty } }))
  )
  const { toString: _own, ...inherited } = whole
  t.match(errorsOf(required, inherited), [{ params: { missingProperty: 'toString' } }])
  t.strictSame(errorsOf(union, whole), [])
  t.match(errorsOf(union, partial), [{ keyword: 'anyOf' }])
})

t.test('what is equal is written once: constants, and large parts of schemas', async (t) => {
  const listed = () => ({ enum: [1, 2], pattern: '^a', required: 'abcdefghij'.split('') })
  const schema: Schema = { properties: { a: listed(), b: { ...listed(), minItems: 1 } } }
  t.match(errorsOf(schema, { a: 1, b: 3 }), [{ instancePath: '/b', keyword: 'enum' }])
  const { code } = compilerOf({ A: schema }).code(['A'])
  t.equal(code.match(/^const (?:values|pattern|names)_/gm)?.length, 3)
  const large = () => ({
    properties: Object.fromEntries(items.slice(0, 40).map((n) => [`p${n}`, { minimum: n }]))
  })
  const twice: Schema = { properties: { a: large(), ['__proto__']: large(), c: { items: large() } } }
  const { code: shared } = compilerOf({ A: twice }).code(['A'])
  t.equal(shared.match(/^function /gm)?.length, 3, 'of A, of the large part, and of the list of it')
  t.match(errorsOf(twice, JSON.parse('{"a":{"p1":0},"__proto__":{"p2":1},"c":[{"p3":2}]}')), [
    { instancePath: '/a/p1' },
    { instancePath: '/__proto__/p2' },
    { instancePath: '/c/0/p3' }
  ])
})

t.test('members with equal schemas are checked in a loop', async (t) => {
  const schema: Schema = {
    ...{ type: 'object', additionalProperties: false },
    properties: Object.fromEntries(Object.keys(members).map((name) => [name, text]))
  }
  t.ok(compilerOf({ A: schema }).code(['A']).code.length < 75_000)
  t.strictSame(errorsOf(schema, { m0: 'a', m2999: 'b' }), [])
  t.match(errorsOf(schema, { m2999: 1, m3000: 'x' }), [
    { instancePath: '/m2999', keyword: 'type' },
    { params: { additionalProperty: 'm3000' } }
  ])
})

t.test('a path has a bounded length, whichever keyword leads to it', async (t) => {
  const name = '~'.repeat(10_000)
  for (const keyword of ['additionalProperties', 'unevaluatedProperties', 'patternProperties']) {
    const schema: Schema = { [keyword]: keyword === 'patternProperties' ? { '~': text } : text }
    const [error] = errorsOf({ items: schema }, [{ [name]: 1 }])
    t.equal(error?.instancePath, `/0/${'~0'.repeat(200)}`, keyword)
  }
  const list: Schema = { type: 'array', items: to('A') }
  let value: unknown = 1
  for (let depth = 0; depth < 3000; depth++) value = [value]
  const [error] = errorsOf(list, value)
  t.ok(String(error?.instancePath).length <= 4200)
})

t.test('a module exports its validators and what they call, each droppable by a bundler', async (t) => {
  const schemas = {
    A: { properties: { 'say "request_B"': to('B'), tag: { pattern: '^/\\d' } } },
    B: { type: 'integer', format: 'date-time', ...to('A') }
  }
  const { code, names } = compilerOf(schemas).code(['A'])
  t.strictSame([...names], ['A', 'B'])
  t.match(code, /^export const request_A=\/\* @__PURE__ \*\/\$\.validator\(request_A\$\);$/m)
  const further = compilerOf(schemas).code(['A', 'B'], { names: new Set(['B']), file: './there.js' })
  t.match(further.code, 'import { request_B } from "./there.js"\nexport { request_B }\n')
  t.notMatch(further.code, 'function request_B')
})

t.test('a definition on a cycle caches its verdicts', async (t) => {
  const cycle = { A: { items: to('B') }, B: { anyOf: [to('A'), to('C')] }, C: { not: to('D') }, D: true }
  t.strictSame([...memoisedNames(definitionsOf(cycle).references)], ['A', 'B'])
  const definitions: Record<string, Schema> = {
    A: { items: to('A'), minItems: 1 },
    B: { ...to('A'), unevaluatedItems: false }
  }
  const { code } = compilerOf(definitions, 'A').code(['A', 'B'])
  const [, marked = '', other = ''] = code.split('function ')
  t.match(marked, 'const o=$.recall(r,request_A$,v,p,s);if(o!==undefined)return o;')
  t.match(marked, 'return $.remember(r,request_A$,v,p,r.failures===n,m);')
  t.notMatch(marked, /return!1/)
  t.notMatch(other, /recall|remember/)
  const validate = compilerOf(definitions, 'A').validator('B')
  const list: unknown[] = [[[]]]
  t.strictSame([validate(list), validate([[]])], [false, false])
  t.match(validate.errors, [{ instancePath: '/0', keyword: 'minItems' }])
})

const pairs: readonly (readonly [one: object, other: object, isEqual: boolean, view?: View])[] = [
  [{ ...text, title: 'a', default: 'b', foo: 1, format: 'foo' }, text, true],
  [{ ...text, format: 'int32' }, text, true],
  [{ ...text, format: 'uuid' }, text, false],
  [{ enum: [1] }, { enum: [2] }, false],
  [{ minimum: 9007199254740992n }, { minimum: 9007199254740993n }, false],
  [{ pattern: 'a' }, { pattern: 'b' }, false],
  [{ properties: { a: text } }, { properties: { a: { ...text, title: 'a' } } }, true],
  [{ properties: { a: text } }, { properties: { b: text } }, false],
  [{ properties: { a: { readOnly: true, ...text } } }, { properties: { a: { readOnly: true } } }, true],
  [{ properties: { a: { readOnly: true } } }, { properties: { a: {} } }, false],
  [{ items: to('Cat') }, { items: to('Cat') }, true],
  [{ items: to('Cat') }, { items: to('Dog') }, false],
  [{ minLength: -1 }, { maxLength: -1 }, false],
  [{ ...text, format: 'binary' }, text, false, 'multipart'],
  [{ ...text, contentMediaType: 'image/png', contentEncoding: 'base64' }, text, true, 'multipart'],
  [{ ...text, contentMediaType: 'image/png' }, text, true]
]

t.test('schemas that judge all values equally share a validator, and no others', async (t) => {
  for (const [one, other, isEqual, view = 'request'] of pairs) {
    const schemas = { One: one, Other: other, Cat: { required: ['a'] }, Dog: { required: ['b'] } }
    const { components } = contractOf({ components: { schemas } })
    const reading = new Reading(view, 'readOnly')
    const [first, second] = [...components.schemas.values()].map((schema) => reading.numberOf(schema))
    t.equal(first === second, isEqual, Object.keys({ ...one, ...other }).join())
  }
})
