/** Bodies with `x-stream`, over real sockets, with clients that stop, leave, trickle, or lie about lengths. */
import { type AddressInfo, connect } from 'node:net'
import { PassThrough, type Readable } from 'node:stream'
import { createGunzip, gzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { contractRoutes } from '../../../../src/engine/server.ts'
import { sleep, until } from '../../../time.ts'
import { compiled, type Json, request, serve } from '../../serve.ts'
import { type Exchange, exchange } from '../transport/raw-client.ts'

const maxBytes = 1_000_000
const names = ['read', 'half', 'ignore', 'destroy', 'swallow', 'wait', 'pause', 'late', 'guarded', 'limited']
const more: Readonly<Record<string, string>> = {
  guarded: 'security: [{ key: [] }],',
  limited: 'parameters: [{ name: n, in: query, required: true, schema: { type: integer } }],'
}
const document: Json = parse(
  `
x-operation: &operation
  requestBody: { required: true, content: { application/octet-stream: { x-stream: true, x-body-limit: ${maxBytes} } } }
  responses: &responses { 200: { description: ok, content: { application/json: {} } } }
paths:
  /plain: { post: { operationId: plain, requestBody: { content: { text/plain: {} } }, responses: *responses } }
${names.map((name) => `  /${name}: { post: { operationId: ${name}, ${more[name] ?? ''} <<: *operation } }`).join('\n')}
components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }
`,
  { merge: true }
)

interface Request {
  readonly body: Readable
  readonly signal: AbortSignal
}

async function count(body: Readable): Promise<number> {
  let bytes = 0
  for await (const chunk of body) bytes += chunk.length
  return bytes
}

const seen: { body?: Readable | undefined; signal?: AbortSignal; error?: unknown; calls: number } = {
  calls: 0
}
const keep = ({ body, signal }: Request) => {
  Object.assign(seen, { body, signal, error: undefined })
  seen.calls++
  return body
}
let go: () => void = () => undefined
const stop = () =>
  new Promise<void>((resolve) => {
    go = resolve
  })
const handlers = {
  read: async (request: Request) => {
    try {
      return { status: 200, body: await count(keep(request)) }
    } catch (error) {
      seen.error = error
      throw error
    }
  },
  half: async (request: Request) => {
    for await (const chunk of keep(request).iterator({ destroyOnReturn: false }))
      return { status: 200, body: chunk.length > 0 }
    return { status: 200, body: false }
  },
  ignore: (request: Request) => ({ status: 200, body: keep(request).readable }),
  destroy: (request: Request) => ({ status: 200, body: keep(request).destroy().destroyed }),
  swallow: async (request: Request) => ({ status: 200, body: await count(keep(request)).catch(String) }),
  wait: async (request: Request) => {
    keep(request)
    await stop()
    return { status: 200, body: await count(request.body) }
  },
  pause: async (request: Request) => {
    let bytes = 0
    for await (const chunk of keep(request)) {
      if (bytes === 0) await stop()
      bytes += chunk.length
    }
    return { status: 200, body: bytes }
  },
  late: async (request: Request) => {
    keep(request)
    await stop()
    return { status: 200, body: 'late' }
  },
  guarded: (request: Request) => ({ status: 200, body: keep(request).readable }),
  limited: (request: Request) => ({ status: 200, body: keep(request).readable }),
  plain: ({ body = '' }: { body?: string }) => ({ status: 200, body })
}
const bytes = { 'Content-Type': 'application/octet-stream' }
const inChunks = { ...bytes, 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' }
const chunkOf = (size: number) => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`
const security = { key: (credential: string) => credential === 'good' && credential }
const contract = await compiled(t, document)
/** Returns status and body of each answer. */
const answersOf = ({ responses }: Exchange) => responses.map(({ status, body }) => [status, body])
const statusesOf = ({ responses }: Exchange) => responses.map(({ status }) => status)
const start = (t: Parameters<typeof serve>[0], requestTimeout = 60_000) =>
  serve(t, contract, { handlers, security, fastify: { requestTimeout } })

const { port, ask, log } = await start(t)

t.test('a handler reads the body as a stream, of any size up to x-body-limit', async (t) => {
  const rows: [name: string, sent: Buffer, value: number][] = [
    ['a length', request('POST /read', Buffer.alloc(10), bytes), 10],
    ['the whole limit', request('POST /read', Buffer.alloc(maxBytes), bytes), maxBytes],
    [
      'chunks',
      Buffer.concat([
        request('POST /read', '', inChunks),
        Buffer.from(`${chunkOf(9)}${chunkOf(5)}0\r\n\r\n`)
      ]),
      14
    ],
    ['no bytes in chunks', Buffer.concat([request('POST /read', '', inChunks), Buffer.from('0\r\n\r\n')]), 0]
  ]
  for (const [name, sent, value] of rows) t.match(await ask(sent), { status: 200, value }, name)
  t.match(await ask(request('POST /read', '', bytes)), { status: 400, value: { code: 'missing-body' } })
})

t.test('the connection is kept when the body was read, and the next request is served', async (t) => {
  const first = request('POST /read', 'a'.repeat(70_000), bytes).toString()
  const chunked = `${request('POST /read', '', inChunks)}${chunkOf(5)}0\r\n\r\n`
  const { responses, ending } = await exchange(port, first + chunked + first, { wait: 5000, enough: 3 })
  t.strictSame(
    responses.map(({ body }) => body),
    ['70000', '5', '70000']
  )
  t.equal(ending, 'open')
})

t.test('a declared length beyond the limit is refused before the handler', async (t) => {
  const { calls } = seen
  const head = request('POST /read', '', { ...bytes, 'Content-Length': String(maxBytes + 1) })
  t.match(await ask(head), { status: 413, value: { code: 'body-too-large' } })
  t.equal(seen.calls, calls)
})

t.test('bytes in chunks beyond the limit fail the reading with 413', async (t) => {
  const sent = `${request('POST /read', '', inChunks)}${chunkOf(500_000).repeat(3)}`
  const answer = await ask(Buffer.from(sent))
  t.match(answer, { status: 413, value: { code: 'body-too-large', message: /1000000 bytes/ } })
  t.match(seen.error, { name: 'FailureError', failure: { code: 'body-too-large' } })
  const swallowed = await ask(Buffer.from(sent.replace('/read', '/swallow')))
  t.match(swallowed, { status: 200, value: /larger than 1000000 bytes/ }, 'which the handler may handle')
})

t.test('what is refused by its headers needs no byte of the body, and reaches no handler', async (t) => {
  const { calls } = seen
  const head = (first: string, headers = {}) =>
    request(first, '', { ...bytes, 'Content-Length': '5000', ...headers })
  const rows: [status: number, head: Buffer][] = [
    [401, head('POST /guarded')],
    [401, head('POST /guarded', { 'X-Key': 'wrong' })],
    [415, head('POST /read', { 'Content-Type': 'text/plain' })],
    [400, head('POST /limited?n=a')]
  ]
  for (const [status, sent] of rows)
    for (const expect of ['', 'Expect: 100-continue\r\n']) {
      const text = sent.toString().replace('Host', `${expect}Host`)
      const { responses } = await exchange(port, text, { wait: 5000, enough: 1 })
      t.strictSame(
        responses.map((response) => response.status),
        [status],
        text
      )
    }
  t.equal(seen.calls, calls)
})

t.test('100 Continue is sent when the handler reads', async (t) => {
  const expecting = (path: string) =>
    String(request(`POST ${path}`, '', { ...bytes, 'Content-Length': '4', Expect: '100-continue' }))
  const read = await exchange(port, '', {
    wait: 5000,
    enough: 1,
    talk: async (socket) => {
      socket.write(expecting('/read'))
      await new Promise((resolve) => socket.once('data', resolve))
      socket.write('four')
    }
  })
  t.strictSame(answersOf(read), [
    [100, ''],
    [200, '4']
  ])
  const ignored = await exchange(port, expecting('/ignore'), { wait: 5000 })
  t.strictSame([statusesOf(ignored), ignored.ending], [[200], 'closed'])
})

t.test('a handler that does not read to the end leaves no bytes to the next request', async (t) => {
  const smuggled =
    'POST /plain HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 8\r\n\r\nsmuggled'
  const next = request('POST /plain', 'next', { 'Content-Type': 'text/plain' }).toString()
  const body = smuggled.repeat(3000)
  for (const path of ['/ignore', '/half', '/destroy'])
    for (const content of [smuggled, body]) {
      const length = request(`POST ${path}`, content, bytes).toString()
      const chunked = `${request(`POST ${path}`, '', inChunks)}${content.length.toString(16)}\r\n${content}\r\n0\r\n\r\n`
      for (const sent of [length, chunked]) {
        const { responses, ending } = await exchange(port, sent + next, { wait: 5000, enough: 2 })
        const [first, ...others] = responses
        t.equal(first?.status, 200, path)
        const isClosed = first?.headers.get('connection') === 'close'
        t.equal(ending, isClosed ? 'closed' : 'open')
        t.strictSame(
          others.map((response) => response.body),
          isClosed ? [] : ['"next"']
        )
      }
    }
})

t.test('a client is not read while its handler does not read', async (t) => {
  const { app, port } = await start(t)
  let server: { bytesRead: number } = { bytesRead: 0 }
  app.server.once('connection', (socket) => {
    server = socket
  })
  const client = connect(port, '127.0.0.1')
  t.teardown(() => client.destroy())
  client.write(request('POST /wait', Buffer.alloc(maxBytes), bytes))
  await until(() => server.bytesRead > 0)
  await sleep(200)
  t.ok(server.bytesRead < maxBytes / 2, String(server.bytesRead))
  const answer = new Promise<Buffer>((resolve) => client.once('data', resolve))
  go()
  t.match(String(await answer), new RegExp(`\r\n\r\n${maxBytes}$`))
})

t.test('a client that leaves destroys the stream with an error, and aborts the signal', async (t) => {
  for (const path of ['/read', '/wait']) {
    Object.assign(seen, { body: undefined })
    const client = connect(port, '127.0.0.1')
    client.write(`${request(`POST ${path}`, '', inChunks)}${chunkOf(10)}`)
    await until(() => seen.body !== undefined)
    const { body, signal } = seen
    client.destroy()
    // The handler that reads has answered already, because a client may have closed its sending half only.
    await until(() => body?.destroyed === true && (path === '/read' || signal?.aborted === true))
    t.match(body?.errored, { failure: { code: 'malformed-http' } }, path)
  }
  const later = await count(seen.body as Readable).catch(String)
  t.match(later, /^FailureError/, 'also before the reading')
})

t.test('a length that is wrong', async (t) => {
  const short = await exchange(
    port,
    request('POST /read', '12345', { ...bytes, 'Content-Length': '3' }).toString(),
    { wait: 5000 }
  )
  t.strictSame(statusesOf(short), [200, 400], 'what follows is no request')
  const long = await exchange(port, '', {
    wait: 5000,
    talk: async (socket) => {
      socket.end(request('POST /read', '12345', { ...bytes, 'Content-Length': '30' }))
    }
  })
  t.strictSame(statusesOf(long), [400])
  for (const chunks of ['zz\r\nabc\r\n', '2\r\nabc\r\n0\r\n\r\n', '-1\r\n\r\n']) {
    const { responses, ending } = await exchange(port, `${request('POST /read', '', inChunks)}${chunks}`, {
      wait: 5000
    })
    t.strictSame([responses.map(({ status }) => status), ending], [[400], 'closed'], chunks)
  }
})

t.test('failures that a handler lets through are not errors of the service', async (t) => {
  t.strictSame(
    log.filter(({ level }) => Number(level) >= 50),
    []
  )
})

t.test('REQUEST_TIMEOUT bounds the silence of the client, not the whole request', async (t) => {
  const timeout = 2500
  const { port } = await start(t, timeout)
  const began = performance.now()
  let sent = 0
  const trickled = await exchange(port, '', {
    wait: 20_000,
    enough: 1,
    talk: async (socket) => {
      socket.write(request('POST /read', '', inChunks))
      for (; performance.now() - began < timeout * 1.5; sent++) {
        socket.write(chunkOf(1))
        await sleep(50)
      }
      socket.write('0\r\n\r\n')
    }
  })
  t.strictSame(answersOf(trickled), [[200, String(sent)]])
  const silent = await exchange(port, `${request('POST /read', '', inChunks)}${chunkOf(5)}`, { wait: 10_000 })
  t.match(silent.responses, [{ status: 408, body: /"timeout"/ }])
  t.equal(silent.ending, 'closed')
})

t.test('the silence counts only while the handler reads', async (t) => {
  const { port } = await start(t, 600)
  const late = (path: string, before: Buffer, after: Buffer) =>
    exchange(port, '', {
      wait: 10_000,
      enough: 1,
      talk: async (socket) => {
        const { calls } = seen
        const length = String(before.length + after.length)
        socket.write(request(`POST ${path}`, '', { ...bytes, 'Content-Length': length }))
        socket.write(before)
        await until(() => seen.calls > calls)
        await sleep(2000)
        go()
        socket.write(after)
      }
    })
  const unread = await late('/wait', Buffer.alloc(0), Buffer.from('four'))
  t.strictSame(answersOf(unread), [[200, '4']])
  const paused = await late('/pause', Buffer.alloc(900_000), Buffer.alloc(100))
  t.strictSame(answersOf(paused), [[200, '900100']])
})

t.test('a body that is not read any more has the time-out of the whole request', async (t) => {
  const { port } = await start(t, 600)
  const head = (path: string) => `${request(`POST ${path}`, '', { ...bytes, 'Content-Length': '9' })}x`
  const early = await exchange(port, head('/ignore'), { wait: 10_000 })
  t.strictSame([statusesOf(early), early.ending], [[200], 'closed'])
  const late = await exchange(port, '', {
    wait: 10_000,
    talk: async (socket) => {
      socket.write(head('/late'))
      await sleep(2000)
      go()
    }
  })
  t.strictSame([statusesOf(late), late.ending], [[200], 'closed'])
})

t.test('a body that a hook has decoded is streamed, too', async (t) => {
  const extend = (app: FastifyInstance) =>
    app.addHook('preParsing', async ({ headers }, _reply, payload) => {
      if (headers['x-decode'] === 'gzip') return payload.pipe(createGunzip())
      return headers['x-decode'] === 'text' ? payload.pipe(new PassThrough({ encoding: 'utf8' })) : payload
    })
  const { ask } = await serve(t, document, { handlers, security, extend })
  const decode = (bytes: string | Buffer, by: string) =>
    request('POST /read', bytes, { 'Content-Type': 'application/octet-stream', 'X-Decode': by })
  t.match(await ask(decode('näive', 'text')), { status: 200, value: 6 })
  t.match(await ask(decode(gzipSync(Buffer.alloc(500_000)), 'gzip')), { status: 200, value: 500_000 })
  t.match(await ask(decode(gzipSync(Buffer.alloc(maxBytes + 1)), 'gzip')), { status: 413 })
  t.match(await ask(decode('not gzip', 'gzip')), { status: 400, value: { code: 'malformed-body' } })
})

/** An application of somebody else, whose time-out Node reports soon. */
async function hosted(t: Test, more: typeof handlers | object = {}) {
  const refused: unknown[] = []
  // Node takes the longer of its time-outs for whole requests.
  const [requestTimeout, http] = [1000, { connectionsCheckingInterval: 20, headersTimeout: 1000 }]
  const app = Fastify({
    requestTimeout,
    http,
    clientErrorHandler: (error, socket) => {
      refused.push(error.code)
      socket.destroy()
    }
  })
  app.post('/own', (request) => request.body)
  const errorBody = ({ code }: { code: string }) => ({ code })
  const options = { contract, security, handlers: { ...handlers, ...more }, errorBody }
  await app.register(contractRoutes, options as never)
  await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  /** Resolves when Node has reported a late request; the listener comes after those of the application. */
  const late = () => new Promise<void>((resolve) => app.server.once('clientError', () => resolve()))
  const { port } = app.server.address() as AddressInfo
  return { app, refused, late, port }
}

t.test('in the Fastify of somebody else, its time-out bounds silence, too', async (t) => {
  const { app, refused, late, port } = await hosted(t)
  seen.calls = 0
  const { responses } = await exchange(port, '', {
    wait: 10_000,
    enough: 1,
    talk: async (socket) => {
      socket.write(request('POST /read', '', inChunks))
      await until(() => seen.calls === 1)
      let isLate = false
      late().then(() => {
        isLate = true
      })
      for (; !isLate; await sleep(20)) socket.write(chunkOf(1))
      socket.write('0\r\n\r\n')
    }
  })
  t.match(responses, [{ status: 200 }])
  t.strictSame(refused, [])
  const silent = await exchange(port, `${request('POST /read', '', inChunks)}${chunkOf(1)}`, {
    wait: 10_000
  })
  t.match(silent.responses, [{ status: 408, body: /timeout/ }], 'silence')
  const head = 'POST /own HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\n'
  refused.length = 0
  await exchange(port, head, { wait: 10_000 })
  t.strictSame(refused, ['ERR_HTTP_REQUEST_TIMEOUT'], 'a request that is not streamed')
  const { statusCode } = await app.inject({ method: 'POST', url: '/read', headers: bytes, payload: 'x' })
  t.equal(statusCode, 200, 'a request without a server')
})

t.test('a late request gets its response whole, and is refused after it if it is incomplete', async (t) => {
  const { refused, late, port } = await hosted(t, {
    wait: async (request: Request) => {
      keep(request)
      await stop()
      request.body.destroy()
      await stop()
      return { status: 200, body: 'waited' }
    }
  })
  const next = String(request('POST /read', 'x', bytes))
  for (const [path, isComplete, want] of [
    ['/late', false, []],
    ['/wait', false, []],
    ['/wait', true, [{ status: 200, body: '1' }]]
  ] as const) {
    seen.calls = refused.length = 0
    const { responses, ending } = await exchange(port, '', {
      wait: 10_000,
      enough: 2,
      talk: async (socket) => {
        socket.write(`${request(`POST ${path}`, '', { ...bytes, 'Content-Length': '10' })}12345`)
        await until(() => seen.calls === 1)
        await late()
        go()
        await sleep(0)
        if (isComplete) socket.write('67890')
        await sleep(50)
        go()
        if (isComplete) socket.write(next)
      }
    })
    t.match(responses, [{ status: 200, body: /late|waited/ }, ...want], path)
    t.equal(ending, isComplete ? 'open' : 'closed')
    t.strictSame(refused, isComplete ? [] : ['ERR_HTTP_REQUEST_TIMEOUT'])
  }
})
