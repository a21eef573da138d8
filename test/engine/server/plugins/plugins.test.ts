/** Contract beside plugins of Fastify: in a server of the engine and in somebody's Fastify, each answer in its shape. */
import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import underPressure from '@fastify/under-pressure'
import websocket from '@fastify/websocket'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { request, type Service } from '../../serve.ts'
import { exchange } from '../transport/raw-client.ts'
import { type Host, hosts, token } from './hosts.ts'

t.setTimeout(900_000)

/** Line, in which `~` is the prefix of the contract, status, and what the answer matches. */
type Row = readonly [line: string, status: number, answer: object, headers?: object, body?: string]
interface Beside extends Service {
  /** Requests in their order. */
  readonly answers: (host: Host) => readonly Row[]
}

const origin = 'https://page.example'
const fromPage = { Origin: origin }
const allowed = { 'access-control-allow-origin': origin }
const allowedMethods = { ...allowed, 'access-control-allow-methods': 'GET, POST' }
const withOwn = (app: FastifyInstance) => void app.get('/own', async () => ({ own: true }))

const part = (name: string, value: string, filename = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${filename}\r\n\r\n${value}\r\n`
const form = `${part('size', '3')}${part('file', 'abc', '; filename="a.txt"')}--b--\r\n`
const asForm = { 'Content-Type': 'multipart/form-data; boundary=b' }
const takeThing = ({ body: { size, file } }: { body: { size: number; file: Buffer } }) => ({
  status: 200,
  body: { size, file: String(file) }
})

/** The limit refuses credentials only where it is a hook of the application. */
const limitingCredentials = (isGlobal: boolean): Beside => ({
  plugins: async (app) => {
    await app.register(rateLimit, { max: 2, global: isGlobal })
    if (!isGlobal) app.addHook('onRequest', app.rateLimit())
  },
  answers: () => [401, 401, isGlobal ? 401 : 429].map((status) => ['GET ~/things', status, {}])
})

const handshake = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ=='
}
const sockets = async (app: FastifyInstance) => {
  await app.register(websocket)
  app.get('/echo', { websocket: true }, (socket, { query }) => {
    socket.on('message', (message: Buffer) => socket.send(`${JSON.stringify(query)} ${message}`))
  })
  withOwn(app)
}

const plugins: Readonly<Record<string, Beside>> = {
  'cors gives every answer its headers, errors included': {
    plugins: async (app) => {
      app.register(cors, { origin: [origin] })
      withOwn(app)
    },
    answers: () => [
      ['GET ~/things', 200, { headers: allowed }, { ...fromPage, ...token }],
      ['GET ~/things', 401, { headers: allowed, value: { code: 'no-credentials' } }, fromPage],
      ['POST ~/things', 400, { headers: allowed, value: { code: 'mismatch' } }, fromPage, '{"size":"x"}'],
      ['DELETE ~/things', 405, { headers: allowed, value: { code: 'method-not-allowed' } }, fromPage],
      ['GET /own', 200, { headers: allowed }, fromPage]
    ]
  },
  'cors answers preflights': {
    plugins: async (app) => void app.register(cors, { origin, methods: ['GET', 'POST'] }),
    answers: () => [
      [
        'OPTIONS ~/things',
        204,
        { headers: allowedMethods },
        { ...fromPage, 'Access-Control-Request-Method': 'POST' }
      ]
    ]
  },
  'multipart parses the forms of other routes only': {
    handlers: { takeThing },
    plugins: async (app) => {
      await app.register(multipart, { attachFieldsToBody: 'keyValues' })
      app.post('/own', async ({ body }) => Object.keys(Object(body)))
    },
    answers: () => [
      ['POST /own', 200, { value: ['size', 'file'] }, asForm, form],
      ['POST ~/things', 200, { value: { size: 3, file: 'abc' } }, asForm, form],
      ['POST ~/things', 400, { value: { code: 'mismatch' } }, asForm, `${part('size', 'x')}--b--\r\n`]
    ]
  },
  'a request beyond the limit gets 429 with Retry-After, in the shape of its route': {
    plugins: async (app) => {
      await app.register(rateLimit, { max: 1, timeWindow: 60_000, keyGenerator: ({ url }) => url })
      withOwn(app)
    },
    answers: ({ isEngine }) => {
      const headers = { 'retry-after': /^\d+$/ }
      const code = { code: 'too-many-requests' }
      return [
        ['GET ~/things', 200, { headers: { 'x-ratelimit-remaining': '0' } }, token],
        ['GET ~/things', 429, { headers, value: code }, token],
        ['GET /own', 200, {}],
        ['GET /own', 429, { headers, value: isEngine ? code : { statusCode: 429 } }]
      ]
    }
  },
  'refused credentials count for a hook of the application': limitingCredentials(false),
  'refused credentials do not count for hooks of routes': limitingCredentials(true),
  'an overloaded service answers 503 with Retry-After, in the shape of the route': {
    plugins: async (app) => {
      const unhealthy = { healthCheck: async () => false, healthCheckInterval: 60_000, retryAfter: 7 }
      await app.register(underPressure, unhealthy)
      withOwn(app)
    },
    answers: ({ isEngine }) => [
      ['GET ~/things', 503, { headers: { 'retry-after': '7' }, value: { code: 'overloaded' } }, token],
      ['GET /own', 503, { value: { code: isEngine ? 'overloaded' : 'FST_UNDER_PRESSURE' } }]
    ]
  },
  'beside websocket the server answers operations as if they had no Upgrade': {
    plugins: sockets,
    answers: ({ isEngine }) => {
      const rows: readonly Row[] = [
        ['GET /things', 200, { value: { things: [] } }, { ...handshake, ...token }],
        ['GET http://a/things/7', 200, { value: { id: '7' } }, handshake],
        ['POST /things', 200, { value: { size: 1 } }, handshake, '{"size":1}'],
        ['GET /own', 200, { value: { own: true } }, { ...handshake, Upgrade: 'h2c' }]
      ]
      return isEngine ? rows : []
    }
  }
}

for (const [what, { answers, ...service }] of Object.entries(plugins))
  t.test(what, async (t) => {
    for (const host of await hosts(t, service))
      for (const [line, status, wanted, sent, body] of answers(host)) {
        const text = request(line.replace('~', host.base), body, { ...sent })
        const { headers, ...answer } = await host.ask(text)
        t.match(
          { ...answer, headers: Object.fromEntries(headers) },
          { status, ...wanted },
          `${host.name}: ${text}`
        )
      }
  })

t.test('hooks set cookies on answers of the contract, beside those of its handlers', async (t) => {
  const plugins = async (app: FastifyInstance) => {
    app.register(cookie)
    app.addHook('onRequest', async ({ cookies }, reply) => void reply.setCookie('seen', cookies.seen ?? 'no'))
    app.get('/own', async ({ cookies }) => cookies)
  }
  const headers = { 'set-cookie': ['a=1', 'b=2'] }
  const handlers = { getThing: () => ({ status: 200, body: {}, headers }) }
  for (const { name, base, app } of await hosts(t, { plugins, handlers })) {
    const seen = 'seen=yes; SameSite=Lax'
    for (const [url, ...cookies] of [
      [`${base}/things/7`, 'a=1', 'b=2', seen],
      [`${base}/things`, seen],
      ['/own', seen]
    ] as const) {
      const answer = await app.inject({ url, headers: { cookie: 'seen=yes' } })
      t.strictSame([answer.headers['set-cookie']].flat().toSorted(), cookies, `${name}: ${url}`)
      if (url === '/own') t.strictSame(answer.json(), { seen: 'yes' }, name)
    }
  }
})

/** Sends a text by a WebSocket, and returns the answer; rejects where the handshake is refused. */
function echoed(url: string, text: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = new WebSocket(url)
  socket.addEventListener('open', () => socket.send(text))
  socket.addEventListener('error', () => reject(new Error('refused')))
  socket.addEventListener('message', ({ data }) => {
    socket.close()
    resolve(String(data))
  })
  return promise
}

t.test('a WebSocket beside the contract is open in both directions, until the server closes', async (t) => {
  const long = 'x'.repeat(70_000)
  for (const { name, app, port, isEngine } of await hosts(t, { plugins: sockets })) {
    const url = `ws://127.0.0.1:${port}`
    t.equal(await echoed(`${url}/echo?a=1`, long), `{"a":"1"} ${long}`, name)
    await t.rejects(echoed(`${url}/nowhere`, 'x'), { message: 'refused' }, name)
    if (isEngine)
      for (const second of [
        request('GET /echo', undefined, handshake),
        request('GET /own', 'abc', { ...handshake, Connection: 'close' })
      ]) {
        const both = Buffer.concat([request('GET /things', undefined, token), second])
        const { responses } = await exchange(port, both.toString('latin1'), { wait: 5000, enough: 2 })
        t.match(responses, [{ status: 200 }, { status: /200|404/ }], 'behind another request')
      }
    const socket = new WebSocket(`${url}/echo`)
    const closed = new Promise<number>((resolve) =>
      socket.addEventListener('close', ({ code }) => resolve(code))
    )
    await new Promise((resolve) => socket.addEventListener('open', resolve))
    await app.close()
    t.equal(await closed, 1005, name)
  }
})
