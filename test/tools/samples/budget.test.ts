/** The budget of an instance: the number of values and characters that are made, and of combinations that are tried. */
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { Budget, withinBudget } from '../../../src/tools/samples/budget.ts'
import { instancesOf, plainInstance } from '../../../src/tools/samples/samples.ts'
import { Schemas } from '../../../src/tools/samples/schemas.ts'

t.setTimeout(900_000)

t.test('an error of another kind is not taken for a budget', async (t) => {
  const failing = () => {
    throw new TypeError('a defect')
  }
  t.throws(() => withinBudget(failing), TypeError)
})

t.test('instances shrink as without a budget', async (t) => {
  const counted = new Budget().counted(fc.array(fc.nat()))
  t.ok(counted.canShrinkWithoutContext([3]))
  t.notOk(counted.canShrinkWithoutContext(['3']))
  const { counterexample } = fc.check(
    fc.property(counted, (list) => list.length < 3),
    { seed: 1 }
  )
  t.strictSame(counterexample, [[0, 0, 0]])
})

const list = (minItems: number, items: object = {}) => ({ type: 'array', minItems, items })
const map = (minProperties: number, additionalProperties: object | boolean = true) => ({
  type: 'object',
  minProperties,
  additionalProperties
})
const text = (keywords: object) => ({ type: 'string', ...keywords })
const number = { type: 'integer' }

const large: Readonly<Record<string, object>> = {
  'many items': list(300_000_000, number),
  'many items in each of many items': list(1000, list(1000, list(1000, number))),
  'many items after a prefix': {
    type: 'array',
    prefixItems: [number],
    contains: number,
    minContains: 300_000_000
  },
  'many properties': map(50_000_000),
  'maps within maps': map(1000, map(1000, map(1000, number))),
  'many required names': {
    type: 'object',
    required: Array.from({ length: 150_000 }, (_, index) => `p${index}`)
  },
  'a long text': text({ minLength: 536_870_912 }),
  'a long text in a property': {
    type: 'object',
    required: ['a'],
    properties: { a: text({ minLength: 536_870_912 }) }
  },
  'many long texts': list(2000, text({ minLength: 900 })),
  'a pattern with a large quantifier': text({ pattern: '^a{1000000}$' }),
  'a pattern with quantifiers in quantifiers': text({ pattern: '^((a{1000}){1000}){1000}$' }),
  'a pattern of repetitions in repetitions': text({ pattern: '^(((((((a+)+)+)+)+)+)+)+$' })
}

/** Returns the schemas of objects in levels, each with as many properties of the next level. */
function nested(levels: number, width: number, required: number): Record<string, object> {
  const names = Array.from({ length: width }, (_, index) => `p${index}`)
  const level = (index: number) => ({
    type: 'object',
    required: names.slice(0, required),
    properties: Object.fromEntries(names.map((name) => [name, ref(`L${(index + 1) % levels}`)]))
  })
  const all = Array.from({ length: levels }, (_, index) => [`L${index}`, level(index)] as const)
  return Object.fromEntries(required === 0 ? all : [...all.slice(0, -1), [`L${levels - 1}`, text({})]])
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

for (const [what, schemas, depth] of [
  ['a type whose hundred properties have it', nested(1, 100, 0), 2],
  ['8 levels of 8 properties, two of them required', nested(9, 8, 2), 8],
  ['12 levels of 20 properties', nested(13, 20, 1), 12],
  ['4 levels of 30 properties', nested(5, 30, 2), 4],
  ['40 required levels', nested(41, 2, 1), 40]
] as const)
  t.test(`${what}: instances with fewer optional parts`, async (t) => {
    const document = { components: { schemas } } as never
    const isFitting = (value: unknown) => depthOf(value) === depth && JSON.stringify(value).length < 200_000
    for (const direction of ['request', 'response'] as const) {
      const plain = plainInstance(ref('L0'), { document, direction, seed: 1 })
      t.ok(isFitting(plain), direction, { length: JSON.stringify(plain)?.length })
      const varied = instancesOf(ref('L0'), { document, direction })
      t.ok(varied && fc.sample(varied, { seed: 1, numRuns: 3 }).every((value) => depthOf(value) >= 1))
    }
  })

for (const [what, schema] of Object.entries(large))
  t.test(`${what}: no instance, and the caller learns why`, async (t) => {
    const document = { openapi: '3.1.0' }
    let isTooLarge = false
    const onTooLarge = () => {
      isTooLarge = true
    }
    const instance = plainInstance(schema as never, { document, direction: 'response', seed: 1, onTooLarge })
    t.strictSame([instance, isTooLarge], [undefined, true])
  })

const made: Readonly<Record<string, readonly [schema: object, isWhole: (value: never) => boolean]>> = {
  'thousands of items': [list(20_000, number), (value: unknown[]) => value.length >= 20_000],
  'a text of half a million characters': [
    text({ minLength: 500_000 }),
    (value: string) => value.length >= 500_000
  ],
  'a pattern of thousands of characters': [
    text({ pattern: '^[a-z]{9000}$' }),
    (value: string) => value.length === 9000
  ],
  '200,000 listed values': [
    { enum: Array.from({ length: 200_000 }, (_, index) => index) },
    (value: number) => value >= 0
  ],
  'a bound beyond all doubles': [{ type: 'number', maximum: Infinity }, (value: number) => value > 0]
}

for (const [what, [schema, isWhole]] of Object.entries(made))
  t.test(`${what}: an instance`, async (t) => {
    const options = { document: { openapi: '3.1.0' }, direction: 'response', seed: 1 } as const
    t.ok(isWhole(plainInstance(schema as never, options) as never))
  })

const levels = 28

/** Counts the schemas that are read for an instance of a chain in which each level names the next one several times. */
function readsOf(t: Test, level: (next: object) => object, last: object) {
  const next = (index: number) => ({ $ref: `#/components/schemas/L${index}` })
  const entries = Array.from({ length: levels }, (_, index) => [`L${index + 1}`, level(next(index))])
  const document = { components: { schemas: { L0: last, ...Object.fromEntries(entries) } } }
  const { parts } = Schemas.prototype
  let count = 0
  t.teardown(() => Object.assign(Schemas.prototype, { parts }))
  Schemas.prototype.parts = function (schemas) {
    count++
    return parts.call(this, schemas)
  }
  const options = { document, direction: 'response', seed: 1 } as const
  return { instance: plainInstance(next(levels), options), count }
}

const chains: Readonly<Record<string, (next: object) => object>> = {
  'if, then and else': (next) => ({ if: next, then: next, else: next }),
  'allOf and anyOf': (next) => ({ allOf: [next, next], anyOf: [next, next] }),
  anyOf: (next) => ({ anyOf: [next, next] }),
  'not, twice': (next) => ({ not: { not: next }, allOf: [next] }),
  'conditions and unions': (next) => ({ if: next, then: next, else: next, anyOf: [next, next] })
}

const lasts: Readonly<Record<string, object>> = {
  texts: { type: 'string' },
  objects: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } }
}

for (const [what, level] of Object.entries(chains))
  for (const [ends, last] of Object.entries(lasts))
    t.test(`${levels} levels of ${what} of ${ends} have an instance`, async (t) => {
      const { instance, count } = readsOf(t, level, last)
      t.equal(typeof instance, last === lasts['texts'] ? 'string' : 'object')
      t.ok(count < 300_000, `${count} reads`)
    })

t.test(
  `${levels} levels of dependent schemas: no instance, after a bounded number of combinations`,
  async (t) => {
    const level = (next: object) => ({ dependentSchemas: { a: next, b: next }, allOf: [next] })
    const { instance, count } = readsOf(t, level, lasts['objects'] as object)
    t.equal(instance, undefined)
    t.ok(count < 300_000, `${count} reads`)
  }
)

for (const pattern of [
  '^(.*a){12}$',
  '^(?:.*a){30}b$',
  '^(?=.*a)(?=.*b)(?=.*c)(?=.*d)(?=.*e)(?=.*f)(?=.*g)(?=.*h).{3}$',
  '^(?:([a-z])\\1)*(?=x)y$',
  '^([^\\s]+\\s){40}$'
])
  t.test(`${pattern}: texts in a bounded time, or none`, async (t) => {
    const options = { document: { openapi: '3.1.0' }, direction: 'request' } as const
    const begin = process.cpuUsage().user
    const schema = { type: 'string', pattern, maxLength: 120 }
    const made = plainInstance(schema, { ...options, seed: 1 })
    const varied = instancesOf(schema, options)
    const some = withinBudget(() => (varied === undefined ? [] : fc.sample(varied, 100))) ?? []
    for (const text of [made ?? [], some].flat()) t.match(text, new RegExp(pattern, 'u'))
    t.ok(process.cpuUsage().user - begin < 20_000_000, 'seconds of the processor')
  })
