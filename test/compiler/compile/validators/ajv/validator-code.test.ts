/** The code of validators: a bounded number of errors with bounded paths, cached verdicts, one plain module. */
import t from 'tap'
import { DefinitionCompiler } from '../../../../../src/compiler/compile/validators/ajv/definition-compiler.ts'
import type { Schema } from '../../../../../src/compiler/compile/validators/ajv/keywords.ts'

const options = { prefix: 'request', allErrors: true, unevaluated: true }
const compilerOf = (definitions: Record<string, Schema>, ...memoised: readonly string[]) =>
  new DefinitionCompiler(definitions, { ...options, memoised: new Set(memoised) })

const errorsOf = (schema: Schema, value: unknown, others: Record<string, Schema> = {}) => {
  const validate = compilerOf({ A: schema, ...others }).validator('A')
  return validate(value) ? [] : [...(validate.errors ?? [])]
}

const members = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`m${index}`, index]))
const items = Object.values(members)
const text: Schema = { type: 'string' }
/** Not compiled inline, because it refers to another one. */
const part: Schema = { $ref: '#/$defs/C', type: 'string' }

const reporting: Readonly<Record<string, readonly [schema: Schema, value: unknown]>> = {
  items: [{ items: text }, items],
  'items: false': [{ items: false }, items],
  contains: [{ contains: text, minContains: 3 }, items],
  'contains after errors, which it resets': [{ items: text, contains: { type: 'number' } }, items],
  'a union after errors, which it resets': [{ allOf: [{ items: text }], anyOf: [text, true] }, items],
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
  'a reference': [{ $ref: '#/$defs/B' }, items],
  'references to one another': [{ items: { $ref: '#/$defs/B' } }, items.map(() => [1, 2])]
}

for (const [what, [schema, value]] of Object.entries(reporting))
  t.test(`errors are bounded: ${what}`, async (t) => {
    const errors = errorsOf(schema, value, { B: { items: part, type: 'array' }, C: true })
    t.ok(errors.length > 0)
    t.ok(errors.length <= 1001, String(errors.length))
    t.ok(errors.every((error) => typeof error.instancePath === 'string'))
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

t.test('equal constants of a validator are declared once', async (t) => {
  const listed = () => ({ enum: [1, 2], pattern: '^a', required: 'abcdefghij'.split('') })
  const schema: Schema = { properties: { a: listed(), b: listed() } }
  t.match(errorsOf(schema, { a: 1, b: 3 }), [{ instancePath: '/b', keyword: 'enum' }])
  const { code } = compilerOf({ A: schema }).code(['A'])
  t.equal(code.match(/const (?:obj|pattern)_/g)?.length, 3)
})

t.test('a module declares the schemas that its code reads, those of branches included', async (t) => {
  const closed: Schema = {
    $ref: '#/$defs/C',
    properties: Object.fromEntries(
      Object.keys(members)
        .slice(0, 9)
        .map((name) => [name, text])
    ),
    additionalProperties: false
  }
  const schemas: Record<string, Schema> = { A: { anyOf: [{ $ref: '#/$defs/B' }, text] }, B: closed, C: true }
  const { code } = compilerOf(schemas).code(['A', 'B'])
  const named = [...new Set(code.match(/schema_[\w$]+/g))]
  t.strictSame(named.sort(), ['schema_request_B$verdict_0', 'schema_request_B_0'])
  for (const name of named) t.ok(code.includes(`const ${name} = `), name)
})

t.test('a path has a bounded length, whichever keyword leads to it', async (t) => {
  const name = '~'.repeat(10_000)
  for (const keyword of ['additionalProperties', 'unevaluatedProperties', 'patternProperties']) {
    const schema: Schema = { [keyword]: keyword === 'patternProperties' ? { '~': text } : text }
    const [error] = errorsOf({ items: schema }, [{ [name]: 1 }])
    t.equal(error?.instancePath, `/0/${'~0'.repeat(200)}`, keyword)
  }
  const list: Schema = { type: ['array', 'string'], items: { $ref: '#/$defs/A' } }
  let value: unknown = 1
  for (let depth = 0; depth < 3000; depth++) value = [value]
  const [error] = errorsOf(list, value)
  t.ok(String(error?.instancePath).length <= 4200)
})

t.test('a module imports what it calls, and nothing else', async (t) => {
  const schemas = {
    A: {
      type: 'object',
      properties: { 'say "request_B"': { $ref: '#/$defs/B' }, tag: { pattern: '^/\\d' } }
    },
    B: { numericType: ['integer'], format: 'date-time', $ref: '#/$defs/A' }
  }
  const { code, names } = compilerOf(schemas).code(['A'])
  t.strictSame([...names], ['A', 'B'])
  const imports = code.match(/import \{ \w+ \} from /g)?.sort()
  t.strictSame(imports, [
    'import { addError } from ',
    'import { boundedPath } from ',
    'import { date_time } from ',
    'import { isPlainInteger } from ',
    'import { joinErrors } from '
  ])
  t.match(code, 'export function request_A(data, ')
  t.match(code, '\nexport function request_B(data, ')
  t.match(code, '"say \\"request_B\\""')
  t.match(code, /const pattern_[\w$]{10} = \/\^\\\/\\d\/u;/)
  t.notMatch(code, /require\(|recall|schema_/)
  const further = compilerOf(schemas).code(['A', 'B'], { names: new Set(['B']), file: './there.js' })
  t.match(further.code, /^import \{ request_B \} from "\.\/there\.js"\nexport \{ request_B \}\n/)
  t.notMatch(further.code, 'function request_B')
})

t.test('a definition that is marked caches its verdicts', async (t) => {
  const { code } = compilerOf({ A: { items: { $ref: '#/$defs/A' } }, B: text }, 'A').code(['A', 'B'])
  const [, marked = '', other = ''] = code.split('function ')
  t.match(marked, 'rootData = runOf(rootData);')
  t.match(marked, 'recall(rootData, request_A, data, parentData, parentDataProperty)')
  t.match(marked, 'return remember(rootData, request_A, data, parentData, parentDataProperty)')
  t.notMatch(marked, /return (?:errors|false|true)/)
  t.notMatch(other, /recall|remember/)
})
