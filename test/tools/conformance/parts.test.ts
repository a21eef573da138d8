/** Parts of the check without a server: verdicts, places of values, wrong values, ids and the first connection. */
import { createServer } from 'node:net'
import t from 'tap'
import { schemaIn } from '../../../src/contract/build/build-contract.ts'
import { define, type JsonObject } from '../../../src/contract/model/json.ts'
import type { CompiledCode, Operation, RequestContent } from '../../../src/engine/model/compiled-contract.ts'
import type { ParameterSpec } from '../../../src/engine/model/parameter.ts'
import { NoAnswer, reach } from '../../../src/tools/conformance/http-client.ts'
import { placesOf } from '../../../src/tools/conformance/requests/draft-part.ts'
import { FreshIds } from '../../../src/tools/conformance/requests/fresh-ids.ts'
import { wrongValues } from '../../../src/tools/conformance/requests/wrong-values.ts'
import type {
  Draft,
  Subject,
  SubjectBody,
  SubjectParameter
} from '../../../src/tools/samples/requests/draft.ts'
import { Judge } from '../../../src/tools/samples/requests/verdict.ts'
import { Schemas } from '../../../src/tools/samples/schemas.ts'

const schemas = new Schemas('request')
const document: JsonObject = { openapi: '3.1.0' }
const anything = schemaIn(document, true)
const declared = {} as Subject['declared'] & SubjectParameter['declared'] & SubjectBody['declared']
const content: RequestContent = { mediaType: 'application/json', kind: 'json', validate: 'body', limit: 1000 }
const parameter: ParameterSpec = {
  name: 'id',
  in: 'path',
  key: 'id',
  required: true,
  style: 'simple',
  explode: false,
  shape: { types: [] }
}
const operation = {
  method: 'POST',
  path: '/things/{id}',
  parameters: [parameter],
  requestBody: { required: true, content: [content] },
  security: []
} as unknown as Operation

/** Returns a request to the operation whose body has the schema. */
function draftOf(value: unknown, schema: JsonObject = {}): Draft {
  const body = { content, schema: schemaIn(document, schema), declared }
  const subject: Subject = {
    name: 'POST /things/{id}',
    operation,
    parameters: [{ spec: parameter, schema: anything, declared }],
    bodies: [body],
    declared
  }
  return { subject, values: ['a'], body: { of: body, value } }
}

t.test(
  'a body that is refused as a whole is one problem; an error of generated code is no verdict',
  async (t) => {
    const judging = (body: unknown) =>
      new Judge({ validators: { body }, serializers: {}, forms: {} } as unknown as CompiledCode)
    const refusing = judging(() => true)
    t.strictSame(
      refusing.of(draftOf(JSON.parse('{"__proto__":1}')))?.map(({ place }) => place),
      ['body']
    )
    const bug = new Error('a bug')
    const failing = judging(() => {
      throw bug
    })
    const draft = draftOf({})
    t.throws(() => failing.of(draft), bug)
    t.throws(() => draft.body && failing.acceptsBody(draft.subject, draft.body), bug)
  }
)

t.test(
  'ids that are neither texts nor numbers are made from their schema, where it allows another',
  async (t) => {
    const ids = new FreshIds(1, schemas, () => true)
    const refreshed = (id: unknown, schema: object) => {
      const draft = draftOf({ id }, { properties: { id: { ...schema } } })
      return ids.refreshed({ ...draft, id: 'plain' }).body?.value
    }
    t.strictSame(refreshed(null, { enum: [false] }), { id: false })
    t.strictSame(refreshed(null, { type: 'null', not: {} }), { id: null }, 'nothing can be made')
  }
)

t.test('places: schemas that lead back to themselves end, and so do very large values', async (t) => {
  const node: JsonObject = { type: 'object' }
  define(node, 'anyOf', [node, { properties: { next: node } }])
  t.strictSame(
    placesOf({ next: {} }, schemaIn(document, node), schemas).map(({ path }) => path),
    [[], ['next']]
  )
  const large = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`p${index}`, 0]))
  t.equal(placesOf(large, anything, schemas).length, 400)
})

t.test('rules for values of another type make no wrong value, or one from nothing', async (t) => {
  const made = (value: unknown, schema: JsonObject) =>
    wrongValues({ value, schemas: [schemaIn(document, schema)] }).map((each) => each.value)
  const ofOtherTypes = made(7, {})
  t.strictSame(made(7, { maxItems: 1 }), ofOtherTypes)
  t.strictSame(made([1], { maxItems: 20_000 }), made([1], {}), 'too many items to send')
  t.strictSame(made([1], { maxItems: 1 })[0], [1, 2])
  t.strictSame(made(7, { minLength: 3 })[0], 'aa')
})

t.test('a connection that is not made in time counts as no answer', async (t) => {
  const listener = createServer()
  await new Promise<void>((resolve) => void listener.listen(0, '127.0.0.1', resolve))
  t.teardown(() => listener.close())
  const { port } = Object(listener.address())
  const url = new URL(`http://127.0.0.1:${port}`)
  await reach(url)
  const late = reach(url, 1)
  // The event loop runs timers before it reports the connection.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  await t.rejects(
    late,
    new NoAnswer(`nobody answers at ${url.origin}: the connection takes longer than 0.001 s`)
  )
})
