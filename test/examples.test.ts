/** The service answers exactly the examples of answers in the contract. */
import t from 'tap'
import contract from '../generated/contract.ts'
import { buildApp } from '../src/app.ts'
import { openApiJson } from '../src/engine/server.ts'
import { openStore } from '../src/open-store.ts'
import { readConfig } from '../src/service/config/config.ts'
import { type Store, StoreOverloaded, StoreUnavailable } from '../src/store/store.ts'
import { head, token } from './e2e/requests/row.ts'
import { exchange } from './engine/server/transport/raw-client.ts'

interface Media {
  readonly example?: unknown
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

interface Document {
  readonly components: { readonly responses: Readonly<Record<string, Body>> }
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>
}

interface Body {
  readonly $ref?: string
  readonly content?: Readonly<Record<string, Media>>
}

interface DocumentOperation {
  readonly requestBody: Body
  readonly responses: Readonly<Record<string, Body>>
}

const document = JSON.parse(openApiJson(await contract.yaml())) as Document
const operation = document.paths['/plants']?.['post']
if (operation === undefined) throw new Error('the contract has no POST /plants')

function examplesOf({ $ref, content }: Body): [name: string, value: unknown][] {
  if ($ref !== undefined) return examplesOf(document.components.responses[$ref.split('/').at(-1) ?? ''] ?? {})
  return Object.values(content ?? {}).flatMap(({ example, examples = {} }) => [
    ...(example === undefined ? [] : [['', example] as [string, unknown]]),
    ...Object.entries(examples).map(([name, { value }]): [string, unknown] => [name, value])
  ])
}

const store = await openStore(`sqlite:${t.testdir({})}/plants.db`)
t.teardown(() => store.close())
const create = store.create.bind(store)
/** Error that the store throws at the next create. */
let failure: Error | undefined
Object.assign(store, {
  create: async (...args: Parameters<Store['create']>) => {
    const thrown = failure
    failure = undefined
    if (thrown) throw thrown
    return create(...args)
  }
})

async function listen(environment: Record<string, string> = {}): Promise<number> {
  const config = readConfig(environment)
  const authenticate = (given: string) =>
    given === token ? { id: 'tests', scopes: [], claims: {} } : undefined
  const app = await buildApp({ config, store, authenticate })
  t.teardown(() => app.close())
  return Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
}

const port = await listen()
const limited = await listen({ RATE_LIMIT: '100/1m' })
const impatient = await listen({ REQUEST_TIMEOUT: '100' })

interface Request {
  readonly body?: string
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly line?: string
  readonly to?: number
  /** Number of times to send the request; the last answer counts. */
  readonly times?: number
  readonly failure?: Error
}

const plant = '{"id":1,"name":"Monstera deliciosa","tag":"climber"}'

async function answerTo(request: Request): Promise<readonly [status: number, body: unknown]> {
  const { body = plant, line = 'POST /plants', to = port, times = 1 } = request
  failure = request.failure
  const headers = { 'Content-Length': String(body.length), ...request.headers }
  const text = head(line, headers) + body
  let answer: Awaited<ReturnType<typeof exchange>>['responses'][number] | undefined
  for (let sent = 0; sent < times; sent += 50) {
    const enough = Math.min(50, times - sent)
    const { responses } = await exchange(to, text.repeat(enough), { wait: 5_000, enough })
    answer = responses.at(-1)
  }
  return [answer?.status ?? 0, JSON.parse(Buffer.from(answer?.body ?? 'null', 'latin1').toString())]
}

/** Requests by status and name of the example. */
const requests: Readonly<Record<string, Request>> = {
  '200': {},
  '400 malformed': { body: '{"id":' },
  '400 mismatch': { body: '{"id":"1"}' },
  '400 taken': { body: '{"id":1,"name":"Aloe vera"}' },
  '401 absent': { headers: { Authorization: undefined } },
  '401 scheme': { headers: { Authorization: token } },
  '401 refused': { headers: { Authorization: 'Bearer unknown' } },
  '404': { line: 'POST /plant' },
  '405': { line: 'GET /plants' },
  '408': { to: impatient, headers: { 'Content-Length': '1000' } },
  '413': { headers: { 'Content-Length': '1048577' } },
  '415': { headers: { 'Content-Type': 'text/plain' } },
  '417': { headers: { Expect: 'a miracle' } },
  '429': { to: limited, times: 101 },
  '431': { headers: { 'X-Large': 'x'.repeat(20_000) } },
  '500': { body: '{"id":3,"name":"x"}', failure: new Error('a defect') },
  '503 overloaded': { body: '{"id":3,"name":"x"}', failure: new StoreOverloaded() },
  '503 unavailable': { body: '{"id":3,"name":"x"}', failure: new StoreUnavailable() }
}

const examples = Object.entries(operation.responses).flatMap(([status, response]) =>
  examplesOf(response).map(([name, value]) => [`${status} ${name}`.trim(), value] as const)
)

t.test('every status has an example, and a request below leads to each', async (t) => {
  t.strictSame(examples.map(([name]) => name).sort(), Object.keys(requests).sort())
  const statuses = new Set(examples.map(([name]) => name.slice(0, 3)))
  t.strictSame([...statuses].sort(), Object.keys(operation.responses).sort())
})

for (const [name, value] of examples) {
  t.test(`the example of ${name} is what the service answers`, async (t) => {
    t.strictSame(await answerTo(requests[name] ?? {}), [Number(name.slice(0, 3)), value])
  })
}

t.test('every example of a request is accepted', async (t) => {
  for (const [name, value] of examplesOf(operation.requestBody)) {
    const [status] = await answerTo({ body: JSON.stringify(value) })
    t.equal(status, 200, name)
  }
})

t.test('a media type in a message is printable and bounded', async (t) => {
  const [, body] = await answerTo({ headers: { 'Content-Type': `text/${'x'.repeat(5_000)}` } })
  t.match(body, {
    error: 4150,
    message: /^media type text\/x{75}… is not supported; send application\/json$/
  })
  for (const sent of ['no slash', 'text/pl\u00e9in', 'text/"<script>"']) {
    const [, other] = await answerTo({ headers: { 'Content-Type': sent } })
    t.match(other, {
      error: 4150,
      message: 'the media type of the body is not well-formed; send application/json'
    })
  }
})
