/** A contract in a Fastify that serves HTTP/2, whose requests need no Content-Length. */
import { EventEmitter, once } from 'node:events'
import { type ClientHttp2Session, connect, constants, type OutgoingHttpHeaders } from 'node:http2'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { sleep, until } from '../../time.ts'
import { compiled, servePlugins } from '../serve.ts'

const contract = await compiled(
  t,
  parse(`
openapi: 3.2.0
paths:
  /bytes: { post: { operationId: bytes, requestBody: { required: true, content: { a/b: { x-stream: true } } }, responses: &ok { 200: { description: ok, content: { application/json: {} } } } } }
  /form:
    post:
      operationId: form
      requestBody: { required: true, content: { multipart/form-data: { x-stream: true, schema: { type: object, properties: { file: { type: string, format: binary } } } } } }
      responses: *ok
  /items: { post: { operationId: items, requestBody: { required: true, content: { application/jsonl: { schema: { type: integer } } } }, responses: *ok } }
  /follow:
    get:
      operationId: follow
      parameters: [{ name: case, in: query, schema: { type: string } }]
      responses: { 200: { description: ok, content: { application/jsonl: { itemSchema: { type: string } } } } }
  /things:
    post: { operationId: take, requestBody: { required: true, content: { application/json: { schema: { type: object, required: [size] } } } }, responses: *ok }
    get: { operationId: wait, responses: *ok }
`)
)

/** Handlers of operations that a test does not ask. */
const unasked = Object.fromEntries(
  contract.operations.map(({ operationId }) => [operationId, () => ({ status: 200 })])
)

interface Streamed {
  readonly body: AsyncIterable<unknown>
}

async function lengthOf(body: AsyncIterable<unknown>): Promise<number> {
  let length = 0
  for await (const part of body) length += Buffer.isBuffer(part) ? part.length : 1
  return length
}

async function ask(session: ClientHttp2Session, headers: OutgoingHttpHeaders, body?: string | Buffer) {
  const stream = session.request(headers)
  stream.end(body)
  const [{ ':status': status, allow }] = await once(stream, 'response')
  return { status, allow, body: await text(stream) }
}

t.test('bodies, failures and disconnections are those of HTTP/1', async (t) => {
  const events: string[] = []
  const service = {
    fastify: { http2: true, bodyLimit: 100_000 } as object,
    handlers: {
      ...unasked,
      bytes: async ({ body }: Streamed) => ({ status: 200, body: await lengthOf(body) }),
      items: async ({ body }: Streamed) => ({ status: 200, body: await lengthOf(body) }),
      form: ({ body }: { body: { file: { size: number } } }) => ({ status: 200, body: body.file.size }),
      take: ({ body }: { body: { text: string } }) => ({ status: 200, body: body.text.length }),
      wait: async ({ signal }: { signal: AbortSignal }) => {
        events.push('waits')
        await once(signal, 'abort')
        events.push('aborted')
        return { status: 200, body: {} }
      }
    },
    errorBody: ({ code }: { code: string }) => ({ code })
  }
  const { port } = await servePlugins(t, contract, service, ['/v1'])
  const session = connect(`http://127.0.0.1:${port}`)
  t.teardown(() => session.close())
  const post = { ':path': '/v1/things', ':method': 'POST', 'content-type': 'application/json' }
  const long = 'x'.repeat(70_000)
  const rows: [OutgoingHttpHeaders, string | undefined, object][] = [
    [post, `{"size":1,"text":"${long}"}`, { status: 200, body: '70000' }],
    [post, `{"size":1,"text":"${long}${long}"}`, { status: 413, body: '{"code":"body-too-large"}' }],
    [post, undefined, { status: 400, body: '{"code":"missing-body"}' }],
    [{ ...post, 'content-length': 0 }, '', { status: 400, body: '{"code":"missing-body"}' }],
    [{ ':path': '/v1/things', ':method': 'DELETE' }, undefined, { status: 405, allow: 'GET, HEAD, POST' }]
  ]
  const stream = (path: string, type: string) => ({ ...post, ':path': `/v1${path}`, 'content-type': type })
  const part = `--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n${long}\r\n--b--\r\n`
  rows.push(
    [stream('/bytes', 'a/b'), long, { status: 200, body: '70000' }],
    [stream('/bytes', 'a/b'), `${long}${long}`, { status: 413, body: '{"code":"body-too-large"}' }],
    [stream('/form', 'multipart/form-data; boundary=b'), part, { status: 200, body: '70000' }],
    [stream('/items', 'application/jsonl'), '1\n2\n', { status: 200, body: '2' }]
  )
  for (const [headers, body, answer] of rows)
    t.match(await ask(session, headers, body), answer, String(body).slice(0, 20))
  const left = session.request({ ':path': '/v1/things' })
  left.on('error', () => undefined)
  await until(() => events.includes('waits'))
  left.close()
  await until(() => events.includes('aborted'))
})

/** A contract whose streams and uploads the tests steer: `steps` goes on, `seen` counts. */
async function steered(t: Test) {
  const [steps, seen, reported] = [new EventEmitter(), { asked: 0, returned: 0, read: 0 }, [] as unknown[]]
  const signals: AbortSignal[] = []
  const failures: unknown[] = []
  async function* follow(signal: AbortSignal, item: unknown): AsyncGenerator<unknown> {
    try {
      for (let count = 0; ; count++) {
        seen.asked++
        yield count === 0 ? 'first' : item
        if (item === 'waits') await once(steps, 'go', { signal })
        if (item === 'slow') await once(steps, 'last')
      }
    } finally {
      seen.returned++
    }
  }
  const items: Record<string, unknown> = {
    large: 'x'.repeat(10_000),
    broken: 5,
    waits: 'waits',
    slow: 'slow'
  }
  const { app, port } = await servePlugins(t, contract, {
    fastify: { http2: true } as object,
    handlers: {
      ...unasked,
      follow: ({ signal, query }: { signal: AbortSignal; query: { case: string } }) => {
        signals.push(signal)
        return { status: 200, body: query.case === 'at once' ? [5] : follow(signal, items[query.case]) }
      },
      bytes: async ({ body }: { body: AsyncIterable<Buffer> }) => {
        try {
          for await (const chunk of body) {
            seen.read += chunk.length
            await once(steps, 'go')
          }
        } catch (error) {
          failures.push(Object(error).failure?.code)
          throw error
        }
        return { status: 200, body: seen.read }
      }
    },
    errorBody: ({ code }: { code: string }) => ({ code }),
    onFailure: ({ code }) => void reported.push(code)
  })
  const session = connect(`http://127.0.0.1:${port}`)
  t.teardown(() => session.destroy())
  session.on('error', () => undefined)
  const get = (name: string) => session.request({ ':path': `/follow?case=${encodeURIComponent(name)}` })
  return { app, session, get, steps, seen, signals, failures, reported }
}

t.test('a client that resets a stream of items ends it', async (t) => {
  const { get, seen, signals } = await steered(t)
  const stream = get('waits')
  const received: string[] = []
  stream.on('data', (chunk) => received.push(String(chunk)))
  await until(() => received.length > 0)
  await sleep(600)
  t.strictSame(received, ['"first"\n'], 'the end of its request is not the end of its interest')
  stream.close()
  await until(() => seen.returned === 1)
  t.equal(signals[0]?.aborted, true)
})

t.test('a client that does not read a stream of items stops its iterator', async (t) => {
  const { get, seen } = await steered(t)
  const stream = get('large')
  await once(stream, 'response')
  await until(() => seen.asked > 1)
  await sleep(200)
  const { asked } = seen
  t.ok(asked < 50, `${asked} items of 10 kB for a window of 64 kB`)
  stream.resume()
  await until(() => seen.asked > asked + 50)
  stream.close()
  await until(() => seen.returned === 1)
})

t.test('a broken item is a 500, or resets the stream and nothing else', async (t) => {
  const { get, seen, reported } = await steered(t)
  const first = get('at once')
  t.match(await once(first, 'response'), [{ ':status': 500 }])
  t.equal(await text(first), '{"code":"response-mismatch"}')
  const later = get('broken')
  const received: string[] = []
  later.on('data', (chunk) => received.push(String(chunk)))
  const [error] = await once(later, 'error')
  t.match(error, { code: 'ERR_HTTP2_STREAM_ERROR' })
  t.strictSame(received, ['"first"\n'])
  t.equal(seen.returned, 1)
  t.strictSame(reported, ['response-mismatch', 'response-mismatch'])
  const next = get('waits')
  t.equal(String((await once(next, 'data'))[0]), '"first"\n', 'the connection serves the next request')
  next.close()
})

t.test('a drain ends streams of items whole, and then the connection', async (t) => {
  const { app, session, get, steps, seen, signals } = await steered(t)
  const [stream, other] = [get('waits'), get('slow')]
  const texts = [text(stream), text(other)]
  await until(() => seen.asked === 2)
  const closed = Promise.all([once(session, 'close'), app.close()])
  t.equal(await texts[0], '"first"\n')
  steps.emit('last')
  t.equal(await texts[1], '"first"\n"slow"\n')
  t.strictSame([stream.rstCode, other.rstCode], [0, 0])
  t.equal(signals[0]?.aborted, true)
  t.equal(seen.returned, 2)
  await closed
})

t.test('an upload is read as its handler asks, and ends with a client that resets it', async (t) => {
  const { session, steps, seen, failures } = await steered(t)
  const post = { ':path': '/bytes', ':method': 'POST', 'content-type': 'a/b' }
  const stream = session.request(post)
  stream.on('error', () => undefined)
  stream.write(Buffer.alloc(5_000_000))
  await until(() => seen.read > 0)
  await sleep(200)
  t.ok(seen.read < 100_000, 'one chunk is read')
  const { remoteWindowSize } = session.state
  t.ok(Number(remoteWindowSize) < 65_536, 'the rest stays with the client')
  stream.close(constants.NGHTTP2_CANCEL)
  const timer = setInterval(() => steps.emit('go'), 5)
  t.teardown(() => clearInterval(timer))
  await until(() => failures.length === 1)
  t.strictSame(failures, ['malformed-http'])
  t.match(await ask(session, post, '12345'), { status: 200 }, 'the connection serves the next request')
})
