/** Contract beside plugins of Fastify: in a server of the engine and in somebody's Fastify, each answer in its shape. */
import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import { FastifyOtelInstrumentation } from '@fastify/otel'
import rateLimit from '@fastify/rate-limit'
import underPressure from '@fastify/under-pressure'
import websocket from '@fastify/websocket'
import { context, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { operationOf } from '../../../../src/engine/server.ts'
import { request, type Service } from '../../serve.ts'
import { exchange } from '../transport/raw-client.ts'
import { type Host, hosts, token } from './hosts.ts'

t.setTimeout(900_000)

interface Beside extends Service {
  /** Requests in their order, and what their answers match. */
  readonly answers: (host: Host) => readonly (readonly [text: Buffer, answer: object])[]
}

const origin = 'https://page.example'
const fromPage = { Origin: origin }
const own = request('GET /own')
const withOwn = (app: FastifyInstance) => void app.get('/own', async () => ({ own: true }))

const part = (name: string, value: string, filename = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${filename}\r\n\r\n${value}\r\n`
const form = `${part('size', '3')}${part('file', 'abc', '; filename="a.txt"')}--b--\r\n`
const asForm = { 'Content-Type': 'multipart/form-data; boundary=b' }
const takeThing = ({ body: { size, file } }: { body: { size: number; file: Buffer } }) => ({
  status: 200,
  body: { size, file: String(file) }
})
const takingForms: Beside['answers'] = ({ base }) => [
  [request('POST /own', form, asForm), { status: 200, value: ['size', 'file'] }],
  [request(`POST ${base}/things`, form, asForm), { status: 200, value: { size: 3, file: 'abc' } }],
  [
    request(`POST ${base}/things`, `${part('size', 'x')}--b--\r\n`, asForm),
    { status: 400, value: { code: 'mismatch' } }
  ]
]

const preflights = (hideOptionsRoute: boolean): Beside => ({
  plugins: async (app) => void app.register(cors, { origin, methods: ['GET', 'POST'], hideOptionsRoute }),
  answers: ({ base }) => [
    [
      request(`OPTIONS ${base}/things`, undefined, { ...fromPage, 'Access-Control-Request-Method': 'POST' }),
      {
        status: 204,
        headers: { 'access-control-allow-origin': origin, 'access-control-allow-methods': 'GET, POST' }
      }
    ]
  ]
})

/** The limit refuses credentials only where it is a hook of the application. */
const limitingCredentials = (isGlobal: boolean): Beside => ({
  plugins: async (app) => {
    await app.register(rateLimit, { max: 2, global: isGlobal })
    if (!isGlobal) app.addHook('onRequest', app.rateLimit())
  },
  answers: ({ base }) =>
    [401, 401, isGlobal ? 401 : 429].map((status) => [request(`GET ${base}/things`), { status }])
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
    answers: ({ base, isEngine }) => {
      const headers = { 'access-control-allow-origin': origin }
      const refused = (status: number, code: string) => ({ status, headers, value: { code } })
      const get = (path: string, more = {}) => request(`GET ${path}`, undefined, { ...fromPage, ...more })
      return [
        [get(`${base}/things`, token), { status: 200, headers }],
        [get(`${base}/things`), refused(401, 'no-credentials')],
        [request(`POST ${base}/things`, '{"size":"x"}', fromPage), refused(400, 'mismatch')],
        [request(`DELETE ${base}/things`, undefined, fromPage), refused(405, 'method-not-allowed')],
        [get('/own'), { status: 200, headers }],
        ...(base !== '' || isEngine ? [[get(`${base}/nowhere`), refused(404, 'not-found')] as const] : [])
      ]
    }
  },
  'cors answers preflights with a route for OPTIONS': preflights(false),
  'cors answers preflights without a route for OPTIONS': preflights(true),
  'helmet gives every answer its headers': {
    plugins: async (app) => {
      app.register(helmet)
      withOwn(app)
    },
    answers: ({ base }) => {
      const headers = { 'x-content-type-options': 'nosniff', 'content-security-policy': /default-src/ }
      return [
        [request(`GET ${base}/things`, undefined, token), { status: 200, headers }],
        [request(`GET ${base}/things`), { status: 401, headers }],
        [request(`POST ${base}/things`, 'x', { 'Content-Type': 'text/plain' }), { status: 415, headers }],
        [request(`PATCH ${base}/things`), { status: 405, headers }],
        [request(`GET ${base}/nowhere`), { status: 404, headers }],
        [own, { status: 200, headers }]
      ]
    }
  },
  'multipart parses the forms of other routes only, as parts': {
    handlers: { takeThing },
    plugins: async (app) => {
      await app.register(multipart, { attachFieldsToBody: false })
      app.post('/own', async (request) => {
        const names: string[] = []
        for await (const { fieldname, type, ...rest } of request.parts()) {
          names.push(fieldname)
          if (type === 'file' && 'toBuffer' in rest) await rest.toBuffer()
        }
        return names
      })
    },
    answers: takingForms
  },
  'multipart parses the forms of other routes only, as bodies': {
    handlers: { takeThing },
    plugins: async (app) => {
      await app.register(multipart, { attachFieldsToBody: 'keyValues' })
      app.post('/own', async ({ body }) => Object.keys(Object(body)))
    },
    answers: takingForms
  },
  'a request beyond the limit gets 429 with Retry-After, in the shape of its route': {
    plugins: async (app) => {
      await app.register(rateLimit, { max: 2, timeWindow: 60_000, keyGenerator: ({ url }) => url })
      withOwn(app)
    },
    answers: ({ base, isEngine }) => {
      const things = request(`GET ${base}/things`, undefined, token)
      const refused = { status: 429, headers: { 'retry-after': /^\d+$/ } }
      const code = { code: 'too-many-requests' }
      return [
        [things, { status: 200, headers: { 'x-ratelimit-remaining': '1' } }],
        [things, { status: 200 }],
        [things, { ...refused, value: code }],
        [own, { status: 200 }],
        [own, { status: 200 }],
        [own, { ...refused, value: isEngine ? code : { statusCode: 429 } }]
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
    answers: ({ base, isEngine }) => [
      [
        request(`GET ${base}/things`, undefined, token),
        { status: 503, headers: { 'retry-after': '7' }, value: { code: 'overloaded' } }
      ],
      [own, { status: 503, value: { code: isEngine ? 'overloaded' : 'FST_UNDER_PRESSURE' } }]
    ]
  },
  'the status route of under-pressure works beside the contract': {
    plugins: async (app) => void (await app.register(underPressure, { exposeStatusRoute: '/status' })),
    answers: ({ base }) => [
      [request('GET /status'), { status: 200, value: { status: 'ok' } }],
      [request(`GET ${base}/things`, undefined, token), { status: 200 }]
    ]
  },
  'beside websocket the server answers operations as if they had no Upgrade': {
    plugins: sockets,
    answers: ({ isEngine }) => {
      const h2c = { ...handshake, Upgrade: 'h2c' }
      const rows: ReturnType<Beside['answers']> = [
        [
          request('GET /things', undefined, { ...handshake, ...token }),
          { status: 200, value: { things: [] } }
        ],
        [request('GET http://a/things/7', undefined, handshake), { status: 200, value: { id: '7' } }],
        [request('POST /things', '{"size":1}', handshake), { status: 200, value: { size: 1 } }],
        [request('GET /own', undefined, h2c), { status: 200, value: { own: true } }]
      ]
      return isEngine ? rows : []
    }
  }
}

for (const [what, { answers, ...service }] of Object.entries(plugins))
  t.test(what, async (t) => {
    for (const host of await hosts(t, service))
      for (const [text, wanted] of answers(host)) {
        const { headers, ...answer } = await host.ask(text)
        t.match({ ...answer, headers: Object.fromEntries(headers) }, wanted, `${host.name}: ${text}`)
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

t.test('a request of the contract is a span of otel with its route, its status and its error', async (t) => {
  const exporter = new InMemorySpanExporter()
  context.setGlobalContextManager(new AsyncLocalStorageContextManager())
  const instrumentation = new FastifyOtelInstrumentation({
    requestHook: (span, request) => {
      const path = operationOf(request)?.path
      if (path !== undefined) span.setAttribute('http.route', path)
    }
  })
  instrumentation.setTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  )
  const plugins = async (app: FastifyInstance) => void (await app.register(instrumentation.plugin()))
  let active: string | undefined
  const getThing = ({ params: { id } }: { params: { id: string } }) => {
    active = trace.getActiveSpan()?.spanContext().traceId
    if (id === 'broken') throw new Error('broken')
    return { status: 200, body: {} }
  }
  /** Status, route and error of a request's span. */
  const rows = [
    ['GET /things/7', 200, '/things/{id}', undefined],
    ['GET /things/broken', 500, '/things/{id}', 'internal server error'],
    ['GET /things', 401, '/things', /^no credentials/],
    ['DELETE /things', 405, undefined, undefined]
  ] as const
  for (const { name, base, ask } of await hosts(t, { plugins, handlers: { getThing } }))
    for (const [line, status, route, message] of rows) {
      exporter.reset()
      await ask(request(line.replace(' ', ` ${base}`)))
      const span = exporter.getFinishedSpans().find((each) => each.name === 'request')
      t.equal(span?.attributes['http.response.status_code'], status, `${name}: ${line}`)
      t.equal(span?.attributes['http.route'], route, `${name}: ${line}`)
      t.match([span?.status.message, span?.events[0]?.attributes?.['exception.message']], [message, message])
      if (route === '/things/{id}') t.equal(active, span?.spanContext().traceId, 'active in the handler')
    }
})
