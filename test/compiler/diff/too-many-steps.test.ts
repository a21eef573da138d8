/** Schemas whose comparison takes too many steps are reported as undecided, and hide no change beside them. */
import t from 'tap'
import { Budget } from '../../../src/compiler/diff/cases/budget.ts'
import { changeSentences } from '../../../src/compiler/diff.ts'
import { cpuGrowth } from '../../cpu-time.ts'
import { compared, withSchema } from './pairs/documents.ts'

t.setTimeout(900_000)

const levels = 28
const to = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const content = (schema: unknown) => ({ content: { 'application/json': { schema } } })

interface Shape {
  readonly name: string
  readonly level: (next: unknown) => unknown
  readonly last: (more: object) => unknown
}

/** A chain of schemas, each of which names the next one several times, beside a text that is as long. */
function document({ level, last }: Shape, more: object) {
  const chain = Array.from({ length: levels }, (_none, index) => [`L${index + 1}`, level(to(`L${index}`))])
  const text = { type: 'string', ...more }
  const hard = to(`L${levels}`)
  const both = { type: 'object', properties: { hard, text } }
  const responses = { 200: { description: 'x' } }
  return {
    openapi: '3.1.0',
    paths: {
      '/a': { post: { requestBody: content(both), responses } },
      '/b': { post: { requestBody: content(hard), responses } },
      '/c': { post: { requestBody: content(text), responses } }
    },
    components: { schemas: { L0: last(more), ...Object.fromEntries(chain) } }
  }
}

const shapes: readonly Shape[] = [
  {
    name: 'if, then, else, anyOf',
    level: (next) => ({ if: next, then: next, else: next, anyOf: [next, next] }),
    last: (more) => ({ type: 'string', ...more })
  },
  {
    name: 'oneOf of a schema and its opposite',
    level: (next) => ({ oneOf: [next, { not: next }] }),
    last: (more) => ({ type: 'object', properties: { a: { type: 'string', ...more } } })
  }
]

/** Counts the steps of a comparison. */
function counted<T>(run: () => T): { readonly found: T; readonly steps: number } {
  const { spend } = Budget.prototype
  let steps = 0
  Budget.prototype.spend = function (more) {
    steps += more
    spend.call(this, more)
  }
  try {
    return { found: run(), steps }
  } finally {
    Object.assign(Budget.prototype, { spend })
  }
}

for (const shape of shapes)
  t.test(`${levels} levels of ${shape.name}`, async (t) => {
    const [old, now] = [document(shape, {}), document(shape, { maxLength: 5 })] as never[]
    const { found, steps } = counted(() => changeSentences({ old, now } as never, new Date(0)))
    t.strictSame(found.get('breaking'), [
      'POST /a body/text: maxLength now 5 (was none)',
      'POST /c body: maxLength now 5 (was none)'
    ])
    t.strictSame(found.get('undecided'), [
      'POST /a body/hard: takes too many steps to compare',
      'POST /b body: takes too many steps to compare'
    ])
    t.ok(steps < 7_000_000, `${steps} steps`)
  })

t.test('a parameter with too many alternatives may have any type', async (t) => {
  const union = (most: number) => ({
    anyOf: Array.from({ length: 200 }, (_none, index) => ({
      type: 'string',
      minLength: index,
      maxLength: most
    }))
  })
  const operation = (most: number, explode: boolean) => {
    const schema = { allOf: Array.from({ length: 100 }, () => union(most)) }
    const parameters = [{ name: 'q', in: 'query', explode, schema }]
    return { openapi: '3.1.0', paths: { '/a': { get: { parameters, responses: {} } } } }
  }
  const { breaking, undecided } = compared(operation(900, true), operation(800, false))
  t.match(breaking, [{ rule: 'parameter-explode-changed' }])
  t.match(undecided, [{ rule: 'request-comparison-undecided', place: 'query/q' }])
})

t.test('twice the values of an enum take twice the time', async (t) => {
  const pair = (count: number): Parameters<typeof compared> => {
    const values = Array.from({ length: count }, (_none, index) => `v${index}`)
    return [withSchema('request', { enum: values }), withSchema('request', { enum: values.slice(1) })]
  }
  const [small, large] = [pair(5_000), pair(10_000)]
  t.match(compared(...large), {
    breaking: [{ rule: 'request-enum-value-removed', message: 'body: enum: - v0' }]
  })
  const growth = cpuGrowth(
    2,
    () => compared(...small),
    () => compared(...large)
  )
  t.ok(growth < 1.7, String(growth))
})
