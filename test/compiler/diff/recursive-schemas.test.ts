/** Schemas that refer to themselves, or to each other. */
import t from 'tap'
import { compareContracts } from '../../../src/compiler/diff/operations/compare-contracts.ts'
import { compared } from './pairs/documents.ts'

t.setTimeout(900_000)

function document(required: boolean, maxLength: number) {
  const itself = { $ref: '#/components/schemas/Text' }
  const content = { 'application/json': { schema: itself } }
  const responses = { 200: { description: 'x' } }
  return {
    openapi: '3.1.0',
    paths: { '/a': { post: { requestBody: { required, content }, responses } } },
    components: { schemas: { Text: { anyOf: [itself, { type: 'string', maxLength }, { allOf: [itself] }] } } }
  }
}

t.test('a union that contains itself, which JSON Schema leaves undefined, ends the comparison', async (t) => {
  const locate = () => ({ file: '', line: 1, column: 1 })
  const [old, now] = [document(false, 5), document(true, 6)]
  const { breaking } = compareContracts({ old, now, locate, today: new Date(0) })
  t.match(breaking, [{ rule: 'request-body-became-required' }])
})

const to = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const object = (properties: object, more = {}) => ({ type: 'object', properties, ...more })
const responses = { 200: { description: 'x' } }
const operation = (schema: unknown) => ({
  post: { requestBody: { content: { 'application/json': { schema } } }, responses }
})

/** Returns the changes between two versions of a contract whose operations have these bodies. */
function changes(bodies: readonly unknown[], schemasOf: (maximum: number) => object) {
  const paths = Object.fromEntries(bodies.map((body, index) => [`/${index}`, operation(body)]))
  const version = (maximum: number) => ({
    openapi: '3.1.0',
    paths,
    components: { schemas: schemasOf(maximum) }
  })
  const { breaking, undecided } = compared(version(9), version(5))
  return [...breaking, ...undecided].map(({ operation, message }) => `${operation} ${message}`)
}

t.test('a result that relied on a schema that has changed is found again', async (t) => {
  const schemas = (maximum: number) => ({
    Node: object({ leaf: to('Leaf'), size: { maximum } }),
    Leaf: object({ node: to('Node') })
  })
  t.strictSame(changes([to('Node'), to('Leaf'), object({ leaf: to('Leaf') })], schemas), [
    'POST /0 body/size: maximum now 5 (was 9)',
    'POST /1 body/node/size: maximum now 5 (was 9)',
    'POST /2 body/leaf/node/size: maximum now 5 (was 9)'
  ])
})

t.test('a result that relied on a comparison with too many steps is found again', async (t) => {
  const level = (next: unknown) => ({ if: next, then: next, else: next, anyOf: [next, next] })
  const levels = Array.from({ length: 28 }, (_none, index) => [`L${index + 1}`, level(to(`L${index}`))])
  const schemas = (maximum: number) => ({
    Hard: object({ part: to('Part') }, { dependentSchemas: { a: to('L28') } }),
    Part: object({ hard: to('Hard') }),
    L0: { maximum },
    ...Object.fromEntries(levels)
  })
  // `not` compares in the opposite direction, where the place around it ends no comparison.
  const body = object({ hard: { not: to('Hard') }, part: { not: to('Part') } })
  t.strictSame(changes([body], schemas), [
    'POST /0 body/hard: takes too many steps to compare',
    'POST /0 body/part: not changed',
    'POST /0 body/part: takes too many steps to compare'
  ])
})
