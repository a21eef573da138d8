/** A contract in a Fastify that serves HTTP/2, whose requests need no Content-Length. */
import { once } from 'node:events'
import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from 'node:http2'
import { text } from 'node:stream/consumers'
import Fastify from 'fastify'
import t from 'tap'
import { contractRoutes } from '../../../src/engine/server.ts'
import { until } from '../../time.ts'
import { compiled, type Json } from '../serve.ts'

const json = { 'application/json': { schema: { type: 'object', required: ['size'] } } }
const ok = { 200: { description: 'ok', content: { 'application/json': {} } } }
const form = { type: 'object', properties: { file: { type: 'string', format: 'binary' } } }
const streaming = (operationId: string, mediaType: string, media: Json) => ({
  post: { operationId, requestBody: { required: true, content: { [mediaType]: media } }, responses: ok }
})
const contract = await compiled(t, {
  paths: {
    '/bytes': streaming('bytes', 'a/b', { 'x-stream': true }),
    '/form': streaming('form', 'multipart/form-data', { 'x-stream': true, schema: form }),
    '/items': streaming('items', 'application/jsonl', { schema: { type: 'integer' } }),
    '/things': {
      post: { operationId: 'take', requestBody: { required: true, content: json }, responses: ok },
      get: { operationId: 'wait', responses: ok }
    }
  }
})

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
  const app = Fastify({ http2: true, bodyLimit: 100_000 })
  await app.register(contractRoutes, {
    contract,
    security: {},
    handlers: {
      bytes: async ({ body }) => ({ status: 200, body: await lengthOf(body as AsyncIterable<Buffer>) }),
      items: async ({ body }) => ({ status: 200, body: await lengthOf(body as AsyncIterable<number>) }),
      form: ({ body }: { body: { file: { size: number } } }) => ({ status: 200, body: body.file.size }),
      take: ({ body }: { body: { text: string } }) => ({
        status: 200,
        body: { ...body, text: body.text?.length }
      }),
      wait: async ({ signal }: { signal: AbortSignal }) => {
        events.push('waits')
        await once(signal, 'abort')
        events.push('aborted')
        return { status: 200, body: {} }
      }
    },
    errorBody: ({ code }: { code: string }) => ({ code }),
    prefix: '/v1'
  })
  const session = connect(await app.listen({ host: '127.0.0.1', port: 0 }))
  t.teardown(async () => {
    session.close()
    await app.close()
  })
  const post = { ':path': '/v1/things', ':method': 'POST', 'content-type': 'application/json' }
  const long = 'x'.repeat(70_000)
  const rows: [OutgoingHttpHeaders, string | undefined, object][] = [
    [post, '{"size":1}', { status: 200, body: '{"size":1}' }],
    [post, `{"size":1,"text":"${long}"}`, { status: 200, body: '{"size":1,"text":70000}' }],
    [post, `{"size":1,"text":"${long}${long}"}`, { status: 413, body: '{"code":"body-too-large"}' }],
    [post, '{}', { status: 400, body: '{"code":"mismatch"}' }],
    [post, undefined, { status: 400, body: '{"code":"missing-body"}' }],
    [{ ...post, 'content-length': 0 }, '', { status: 400, body: '{"code":"missing-body"}' }],
    [{ ...post, 'content-type': 'text/csv' }, 'a', { status: 415 }],
    [{ ':path': '/v1/things', ':method': 'DELETE' }, undefined, { status: 405, allow: 'GET, HEAD, POST' }],
    [{ ':path': '/v1/nowhere' }, undefined, { status: 404, body: '{"code":"not-found"}' }]
  ]
  const stream = (path: string, type: string) => ({ ...post, ':path': `/v1${path}`, 'content-type': type })
  const part = `--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n${long}\r\n--b--\r\n`
  rows.push(
    [stream('/bytes', 'a/b'), long, { status: 200, body: '70000' }],
    [stream('/bytes', 'a/b'), `${long}${long}`, { status: 413, body: '{"code":"body-too-large"}' }],
    [stream('/form', 'multipart/form-data; boundary=b'), part, { status: 200, body: '70000' }],
    [stream('/items', 'application/jsonl'), '1\n2\n', { status: 200, body: '2' }],
    [stream('/items', 'application/jsonl'), '1\n"', { status: 400, body: '{"code":"malformed-body"}' }]
  )
  for (const [headers, body, answer] of rows)
    t.match(await ask(session, headers, body), answer, String(body).slice(0, 20))
  const left = session.request({ ':path': '/v1/things' })
  left.on('error', () => undefined)
  await until(() => events.includes('waits'))
  left.close()
  await until(() => events.includes('aborted'))
})
