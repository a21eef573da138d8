/** Bodies with `x-stream`, over real sockets, with clients that stop, leave, trickle, or lie about lengths. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { PassThrough, type Readable } from 'node:stream'
import { createGunzip, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { sleep, until } from '../../../time.ts'
import { request, servePlugins } from '../../serve.ts'
import { type Exchange, exchange } from '../transport/raw-client.ts'
import {
  begin,
  bodies,
  chunk,
  chunked,
  gate,
  type Handler,
  lastChunk,
  maxBytes,
  octets,
  typed
} from './streaming.ts'

t.setTimeout(900_000)

interface Request {
  readonly body: Readable
  readonly signal: AbortSignal
}

const seen: Partial<Request> & { error?: unknown; calls: number } = { calls: 0 }

/** Reads the body, and returns the number of its bytes. */
async function read({ body, signal }: Request): Promise<number> {
  Object.assign(seen, { body, signal, error: undefined })
  seen.calls++
  let bytes = 0
  try {
    for await (const chunk of body) bytes += chunk.length
  } catch (error) {
    seen.error = error
    throw error
  }
  return bytes
}
const { wait, open } = gate()
/** Reads when the gate is open. */
const readLater = async (request: Request) => {
  Object.assign(seen, { body: request.body, signal: request.signal })
  seen.calls++
  await wait()
  return read(request)
}
const ignore = ({ body }: Request) => {
  seen.calls++
  return body.readable
}
const ignoreLater = async (request: Request) => {
  ignore(request)
  await wait()
  return 'late'
}

const bytes = typed(octets)
const post = (body: string | Buffer, headers = {}) => request('POST /bytes', body, { ...bytes, ...headers })
const head = chunked('/bytes', octets)
/** Returns status and body of each answer. */
const answersOf = ({ responses }: Exchange) => responses.map(({ status, body }) => [status, body])
const statusesOf = ({ responses, ending }: Exchange) => [...responses.map(({ status }) => status), ending]

const { port, ask, log, handle } = await bodies(t)

t.test('a handler reads the body as a stream, of any size up to x-body-limit', async (t) => {
  handle(read)
  const rows: [sent: Buffer, value: number][] = [
    [post(Buffer.alloc(maxBytes)), maxBytes],
    [Buffer.from(head + chunk('x'.repeat(9)) + chunk('abcde') + lastChunk), 14],
    [Buffer.from(head + lastChunk), 0]
  ]
  for (const [sent, value] of rows) t.match(await ask(sent), { status: 200, value }, String(value))
  t.match(await ask(post('')), { status: 400, value: { code: 'missing-body' } })
})

t.test('the connection is kept when the body was read, and the next request is served', async (t) => {
  handle(read)
  const first = post('a'.repeat(70_000)).toString()
  const all = first + head + chunk('abcde') + lastChunk + first
  const { responses, ending } = await exchange(port, all, { wait: 5000, enough: 3 })
  t.strictSame([...responses.map(({ body }) => body), ending], ['70000', '5', '70000', 'open'])
})

t.test('a length beyond the limit is refused before the handler, chunks fail its reading', async (t) => {
  handle(read)
  const { calls } = seen
  const tooLarge = { status: 413, value: { code: 'body-too-large', message: /1000000 bytes/ } }
  t.match(await ask(post('', { 'Content-Length': String(maxBytes + 1) })), tooLarge)
  t.equal(seen.calls, calls)
  const sent = Buffer.from(head + chunk('x'.repeat(500_000)).repeat(3))
  t.match(await ask(sent), tooLarge)
  t.match(seen.error, { name: 'FailureError', failure: { code: 'body-too-large' } })
  handle((request: Request) => read(request).catch(String))
  const swallowed = await ask(sent)
  t.match(swallowed, { status: 200, value: /larger than 1000000 bytes/ }, 'which the handler may handle')
})

t.test('what is refused by its headers needs no byte of the body, and reaches no handler', async (t) => {
  const { calls } = seen
  for (const [status, headers] of [
    [415, { 'Content-Type': 'text/plain', 'Content-Length': '5', Expect: '100-continue' }],
    [413, { 'Content-Length': String(maxBytes + 1) }]
  ] as const) {
    const { responses } = await exchange(port, String(post('', headers)), { wait: 5000, enough: 1 })
    t.strictSame(
      responses.map((response) => response.status),
      [status]
    )
  }
  t.equal(seen.calls, calls)
})

t.test('100 Continue is sent when the handler reads', async (t) => {
  const expecting = String(post('', { 'Content-Length': '4', Expect: '100-continue' }))
  handle(read)
  const continued = await exchange(port, '', {
    wait: 5000,
    enough: 1,
    talk: async (socket) => {
      socket.write(expecting)
      await once(socket, 'data')
      socket.write('four')
    }
  })
  t.strictSame(statusesOf(continued), [100, 200, 'open'])
  handle(ignore)
  t.strictSame(statusesOf(await exchange(port, expecting, { wait: 5000 })), [200, 'closed'])
})

t.test('a handler that does not read to the end leaves no bytes to the next request', async (t) => {
  const readers: Readonly<Record<string, Handler>> = {
    ignores: ignore,
    'reads a chunk': async ({ body }: Request) => {
      for await (const chunk of body.iterator({ destroyOnReturn: false })) return chunk.length > 0
      return false
    },
    'destroys it': ({ body }: Request) => body.destroy().destroyed
  }
  const smuggled = request('POST /plain', 'smuggled', typed('text/plain')).toString()
  const next = request('POST /plain', 'next', typed('text/plain')).toString()
  for (const [name, reader] of Object.entries(readers)) {
    handle((request: Request) => (typeof request.body === 'string' ? request.body : reader(request as never)))
    for (const content of [smuggled, smuggled.repeat(3000)])
      for (const sent of [post(content).toString(), head + chunk(content) + lastChunk]) {
        const { responses, ending } = await exchange(port, sent + next, { wait: 5000, enough: 2 })
        const [first, ...others] = responses.map(({ body }) => body)
        t.equal(responses[0]?.status, 200, `${name} ${first}`)
        const isClosed = responses[0]?.headers.get('connection') === 'close'
        t.strictSame([ending, ...others], isClosed ? ['closed'] : ['open', '"next"'], name)
      }
  }
})

t.test('a client that leaves destroys the stream with an error, and aborts the signal', async (t) => {
  for (const reader of [read, readLater]) {
    handle(reader)
    Object.assign(seen, { body: undefined })
    const client = begin(t, port, head + chunk('0123456789'))
    await until(() => seen.body !== undefined)
    const { body, signal } = seen
    client.destroy()
    // The handler that reads has answered already, because a client may have closed its sending half only.
    await until(() => body?.destroyed === true && (reader === read || signal?.aborted === true))
    t.match(body?.errored, { failure: { code: 'malformed-http' } })
  }
  await t.rejects(async () => seen.body?.toArray(), { name: 'FailureError' }, 'also before the reading')
})

t.test('a length that is wrong', async (t) => {
  handle(read)
  const short = await exchange(port, String(post('12345', { 'Content-Length': '3' })), { wait: 5000 })
  t.strictSame(statusesOf(short), [200, 400, 'closed'], 'what follows is no request')
  const long = await exchange(port, '', {
    wait: 5000,
    talk: async (socket) => void socket.end(post('12345', { 'Content-Length': '30' }))
  })
  t.strictSame(statusesOf(long).slice(0, -1), [400])
  t.strictSame(statusesOf(await exchange(port, `${head}2\r\nabc\r\n0\r\n\r\n`, { wait: 5000 })), [
    400,
    'closed'
  ])
  const errors = log.filter(({ level }) => Number(level) >= 50)
  t.strictSame(errors, [], 'failures that a handler lets through are not errors of the service')
})

t.test('REQUEST_TIMEOUT bounds the silence of the client, not the whole request', async (t) => {
  const timeout = 2500
  const { port, handle } = await bodies(t, { fastify: { requestTimeout: timeout } })
  handle(read)
  const began = performance.now()
  let sent = 0
  const trickled = await exchange(port, '', {
    wait: 20_000,
    enough: 1,
    talk: async (socket) => {
      socket.write(head)
      for (; performance.now() - began < timeout * 1.5; sent++) {
        socket.write(chunk('x'))
        await sleep(50)
      }
      socket.write(lastChunk)
    }
  })
  t.strictSame(answersOf(trickled), [[200, String(sent)]])
  const silent = await exchange(port, head + chunk('x'), { wait: 10_000 })
  t.strictSame(statusesOf(silent), [408, 'closed'])
})

t.test('the silence counts only while the handler reads', async (t) => {
  const { port, handle } = await bodies(t, { fastify: { requestTimeout: 600 } })
  const late = (before: Buffer, after: Buffer) =>
    exchange(port, '', {
      wait: 10_000,
      enough: 1,
      talk: async (socket) => {
        const { calls } = seen
        socket.write(post('', { 'Content-Length': String(before.length + after.length) }))
        socket.write(before)
        await until(() => seen.calls > calls)
        await sleep(2000)
        open()
        socket.write(after)
      }
    })
  handle(readLater)
  t.strictSame(answersOf(await late(Buffer.alloc(0), Buffer.from('four'))), [[200, '4']])
  handle(async ({ body }: Request) => {
    seen.calls++
    let bytes = 0
    for await (const chunk of body) {
      if (bytes === 0) await wait()
      bytes += chunk.length
    }
    return bytes
  })
  t.strictSame(answersOf(await late(Buffer.alloc(900_000), Buffer.alloc(100))), [[200, '900100']])
})

t.test('a body that is not read any more has the time-out of the whole request', async (t) => {
  const { port, handle } = await bodies(t, { fastify: { requestTimeout: 600 } })
  const begun = `${post('', { 'Content-Length': '9' })}x`
  handle(ignore)
  t.strictSame(statusesOf(await exchange(port, begun, { wait: 10_000 })), [200, 'closed'])
  handle(ignoreLater)
  const late = await exchange(port, '', {
    wait: 10_000,
    talk: async (socket) => {
      socket.write(begun)
      await sleep(2000)
      open()
    }
  })
  t.strictSame(statusesOf(late), [200, 'closed'])
})

t.test('a body that a hook has decoded is streamed, too', async (t) => {
  const extend = (app: FastifyInstance) =>
    app.addHook('preParsing', async ({ headers }, _reply, payload) =>
      payload.pipe(headers['x-decode'] === 'gzip' ? createGunzip() : new PassThrough({ encoding: 'utf8' }))
    )
  const { ask, handle } = await bodies(t, { extend })
  handle(read)
  const rows: [bytes: string | Buffer, by: string, status: number, value: unknown][] = [
    ['n\u00e4ive', 'text', 200, 6],
    [gzipSync(Buffer.alloc(500_000)), 'gzip', 200, 500_000],
    [gzipSync(Buffer.alloc(maxBytes + 1)), 'gzip', 413, { code: 'body-too-large' }],
    ['not gzip', 'gzip', 400, { code: 'malformed-body' }]
  ]
  for (const [bytes, by, status, value] of rows)
    t.match(await ask(post(bytes, { 'X-Decode': by })), { status, value })
})

/** An application of somebody else, whose time-out Node reports soon. */
async function hosted(t: Test) {
  const refused: unknown[] = []
  // Node takes the longer of its time-outs for whole requests.
  const fastify = {
    requestTimeout: 1000,
    http: { connectionsCheckingInterval: 20, headersTimeout: 1000 },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) => {
      refused.push(error.code)
      socket.destroy()
    }
  }
  const plugins = async (app: FastifyInstance) => void app.post('/own', (request) => request.body)
  const served = await bodies(t, { fastify, plugins }, servePlugins)
  served.handle(read)
  /** Resolves when Node has reported a late request; the listener comes after those of the application. */
  const late = () => new Promise<void>((resolve) => served.app.server.once('clientError', () => resolve()))
  return { ...served, refused, late }
}

t.test('in the Fastify of somebody else, its time-out bounds silence, too', async (t) => {
  const { app, refused, late, port } = await hosted(t)
  seen.calls = 0
  const { responses } = await exchange(port, '', {
    wait: 10_000,
    enough: 1,
    talk: async (socket) => {
      socket.write(head)
      await until(() => seen.calls === 1)
      let isLate = false
      late().then(() => {
        isLate = true
      })
      for (; !isLate; await sleep(20)) socket.write(chunk('x'))
      socket.write(lastChunk)
    }
  })
  t.match(responses, [{ status: 200 }])
  t.strictSame(refused, [])
  const silent = await exchange(port, head + chunk('x'), { wait: 10_000 })
  t.match(silent.responses, [{ status: 408, body: /timeout/ }], 'silence')
  const own = 'POST /own HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\n'
  refused.length = 0
  await exchange(port, own, { wait: 10_000 })
  t.strictSame(refused, ['ERR_HTTP_REQUEST_TIMEOUT'], 'a request that is not streamed')
  const { statusCode } = await app.inject({ method: 'POST', url: '/bytes', headers: bytes, payload: 'x' })
  t.equal(statusCode, 200, 'a request without a server')
})

t.test('a late request gets its response whole, and is refused after it if it is incomplete', async (t) => {
  const { refused, late, port, handle } = await hosted(t)
  const destroyLater = async ({ body }: Request) => {
    seen.calls++
    await wait()
    body.destroy()
    await wait()
    return 'waited'
  }
  for (const [first, isComplete, want] of [
    [ignoreLater, false, []],
    [destroyLater, false, []],
    [destroyLater, true, [{ status: 200, body: '1' }]]
  ] as const) {
    const handlers: Handler[] = [first, read]
    handle((request) => handlers.shift()?.(request))
    seen.calls = refused.length = 0
    const { responses, ending } = await exchange(port, '', {
      wait: 10_000,
      enough: 2,
      talk: async (socket) => {
        socket.write(`${post('', { 'Content-Length': '10' })}12345`)
        await until(() => seen.calls === 1)
        await late()
        open()
        await sleep(0)
        if (isComplete) socket.write('67890')
        await sleep(50)
        open()
        if (isComplete) socket.write(post('x'))
      }
    })
    t.match(responses, [{ status: 200, body: /late|waited/ }, ...want])
    t.equal(ending, isComplete ? 'open' : 'closed')
    t.strictSame(refused, isComplete ? [] : ['ERR_HTTP_REQUEST_TIMEOUT'])
  }
})
