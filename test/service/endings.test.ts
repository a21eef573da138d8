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
const open = (operationId: string, answer: Json = text) => ({
  get: { operationId, security: [], responses: { 200: answer } }
})
const content = { 'application/json': {}, 'multipart/form-data': { schema: { type: 'object' } } }
const requestBody = { required: true, content }
const make: Json = { operationId: 'make', security: [{ bearer: [] }], requestBody, responses: { 200: text } }
const document: Json = {
  paths: {
    '/list': open('list'),
    '/large': open('large'),
    '/broken': open('broken', items),
    '/slow': open('slow'),
    '/make': { post: make }
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
  const config = readConfig({ REQUEST_TIMEOUT: '1500', BODY_LIMIT: '5000', ...environment })
  const lines: Line[] = []
  const log = createLog('info', { write: (line) => lines.push(JSON.parse(line)) })
  const authenticate = (token: string) =>
    token === 'known' ? { id: 'x', scopes: [], claims: {} } : undefined
  const app = await buildService(definition, { config, store, authenticate, log })
  t.teardown(() => app.server.closeAllConnections())
  t.teardown(() => app.close())
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  lines.length = 0
  return { app, port: Number(new URL(origin).port), lines }
}

type Step = string | ((socket: Socket) => unknown)

type Ending = readonly [what: string, steps: readonly Step[], answersLogsAndBare: string]

const pause = () => sleep(30)
const end = (socket: Socket) => socket.end()
const reset = (socket: Socket) => socket.resetAndDestroy()
const get = 'GET /list HTTP/1.1\r\nHost: a\r\n'
const slow = 'GET /slow HTTP/1.1\r\nHost: a\r\n'
const connecting = 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n'
const making = (headers: string, token = 'known') =>
  `POST /make HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nAuthorization: Bearer ${token}\r\n${headers}`
const chunked = 'Transfer-Encoding: chunked\r\n'
const tooMany = `${'400\r\n'}${'x'.repeat(1024)}\r\n`.repeat(6)
const form = making('').replace('application/json', 'multipart/form-data; boundary=b')

/** The statuses of the answers, those in the log lines of the requests, and those of bytes that are no request. */
const endings: readonly Ending[] = [
  ['a body', [making('Connection: close\r\nContent-Length: 2\r\n'), '{}'], '200 | 200 |'],
  ['a client that ends before its answer', [making('Content-Length: 2\r\n'), '{}', end], '| 499 |'],
  ['a slow body', [making('Content-Length: 9\r\n'), '{'], '408 | 408 |'],
  ['a slow body in chunks', [making(chunked), '1\r\n{\r\n'], '408 | 408 |'],
  ['a slow form', [`${form}Content-Length: 9\r\n`, '--b'], '408 | 408 |'],
  ['a slow body that is not awaited', [making('Content-Length: 9\r\n', 'wrong'), '{'], '401 | 401 |'],
  ['slow headers', [(socket) => socket.write(get)], '408 | | 408'],
  ['slow headers behind a request', [get, '', (socket) => socket.write(get)], '200 408 | 200 | 408'],
  ['a large body', [making('Content-Length: 9000\r\n'), '{', pause, end], '413 | 413 |'],
  ['a large body in chunks', [making(chunked), tooMany], '413 | 413 |'],
  ['and its end', [making(chunked), tooMany, () => sleep(200), end], '413 | 413 |'],
  ['and a malformed chunk', [making(chunked), tooMany, () => sleep(200), 'zz\r\n'], '413 | 413 |'],
  ['and a reset', [making(chunked), tooMany, () => sleep(200), reset], '413 | 413 |'],
  ['a client that ends within its body', [making('Content-Length: 9\r\n'), '{', end], '400 | 400 |'],
  ['and later', [making('Content-Length: 9\r\n'), '{', () => sleep(200), end], '400 | 400 |'],
  ['within chunks', [making(chunked), '1\r\n{\r\n', pause, end], '400 | 400 |'],
  ['within a form', [`${form}Content-Length: 9\r\n`, '--b', pause, end], '400 | 400 |'],
  ['within its headers', [(socket) => socket.end(get)], '400 | | 400'],
  ['a reset within a body', [making('Content-Length: 9\r\n'), '{', pause, reset], '| 499 |'],
  ['a reset while the handler runs', [slow, '', pause, reset], '| 499 |'],
  ['a malformed chunk', [making(chunked), 'zz\r\n'], '400 | 400 |'],
  ['a malformed chunk later', [making(chunked), '1\r\n{\r\n', () => sleep(200), 'zz\r\n'], '400 | 400 |'],
  ['a malformed chunk without a token', [making(chunked, 'wrong'), 'zz\r\n'], '401 | 401 |'],
  ['garbage', [(socket) => socket.write('garbage\r\n\r\n')], '400 | | 400'],
  ['garbage behind a request', [slow, '', 'garbage\r\n\r\n'], '200 400 | 200 | 400'],
  [
    'garbage behind Upgrade',
    [`${slow}Connection: Upgrade\r\nUpgrade: x\r\n`, '', 'garbage\r\n\r\n'],
    '200 | 200 |'
  ],
  ['bytes behind Connection: close', [`${slow}Connection: close\r\n`, '', get, ''], '200 | 200 |'],
  ['CONNECT', [connecting, ''], '405 | | 405'],
  [
    'CONNECT, and what a tunnel would carry',
    [connecting, '\u0016\u0003\u0001', pause, '\u0002\u0000'],
    '405 | | 405'
  ],
  ['CONNECT behind a request', [slow, '', connecting, ''], '| 405 |'],
  ['CONNECT, and the end', [slow, '', connecting, '', end], '| 405 |'],
  ['CONNECT, and a reset', [slow, '', connecting, '', pause, reset], '| 405 |'],
  ['large headers', [`${get}X: ${'x'.repeat(20_000)}\r\n`, ''], '431 | | 431'],
  ['an unknown Expect', [making('Expect: x\r\nContent-Length: 9\r\n'), '{', pause, end], '417 | | 417'],
  [
    'Expect: 100-continue',
    [making('Expect: 100-continue\r\nContent-Length: 9\r\n'), () => sleep(200), '{'],
    '100 408 | 408 |'
  ],
  [
    'pipelined requests',
    [get, '', get, '', `${slow}Connection: close\r\n`, ''],
    '200 200 200 | 200 200 200 |'
  ],
  [
    'a URL that cannot be decoded before a request',
    ['GET /%zz HTTP/1.1\r\nHost: a\r\n', '', get, '', end],
    '400 200 | 200 | 400'
  ],
  ['and a slow body', [get, '', making('Content-Length: 9\r\n'), '{'], '200 408 | 200 408 |'],
  ['and a broken one', [slow, '', making(chunked), 'zz\r\n'], '200 400 | 200 400 |']
]

/** Writes a string that ends the headers of a request with the id, and other steps as they are. */
async function take(socket: Socket, [what, steps]: Ending): Promise<void> {
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
        wait: ending[1].includes(reset) ? 0 : 4 * requestTimeout,
        talk: (socket) => take(socket, ending)
      })
    )
  )
  await until(() => app.connections.left().connections === 0)
  return { app, lines, found: found.map(({ responses }) => responses.map(({ status }) => status)) }
}

/** A machine that has stalled sheds requests, and takes a client for late that is not. */
const isStalled = ({ found }: { readonly found: readonly (readonly number[])[] }) =>
  endings.some(([, , want], index) =>
    found[index]?.some((status) => [408, 503].includes(status) && !statusesIn(want)[0]?.includes(status))
  )

const statusesIn = (want: string) => want.split('|').map((part) => (part.match(/\d+/g) ?? []).map(Number))

test('each request gets one answer and one line in the log, however it ends', async (t) => {
  const { app, lines, found } = await unstalled(1500, (timeout) => endAll(t, timeout), isStalled)
  for (const [index, [what, , want]] of endings.entries()) {
    const [answers, logged] = statusesIn(want)
    t.strictSame(found[index], answers, what)
    const own = lines.filter(({ requestId }) => requestId === idOf(what))
    t.strictSame(
      own.map(({ status }) => status),
      logged,
      `${what}: log`
    )
    for (const { status, error } of own) if (status >= 400 && status !== 499) t.equal(error, status, what)
  }
  const bare = endings.flatMap(([, , want]) => statusesIn(want)[2] ?? [])
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

test('a drain answers requests that stay incomplete with 503, and ends', async (t) => {
  const { app, port, lines } = await service(t, { REQUEST_TIMEOUT: '600000' })
  const texts: readonly (readonly [text: string, answers: readonly number[], logged: readonly number[]])[] = [
    [`${making('Content-Length: 9\r\n')}\r\n{`, [503], [503]],
    [`${making(chunked)}\r\n1\r\n{\r\n`, [503], [503]],
    [`${form}Content-Length: 9\r\n\r\n--b`, [503], [503]],
    [`${get}\r\n${making('Content-Length: 9\r\n')}\r\n{`, [200, 503], [200, 503]],
    [`${making('Content-Length: 9\r\n', 'wrong')}\r\n{`, [401], [401]],
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
