/** Schemas that hold the next one several times are compared in bounded work. */
import t from 'tap'
import { Side } from '../../../src/compiler/diff/cases/side.ts'
import { compareContracts } from '../../../src/compiler/diff/operations/compare-contracts.ts'

const levels = 28

/** A contract of a request body in a chain of schemas, each of which names the next one. */
function document(keywords: readonly string[], maxLength: number) {
  const next = (index: number) => ({ $ref: `#/components/schemas/L${index}` })
  const lists = new Set(['allOf', 'anyOf'])
  const level = (index: number) =>
    Object.fromEntries(
      keywords.map((key) => [key, lists.has(key) ? [next(index), next(index)] : next(index)])
    )
  const schemas = Array.from({ length: levels }, (_, index) => [`L${index + 1}`, level(index)])
  const content = { 'application/json': { schema: next(levels) } }
  const responses = { 200: { description: 'x' } }
  return {
    openapi: '3.1.0',
    paths: { '/a': { post: { requestBody: { required: true, content }, responses } } },
    components: { schemas: { L0: { type: 'string', maxLength }, ...Object.fromEntries(schemas) } }
  }
}

for (const keywords of [['allOf'], ['anyOf'], ['if', 'then', 'else'], ['allOf', 'anyOf']])
  t.test(`${levels} levels of ${keywords.join(', ')} are compared`, async (t) => {
    const { read } = Side.prototype
    let count = 0
    t.teardown(() => Object.assign(Side.prototype, { read }))
    Side.prototype.read = function (node) {
      count++
      return read.call(this, node)
    }
    const locate = () => ({ file: '', line: 1, column: 1 })
    const [old, now] = [document(keywords, 9), document(keywords, 5)]
    const { breaking } = compareContracts({ old, now, locate, today: new Date(0) })
    t.ok(breaking.length > 0)
    t.ok(count < 3_000_000, `${count} reads`)
  })
