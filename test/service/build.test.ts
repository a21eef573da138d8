import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import t, { type Test, test } from 'tap'
import { type Failure, FailureError } from '../../src/engine/errors.ts'
import { buildService } from '../../src/service/build.ts'
import { type Environment, readConfig } from '../../src/service/config/config.ts'
import { defineService, type ServiceStore } from '../../src/service/definition.ts'
import { createLog } from '../../src/service/observability/log.ts'
import { createMetrics } from '../../src/service/observability/metrics.ts'
import { compiled, type Json } from '../engine/serve.ts'
import { until } from '../time.ts'

t.setTimeout(900_000)

const text = { description: '', content: { 'application/json': {}, 'text/plain': {} } }
const document: Json = {
  security: [{ bearer: [] }],
  paths: {
    '/things': {
      get: { operationId: 'list', responses: { 200: text } },
      post: {
        operationId: 'make',
        requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
        responses: { 200: text }
      },
      delete: {
        operationId: 'clear',
        parameters: [{ name: 'mode', in: 'query', schema: { type: 'string' } }],
        responses: { 200: text, 404: text, 409: text }
      }
    }
  },
  components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } }
}

interface Context {
  readonly scopes: readonly string[]
  readonly request: FastifyRequest
}

class Conflict extends Error {}

const store: ServiceStore = { depth: 0, ready: async () => true, close: async () => {} }

/** A service of this contract, in which `GET` needs a permission that the token `guest` does not give. */
async function service(t: Test, environment: Environment) {
  /** Depths of the store that `around` has seen. */
  const depths: number[] = []
  const definition = defineService({
    contract: await compiled(t, document),
    handlers: (_store: ServiceStore) => ({
      list: async () => ({ status: 200, body: 'x' }),
      make: async () => ({ status: 200, body: 'x' }),
      clear: async ({ query }: { query: { mode?: string } }) => {
        if (query.mode !== undefined) throw new Conflict(query.mode)
        return { status: 404, body: { code: 'unknown' } }
      }
    }),
    security: (authenticate) => ({
      bearer: async (token: string, context: Context) => {
        const principal = await authenticate(token, context)
        if (token === 'guest' && context.request.method === 'GET')
          throw new FailureError('forbidden', { principal })
        return principal
      }
    }),
    openStore: async () => store,
    errorBody: ({ code }: Failure) => ({ code }),
    errorResponse: (error) =>
      error instanceof Conflict
        ? { status: Number(error.message), body: { code: error.message } }
        : undefined,
    around: async (_request, handle, { store }) => {
      depths.push(Number(store.depth))
      return handle()
    },
    errorLabel: (body) => String(Object(body).code),
    tokenPrefix: 'made_'
  })
  const read = readConfig(environment)
  if ('problems' in read) throw new Error(read.problems.join('\n'))
  const lines: Record<string, unknown>[] = []
  const log = createLog('info', { write: (line) => lines.push(JSON.parse(line)) })
  const authenticate = (token: string) =>
    token === 'eve' ? undefined : { id: `token:${token}`, scopes: [], claims: {} }
  const metrics = createMetrics()
  const app = await buildService(definition, { config: read.config, store, authenticate, log, metrics })
  t.teardown(() => app.server.closeAllConnections())
  t.teardown(() => app.close())
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  lines.length = 0
  /** Sends a request; repeats it when it is shed, as on a stalled machine. */
  const ask = async (asked: RequestInit) => {
    const logged = lines.length
    for (;;) {
      const answer = await fetch(`${origin}/things`, asked)
      if (answer.headers.get('retry-after') !== '1' || answer.status !== 503) return answer
      await answer.body?.cancel()
      await until(() => lines.length > logged)
      lines.length = logged
    }
  }
  return { app, ask, origin, lines, metrics, depths }
}

const json = { 'content-type': 'application/json' }

test('every refusal after authentication is counted by RATE_LIMIT, and logged with its number, reason and principal', async (t) => {
  const { ask, lines } = await service(t, { RATE_LIMIT: '10/1m', BODY_LIMIT: '100' })
  const post = { method: 'POST', headers: json }
  const other = { 'content-type': 'x/y' }
  const asked: readonly (readonly [status: number, error: string | undefined, request: RequestInit])[] = [
    [403, 'forbidden', {}],
    [406, 'not-acceptable', { ...post, headers: { accept: 'image/png' } }],
    [400, 'missing-body', { method: 'POST' }],
    [413, 'body-too-large', { ...post, body: 'x'.repeat(200) }],
    [415, 'unsupported-media-type', { ...post, headers: other, body: 'x' }],
    [400, 'malformed-body', { ...post, body: '{' }],
    [400, 'mismatch', { ...post, body: '[]' }],
    [400, 'mismatch', { method: 'DELETE', headers: json, body: '{}' }],
    [404, 'unknown', { method: 'DELETE' }],
    [200, undefined, { ...post, body: '{}' }],
    [429, 'too-many-requests', {}]
  ]
  for (const [index, [status, error, request]] of asked.entries()) {
    const headers = { authorization: 'Bearer guest', ...request.headers }
    let answer = await ask({ ...request, headers })
    // A stalled machine sheds load, before the rate limit counts the request.
    while (answer.status === 503) answer = await ask({ ...request, headers })
    const counted = () => lines.filter((line) => line['error'] !== 'overloaded')
    t.equal(answer.status, status, `${index}: ${await answer.text()}`)
    t.equal(answer.headers.get('ratelimit-remaining'), String(Math.max(0, 9 - index)), `${index}`)
    await until(() => counted().length > index)
    const line = counted()[index]
    t.match(line, { status, principal: 'token:guest', remoteAddress: '127.0.0.1' })
    t.equal(line?.['error'], error)
    if (error !== undefined && error !== 'unknown') t.type(line?.['reason'], 'string', error)
  }
})

test('errorResponse maps what a handler throws, and around is called with the store', async (t) => {
  const { origin, lines, depths } = await service(t, {})
  const ask = async (mode: string) => {
    const headers = { authorization: 'Bearer admin' }
    const answer = await fetch(`${origin}/things?mode=${mode}`, { method: 'DELETE', headers })
    return [answer.status, await answer.json()]
  }
  t.strictSame(await ask('409'), [409, { code: '409' }])
  t.strictSame(depths, [0])
  t.strictSame(await ask('410'), [500, { code: 'response-mismatch' }])
  t.ok(lines.some(({ msg }) => msg === 'clear answered 410: status 410 is not declared'))
})

test('requests refused before authentication are counted for no token', async (t) => {
  const { ask, origin } = await service(t, { RATE_LIMIT: '1/1m' })
  const headers = { authorization: 'Bearer guest' }
  t.equal((await ask({ headers: { authorization: 'Bearer eve' } })).status, 401)
  t.equal((await fetch(`${origin}/nowhere`, { headers })).status, 404)
  t.equal((await ask({ method: 'PATCH', headers })).status, 405)
  t.equal((await ask({ headers })).status, 403)
  t.equal((await ask({ headers })).status, 429)
})

async function connected(t: Test, origin: string, text: string): Promise<Socket> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1').on('error', () => undefined)
  t.teardown(() => socket.destroy())
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

test('a connection that is closed without an answer is logged and counted', async (t) => {
  const { origin, lines, metrics } = await service(t, {})
  const get = 'GET /things HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer good\r\n\r\n'
  const socket = await connected(t, origin, get.repeat(200))
  await once(socket, 'close')
  const reason = 'more than 100 requests of a connection wait for their answers'
  const closed = {
    failure: 'too-many-requests',
    error: 'too-many-requests',
    reason,
    remoteAddress: '127.0.0.1'
  }
  await until(() => lines.length > 1)
  t.match(
    lines.filter(({ failure }) => failure !== undefined),
    [{ ...closed, status: 429, msg: 'request' }]
  )
  t.match(await metrics.registry.metrics(), /http_refusals_total\{error="too-many-requests"\} 1\n/)
})

test('connections beyond the maximum are logged and counted', async (t) => {
  const { app, origin, lines, metrics } = await service(t, {})
  app.server.maxConnections = 1
  await connected(t, origin, '')
  await once(await connected(t, origin, ''), 'close')
  await until(() => lines.length > 0)
  const reason = 'there are more than 1 connections'
  t.match(lines, [{ failure: 'overloaded', reason, remoteAddress: '127.0.0.1', status: 503 }])
  t.match(await metrics.registry.metrics(), /http_refusals_total\{error="overloaded"\} 1\n/)
})

test('beyond 64 MiB of all bodies a request is refused before its body is read', async (t) => {
  const size = 30 * 1024 * 1024
  const { app, ask, origin, lines } = await service(t, { BODY_LIMIT: String(size), REQUEST_TIMEOUT: '60000' })
  const sockets: Socket[] = []
  app.server.on('connection', (socket) => sockets.push(socket))
  const head = `POST /things HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\nExpect: 100-continue\r\n\r\n`
  /** Returns the log lines of refused requests; a shed request, as on a stalled machine, has no principal. */
  const refused = () => lines.filter(({ principal }) => principal !== undefined)
  const answered = async () => {
    for (;;) {
      const logged = lines.length
      const client = await connected(t, origin, head)
      const answer = String(await once(client, 'data'))
      if (/^HTTP\/1.1 100/.test(answer)) return { client, answer }
      await until(() => lines.length > logged)
      if (refused().length > 0) return { client, answer }
    }
  }
  const clients = [(await answered()).client, (await answered()).client]
  for (const client of clients) client.write(Buffer.alloc(size - 1, ' '))
  await until(() => sockets.filter(({ bytesRead }) => bytesRead >= size).length === 2)
  t.match((await answered()).answer, /^HTTP\/1.1 503 .*connection: close.*"overloaded"/is)
  t.match(refused(), [{ status: 503, error: 'overloaded', principal: 'token:good' }])
  const headers = { authorization: 'Bearer good', 'content-type': 'application/json' }
  t.equal((await ask({ method: 'POST', headers, body: '{}' })).status, 200, 'small bodies are received')
})
