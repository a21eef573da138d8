/** Each way in which a request can end: its answers on a real socket, and its lines in the log. */
import { connect, type Socket } from 'node:net'
import { type Test, test } from 'tap'
import type { Failure } from '../../src/engine/errors.ts'
import { buildService } from '../../src/service/build.ts'
import { type Environment, readConfig } from '../../src/service/config/config.ts'
import type { SecurityContext } from '../../src/service/credentials/scopes.ts'
import { defineService, type ServiceStore } from '../../src/service/definition.ts'
import { createLog } from '../../src/service/observability/log.ts'
import { compiled, type Json } from '../engine/serve.ts'
import { exchange } from '../engine/server/transport/raw-client.ts'
import { sleep, unstalled, until } from '../time.ts'

const text = { description: '', content: { 'text/plain': {} } }
const items = { description: '', content: { 'application/jsonl': { schema: { type: 'integer' } } } }
const document: Json = {
  paths: {
    '/list': { get: { operationId: 'list', security: [], responses: { 200: text } } },
    '/large': { get: { operationId: 'large', security: [], responses: { 200: text } } },
    '/broken': { get: { operationId: 'broken', security: [], responses: { 200: items } } },
    '/slow': { get: { operationId: 'slow', security: [], responses: { 200: text } } },
    '/make': {
      post: {
        operationId: 'make',
        security: [{ bearer: [] }],
        requestBody: {
          required: true,
          content: { 'application/json': {}, 'multipart/form-data': { schema: { type: 'object' } } }
        },
        responses: { 200: text }
      }
    }
  },
  components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } }
}
const store: ServiceStore = { depth: 0, ready: async () => true, close: async () => {} }

interface Line {
  readonly status: number
  readonly level: number
  readonly failure?: string
  readonly operationId?: string
  readonly error: number
  readonly requestId?: string
}

/** More bytes than the buffers of the operating system hold; three are more than the service keeps for its clients. */
const large = 'x'.repeat(16_000_000)

async function service(t: Test, environment: Environment = {}) {
  const definition = defineService({
    contract: await compiled(t, document),
    handlers: (_store: ServiceStore) => ({
      list: async () => ({ status: 200, body: 'x' }),
      large: async () => ({ status: 200, body: large }),
      broken: async () => ({ status: 200, body: [1, 2, 'x'] as never }),
      slow: async () => {
        await sleep(100)
        return { status: 200, body: 'x' }
      },
      make: async () => ({ status: 200, body: 'x' })
    }),
    security: (authenticate) => ({
      bearer: async (token: string, context: SecurityContext) => {
        // The body arrives meanwhile.
        await sleep(100)
        return authenticate(token, context)
      }
    }),
    openStore: async () => store,
    errorBody: ({ status }: Failure) => ({ error: status }),
    errorLabel: (body) => Object(body).error,
    tokenPrefix: 'made_'
  })
  const read = readConfig({ REQUEST_TIMEOUT: '1500', BODY_LIMIT: '5000', ...environment })
  if ('problems' in read) throw new Error(read.problems.join('\n'))
  const lines: Line[] = []
  const log = createLog('info', { write: (line) => lines.push(JSON.parse(line)) })
  const authenticate = (token: string) =>
    token === 'known' ? { id: 'x', scopes: [], claims: {} } : undefined
  const app = await buildService(definition, { config: read.config, store, authenticate, log })
  t.teardown(() => app.server.closeAllConnections())
  t.teardown(() => app.close())
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  lines.length = 0
  return { app, port: Number(new URL(origin).port), lines }
}

type Step = string | ((socket: Socket) => unknown)

interface Ending {
  readonly what: string
  readonly steps: readonly Step[]
  /** Statuses of the answers. */
  readonly answers: readonly number[]
  /** Statuses in the log lines of the requests. */
  readonly logged: readonly number[]
  /** Statuses in log lines of bytes that are no request. */
  readonly bare?: readonly number[]
}

const pause = () => sleep(30)
const end = (socket: Socket) => socket.end()
const reset = (socket: Socket) => socket.resetAndDestroy()
const get = 'GET /list HTTP/1.1\r\nHost: a\r\n'
const slow = 'GET /slow HTTP/1.1\r\nHost: a\r\n'
const connecting = 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n'
const make = (headers: string, token = 'known') =>
  `POST /make HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nAuthorization: Bearer ${token}\r\n${headers}`
const chunked = 'Transfer-Encoding: chunked\r\n'
const tooMany = `${'400\r\n'}${'x'.repeat(1024)}\r\n`.repeat(6)
const form = make('').replace('application/json', 'multipart/form-data; boundary=b')

const endings: readonly Ending[] = [
  {
    what: 'a body',
    steps: [make('Connection: close\r\nContent-Length: 2\r\n'), '{}'],
    answers: [200],
    logged: [200]
  },
  {
    what: 'a client that ends before its answer',
    steps: [make('Content-Length: 2\r\n'), '{}', end],
    answers: [],
    logged: [499]
  },
  { what: 'a slow body', steps: [make('Content-Length: 9\r\n'), '{'], answers: [408], logged: [408] },
  { what: 'a slow body in chunks', steps: [make(chunked), '1\r\n{\r\n'], answers: [408], logged: [408] },
  { what: 'a slow form', steps: [`${form}Content-Length: 9\r\n`, '--b'], answers: [408], logged: [408] },
  {
    what: 'a slow body that is not awaited',
    steps: [make('Content-Length: 9\r\n', 'wrong'), '{'],
    answers: [401],
    logged: [401]
  },
  { what: 'slow headers', steps: [(socket) => socket.write(get)], answers: [408], logged: [], bare: [408] },
  {
    what: 'slow headers behind a request',
    steps: [get, '', (socket) => socket.write(get)],
    answers: [200, 408],
    logged: [200],
    bare: [408]
  },
  {
    what: 'a large body',
    steps: [make('Content-Length: 9000\r\n'), '{', pause, end],
    answers: [413],
    logged: [413]
  },
  { what: 'a large body in chunks', steps: [make(chunked), tooMany], answers: [413], logged: [413] },
  {
    what: 'and its end',
    steps: [make(chunked), tooMany, () => sleep(200), end],
    answers: [413],
    logged: [413]
  },
  {
    what: 'and a malformed chunk',
    steps: [make(chunked), tooMany, () => sleep(200), 'zz\r\n'],
    answers: [413],
    logged: [413]
  },
  {
    what: 'and a reset',
    steps: [make(chunked), tooMany, () => sleep(200), reset],
    answers: [413],
    logged: [413]
  },
  {
    what: 'a client that ends within its body',
    steps: [make('Content-Length: 9\r\n'), '{', end],
    answers: [400],
    logged: [400]
  },
  {
    what: 'and later',
    steps: [make('Content-Length: 9\r\n'), '{', () => sleep(200), end],
    answers: [400],
    logged: [400]
  },
  { what: 'within chunks', steps: [make(chunked), '1\r\n{\r\n', pause, end], answers: [400], logged: [400] },
  {
    what: 'within a form',
    steps: [`${form}Content-Length: 9\r\n`, '--b', pause, end],
    answers: [400],
    logged: [400]
  },
  {
    what: 'within its headers',
    steps: [(socket) => socket.end(get)],
    answers: [400],
    logged: [],
    bare: [400]
  },
  {
    what: 'a reset within a body',
    steps: [make('Content-Length: 9\r\n'), '{', pause, reset],
    answers: [],
    logged: [499]
  },
  { what: 'a reset while the handler runs', steps: [slow, '', pause, reset], answers: [], logged: [499] },
  { what: 'a malformed chunk', steps: [make(chunked), 'zz\r\n'], answers: [400], logged: [400] },
  {
    what: 'a malformed chunk later',
    steps: [make(chunked), '1\r\n{\r\n', () => sleep(200), 'zz\r\n'],
    answers: [400],
    logged: [400]
  },
  {
    what: 'a malformed chunk without a token',
    steps: [make(chunked, 'wrong'), 'zz\r\n'],
    answers: [401],
    logged: [401]
  },
  {
    what: 'garbage',
    steps: [(socket) => socket.write('garbage\r\n\r\n')],
    answers: [400],
    logged: [],
    bare: [400]
  },
  {
    what: 'garbage behind a request',
    steps: [slow, '', 'garbage\r\n\r\n'],
    answers: [200, 400],
    logged: [200],
    bare: [400]
  },
  {
    what: 'garbage behind Upgrade',
    steps: [`${slow}Connection: Upgrade\r\nUpgrade: x\r\n`, '', 'garbage\r\n\r\n'],
    answers: [200],
    logged: [200]
  },
  {
    what: 'bytes behind Connection: close',
    steps: [`${slow}Connection: close\r\n`, '', get, ''],
    answers: [200],
    logged: [200]
  },
  { what: 'CONNECT', steps: [connecting, ''], answers: [405], logged: [], bare: [405] },
  {
    what: 'CONNECT, and what a tunnel would carry',
    steps: [connecting, '\u0016\u0003\u0001', pause, '\u0002\u0000'],
    answers: [405],
    logged: [],
    bare: [405]
  },
  {
    what: 'CONNECT behind a request',
    steps: [slow, '', connecting, ''],
    answers: [],
    logged: [405]
  },
  {
    what: 'CONNECT, and the end',
    steps: [slow, '', connecting, '', end],
    answers: [],
    logged: [405]
  },
  {
    what: 'CONNECT, and a reset',
    steps: [slow, '', connecting, '', pause, reset],
    answers: [],
    logged: [405]
  },
  {
    what: 'large headers',
    steps: [`${get}X: ${'x'.repeat(20_000)}\r\n`, ''],
    answers: [431],
    logged: [],
    bare: [431]
  },
  {
    what: 'an unknown Expect',
    steps: [make('Expect: x\r\nContent-Length: 9\r\n'), '{', pause, end],
    answers: [417],
    logged: [],
    bare: [417]
  },
  {
    what: 'Expect: 100-continue',
    steps: [make('Expect: 100-continue\r\nContent-Length: 9\r\n'), () => sleep(200), '{'],
    answers: [100, 408],
    logged: [408]
  },
  {
    what: 'pipelined requests',
    steps: [get, '', get, '', `${slow}Connection: close\r\n`, ''],
    answers: [200, 200, 200],
    logged: [200, 200, 200]
  },
  {
    what: 'a URL that cannot be decoded before a request',
    steps: ['GET /%zz HTTP/1.1\r\nHost: a\r\n', '', get, '', end],
    answers: [400, 200],
    logged: [200],
    bare: [400]
  },
  {
    what: 'and a slow body',
    steps: [get, '', make('Content-Length: 9\r\n'), '{'],
    answers: [200, 408],
    logged: [200, 408]
  },
  {
    what: 'and a broken one',
    steps: [slow, '', make(chunked), 'zz\r\n'],
    answers: [200, 400],
    logged: [200, 400]
  }
]

/** Writes a string that ends the headers of a request with the id, and other steps as they are. */
async function take(socket: Socket, { steps, what }: Ending): Promise<void> {
  socket.setNoDelay()
  let isHead = false
  let bytes = ''
  for (const step of steps) {
    if (typeof step === 'string') {
      bytes += isHead ? `\r\n${step}` : step
      isHead = !isHead && step.endsWith('\r\n') && step.includes('HTTP/1.1') && step.includes('Host')
      if (isHead) bytes += `X-Request-Id: ${idOf(what)}\r\n`
      continue
    }
    if (bytes !== '') socket.write(bytes, 'latin1')
    bytes = ''
    await step(socket)
  }
  if (bytes !== '' && socket.writable) socket.write(bytes, 'latin1')
}

const idOf = (what: string) => what.replace(/\W+/g, '-')

/** Runs all endings at once against a service that waits so long for the rest of a request. */
async function endAll(t: Test, requestTimeout: number) {
  const { app, port, lines } = await service(t, { REQUEST_TIMEOUT: String(requestTimeout) })
  const found = await Promise.all(
    endings.map((ending) =>
      exchange(port, '', {
        wait: ending.steps.includes(reset) ? 0 : 4 * requestTimeout,
        talk: (socket) => take(socket, ending)
      })
    )
  )
  await until(() => app.connections.left().connections === 0)
  return { app, lines, found: found.map(({ responses }) => responses.map(({ status }) => status)) }
}

/** A machine that has stalled sheds requests, and takes a client for late that is not. */
const isStalled = ({ found }: { readonly found: readonly (readonly number[])[] }) =>
  endings.some(({ answers }, index) =>
    found[index]?.some((status) => [408, 503].includes(status) && !answers.includes(status))
  )

test('each request gets one answer and one line in the log, however it ends', async (t) => {
  const { app, lines, found } = await unstalled(1500, (timeout) => endAll(t, timeout), isStalled)
  for (const [index, { what, answers, logged }] of endings.entries()) {
    t.strictSame(found[index], answers, what)
    const own = lines.filter(({ requestId }) => requestId === idOf(what))
    t.strictSame(
      own.map(({ status }) => status),
      logged,
      `${what}: log`
    )
    for (const { status, error } of own) if (status >= 400 && status !== 499) t.equal(error, status, what)
  }
  const bare = endings.flatMap((ending) => ending.bare ?? [])
  const others = lines.filter(({ requestId }) => requestId === undefined).map(({ status }) => status)
  t.strictSame(others.sort(), bare.sort(), 'bytes that are no request')
  t.strictSame(app.connections.left(), { connections: 0, requests: 0 })
})

test('a response that the service does not complete has one line, with the status of its failure', async (t) => {
  const { app, port, lines } = await service(t)
  const requestLines = () => lines.filter(({ operationId }) => operationId !== undefined)
  await exchange(port, `${get.replace('list', 'broken')}\r\n`, { wait: 6000 }).catch(() => undefined)
  await until(() => requestLines().length > 0)
  t.match(requestLines(), [{ operationId: 'broken', status: 500, error: 500, level: 50 }])
  lines.length = 0
  const clients: Socket[] = []
  t.teardown(() => {
    for (const client of clients) client.destroy()
  })
  const refused = () => lines.find(({ failure }) => failure === 'overloaded')
  // Responses of clients that do not read are dropped after a while: on a stalled machine four may not be enough.
  while (refused() === undefined && clients.length < 100) {
    const client = connect(port, '127.0.0.1').on('error', () => undefined)
    clients.push(client.pause())
    client.write(`${get.replace('list', 'large')}X-Request-Id: large\r\n\r\n`)
    await sleep(50)
  }
  await until(() => lines.length + app.connections.left().requests >= clients.length)
  t.match(refused(), { operationId: 'large', status: 503, error: 503, level: 40 })
  for (const client of clients) client.resetAndDestroy()
  await until(() => app.connections.left().connections === 0)
  const statuses = lines.map(({ status }) => status)
  t.equal(statuses.length, clients.length, 'one line for each request')
  t.ok(statuses.includes(499), 'those whose clients left')
})

test('a connection with too many requests has a line for the one too many, and the status of it for the others', async (t) => {
  const { port, lines } = await service(t)
  await exchange(port, `${slow}\r\n`.repeat(101), { wait: 6000 })
  await until(() => lines.length > 1)
  t.match(
    lines.toSorted((a, b) => (a.operationId ?? '').localeCompare(b.operationId ?? '')),
    [
      { status: 429, failure: 'too-many-requests', requestId: undefined },
      { status: 429, failure: 'too-many-requests', operationId: 'slow' }
    ]
  )
})

test('a drain answers requests that stay incomplete with 503, and ends', async (t) => {
  const { app, port, lines } = await service(t, { REQUEST_TIMEOUT: '600000' })
  const texts: readonly (readonly [text: string, answers: readonly number[], logged: readonly number[]])[] = [
    [`${make('Content-Length: 9\r\n')}\r\n{`, [503], [503]],
    [`${make(chunked)}\r\n1\r\n{\r\n`, [503], [503]],
    [`${form}Content-Length: 9\r\n\r\n--b`, [503], [503]],
    [`${get}\r\n${make('Content-Length: 9\r\n')}\r\n{`, [200, 503], [200, 503]],
    [`${make('Content-Length: 9\r\n', 'wrong')}\r\n{`, [401], [401]],
    [get, [503], [503]],
    [`${get}\r\n${get}`, [200, 503], [200, 503]],
    [`${slow}\r\n${connecting}\r\n`, [], [405]],
    [`${get}\r\n`, [200], [200]]
  ]
  const exchanges = texts.map(([text]) => exchange(port, text, { wait: 6000 }))
  await until(() => lines.length === 5)
  await sleep(50)
  await app.connections.drain()
  const found = await Promise.all(exchanges)
  for (const [index, [text, answers]] of texts.entries()) {
    t.strictSame(
      found[index]?.responses.map(({ status }) => status),
      answers,
      text
    )
    t.equal(found[index]?.ending, 'closed', text)
  }
  const refused = found.flatMap(({ responses }) => responses.filter(({ status }) => status === 503))
  t.strictSame(new Set(refused.map(({ headers }) => headers.get('retry-after'))), new Set(['1']))
  t.strictSame(lines.map(({ status }) => status).sort(), texts.flatMap(([, , logged]) => logged).sort())
  await until(() => app.connections.left().connections === 0)
  t.strictSame(app.connections.left(), { connections: 0, requests: 0 })
})
