/** The messages of validators, and their places. */
import t, { type Test } from 'tap'
import type { Json } from '../../../../src/contract/model/json.ts'
import { stringify } from '../../../../src/engine/json.ts'
import type { ValidationError } from '../../../../src/engine/model/compiled-contract.ts'
import {
  collectProblems,
  problemsOf,
  sentence
} from '../../../../src/engine/server/errors/validation-problems.ts'
import { validatorsOf } from '../../../contracts/validators-of.ts'

/** Returns the errors of the validator of a schema. */
async function errorsOf(
  t: Test,
  schema: object | boolean,
  data: unknown
): Promise<readonly ValidationError[]> {
  const [validate] = await validatorsOf(t, [schema])
  validate?.call(undefined, data)
  return validate?.errors ?? []
}

async function messageOf(t: Test, schema: object | boolean, data: unknown): Promise<string> {
  const { problems, omitted } = collectProblems(await errorsOf(t, schema, data), 'body')
  return sentence(problems, omitted)
}

t.test('keywords have messages with the location of the problem', async (t) => {
  const rows: [object | boolean, unknown, string][] = [
    [{ required: ['id', 'name'] }, {}, 'body/id is required; body/name is required'],
    [{ properties: { a: { required: ['b/c'] } } }, { a: {} }, 'body/a/b/c is required'],
    [{ items: { type: 'string' } }, ['', 1, 2], 'body/1 must be string; body/2 must be string'],
    [{ properties: { 'a/~b': { type: 'string' } } }, { 'a/~b': 1 }, 'body/a/~b must be string'],
    [{ properties: { x: false } }, { x: 1 }, 'body/x is not allowed'],
    [{ enum: ['a', 'b', null, 1] }, 2, 'body must be one of "a", "b", null, 1'],
    [{ const: { a: 1 } }, 2, 'body must be {"a":1}'],
    [{ maximum: 1.5 }, 2, 'body must be <= 1.5'],
    [{ exclusiveMinimum: 1 }, 1, 'body must be > 1'],
    [{ maxLength: 1 }, 'ab', 'body must have at most 1 character'],
    [{ minItems: 1 }, [], 'body must have at least 1 item'],
    [{ prefixItems: [{}], items: false }, [1, 2], 'body must have at most 1 item'],
    [{ prefixItems: [{}], unevaluatedItems: false }, [1, 2], 'body must have at most 1 item'],
    [{ minProperties: 1 }, {}, 'body must have at least 1 property'],
    [{ maxProperties: 0 }, { a: 1 }, 'body must have at most 0 properties'],
    [{ uniqueItems: true }, [1, 2, 1], 'body must not have equal items (items 0 and 2)'],
    [{ pattern: '^a$' }, 'b', 'body must match pattern ^a$'],
    [{ format: 'date-time' }, 'b', 'body must be a valid date-time'],
    [{ contains: { type: 'string' } }, [1], 'body must contain at least 1 matching item'],
    [{ if: { type: 'string' }, else: { minimum: 5 } }, 1, 'body must be >= 5'],
    [
      { contains: { type: 'string' }, minContains: 2, maxContains: 3 },
      [1],
      'body must contain at least 2 and at most 3 matching items'
    ],
    [
      { contains: { type: 'number' }, minContains: 0, maxContains: 1 },
      [1, 2],
      'body must contain at most 1 matching item'
    ],
    [{ oneOf: [{ minimum: 1 }, { minimum: 2 }] }, 3, 'body matches more than one of the allowed schemas'],
    [{ not: {} }, 1, 'body must not match the forbidden schema'],
    [{ minimum: 9007199254740993n }, 0, 'body must be >= 9007199254740993'],
    [{ enum: [9007199254740993n, { a: 2 }] }, 2, 'body must be one of 9007199254740993, {"a":2}'],
    [
      { anyOf: [{ type: 'string' }, { type: 'null' }, { minimum: 5 }] },
      1,
      'body must match at least one of the allowed schemas'
    ],
    [{ oneOf: [{ type: 'string' }, { minimum: 5 }] }, 1, 'body must match exactly one of the allowed schemas']
  ]
  const validators = await validatorsOf(
    t,
    rows.map(([schema]) => schema)
  )
  for (const [index, [schema, data, want]] of rows.entries()) {
    const validate = validators[index]
    t.equal(validate?.call(undefined, data), false)
    const { problems, omitted } = collectProblems(validate?.errors, 'body')
    t.equal(sentence(problems, omitted), want, stringify(schema as Json))
  }
})

function error(keyword: string, params: Record<string, unknown>, instancePath = ''): ValidationError {
  return { keyword, params, instancePath }
}

t.test('the keywords that the compiler adds have messages, too', async (t) => {
  const rows: [ValidationError, string][] = [
    [error('readOnly', {}), 'is read-only and must not be sent'],
    [error('writeOnly', {}), 'is write-only and must not be sent'],
    [error('int64', {}), 'must be an integer from -9223372036854775808 to 9223372036854775807'],
    [error('int32', {}), 'must be an integer from -2147483648 to 2147483647'],
    [error('int64', { type: 'integer' }), 'must be integer'],
    [error('int64', { type: ['integer', 'null'] }), 'must be integer or null'],
    [error('toString', {}), 'is not valid (toString)'],
    [error('x-own', {}), 'is not valid (x-own)']
  ]
  for (const [given, want] of rows) t.equal(problemsOf([given], 'body')[0]?.message, want, given.keyword)
})

t.test('long values of the contract or of the request are shortened', async (t) => {
  const many = Array.from({ length: 40 }, (_, i) => `v${i}`)
  t.match(await messageOf(t, { enum: many }, 1), /^body must be one of "v0", .*"v11", 28 more$/)
  t.ok((await messageOf(t, { enum: many.map((value) => value.repeat(1000)) }, 1)).length < 1000)
  const pattern = await messageOf(t, { pattern: 'x'.repeat(1000) }, 'y')
  t.equal(pattern, `body must match pattern ${'x'.repeat(128)}…`)
  const names: Readonly<Record<string, string>> = {
    ['n'.repeat(1000)]: `${'n'.repeat(64)}…`,
    [`${'n'.repeat(63)}\u{1f331}`]: `${'n'.repeat(63)}\ufffd…`,
    'a\n\u0000\u202e\u2028b': 'a\\u000a\\u0000\\u202e\\u2028b',
    '\ud800': '\ufffd'
  }
  for (const [name, shown] of Object.entries(names))
    t.equal(
      await messageOf(t, { additionalProperties: false }, { [name]: 1 }),
      `body/${shown} is not allowed`
    )
  const deep = problemsOf([error('type', { type: 'string' }, '/abc'.repeat(100_000))], 'body')
  t.match(deep[0]?.place, /^body\/abc\/.+…\/abc\/.+\/abc$/)
  t.equal(deep[0]?.place.length, 257)
  t.equal(problemsOf([error('type', { type: 'object' })], '')[0]?.place, 'request')
})

t.test('equal problems are reported once, further ones are counted', async (t) => {
  const twice = { allOf: [{ required: ['id'] }, { required: ['id'] }, { type: 'object' }] }
  t.equal(await messageOf(t, twice, {}), 'body/id is required')
  const strings = { items: { type: 'string' } }
  t.equal((await messageOf(t, strings, Array(20).fill(0))).split('; ').length, 20)
  const more = await messageOf(t, strings, Array(32).fill(0))
  t.match(more, /^body\/0 must be string; .*; body\/19 must be string; and 12 more$/)
  let reads = 0
  const errors = await errorsOf(t, strings, Array(100_000).fill(0))
  const counted = errors.map((each) => ({
    ...each,
    get instancePath() {
      reads++
      return each.instancePath
    }
  }))
  const { problems, omitted } = collectProblems(counted, 'body')
  t.match(sentence(problems, omitted), /body\/19 must be string; and many more$/)
  t.ok(reads <= 1000, `at most 1,000 errors are read: ${reads}`)
})
