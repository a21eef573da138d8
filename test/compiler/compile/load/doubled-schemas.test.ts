/** Schemas that hold others exponentially often are found, and the linter does not follow them. */
import { join } from 'node:path'
import t from 'tap'
import type { Json } from '../../../../src/compiler/compile/document/json-value.ts'
import { doubledSchema } from '../../../../src/compiler/compile/load/doubled-schemas.ts'
import { loadContract } from '../../../../src/compiler/compile/load/load.ts'

const reference = (level: number) => ({ $ref: `#/components/schemas/L${level}` })

function chain(levels: number, make: (next: Json) => Json, last: Json): { [name: string]: Json } {
  const schemas = Array.from({ length: levels }, (_, index) => [`L${index + 1}`, make(reference(index))])
  return { L0: last, ...Object.fromEntries(schemas) }
}

const makers: Readonly<Record<string, (next: Json) => Json>> = {
  allOf: (next) => ({ allOf: [next, next] }),
  anyOf: (next) => ({ anyOf: [next, next] }),
  'oneOf and not': (next) => ({ oneOf: [next, { not: next }] }),
  'if, then and else': (next) => Object.fromEntries(['if', 'then', 'else'].map((key) => [key, next]))
}
const last = { type: 'object', properties: { a: { type: 'string' } } }

for (const [what, make] of Object.entries(makers)) {
  t.test(`28 levels of ${what} are found, 8 levels are none`, async (t) => {
    t.match(doubledSchema({ components: { schemas: chain(28, make, last) } }), '#/components/schemas/L')
    t.equal(doubledSchema({ components: { schemas: chain(8, make, last) } }), undefined)
  })

  t.test(`a contract with an example and 28 levels of ${what} is linted without them`, async (t) => {
    const schema = { allOf: [reference(28)], required: ['zz'] }
    const content = { 'application/json': { schema, example: { a: 1 } } }
    const document = {
      openapi: '3.1.0',
      info: { title: 'x', version: '1' },
      paths: { '/a': { get: { operationId: 'a', responses: { 200: { description: 'x', content } } } } },
      components: { schemas: chain(28, make, last) }
    }
    const folder = t.testdir({ 'openapi.json': JSON.stringify(document, null, 1) })
    const { problems } = await loadContract(join(folder, 'openapi.json'))
    const found = problems.filter(({ message }) => message.includes('are not checked'))
    t.match(found, [{ severity: 'warning', message: /^examples and required properties of this file/ }])
    t.ok(Number(found[0]?.line) > 1)
  })
}

t.test(
  'a schema that holds itself is counted once, and one in thousands of levels is too many',
  async (t) => {
    const self = { allOf: [reference(1), { type: 'object' }] }
    t.equal(doubledSchema({ components: { schemas: { L1: self } } }), undefined)
    const deep = chain(3_000, (next) => ({ allOf: [next] }), last)
    t.type(doubledSchema({ components: { schemas: deep } }), 'string')
  }
)
