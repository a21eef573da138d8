/** Bytes of bodies: bounds, names of files, fields, and bodies that end before anybody reads them. */
import { once } from 'node:events'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import Fastify, { type FastifyReply } from 'fastify'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import type { FieldSpec } from '../../../../src/engine/model/parameter.ts'
import { BodyStream } from '../../../../src/engine/server/body/body-stream.ts'
import { urlencodedForm } from '../../../../src/engine/server/body/form.ts'
import { malformedBody } from '../../../../src/engine/server/body/parse.ts'
import { readBytes } from '../../../../src/engine/server/body/payload.ts'
import { bodyExpectation } from '../../../../src/engine/server/body/receive.ts'
import type { FailureError } from '../../../../src/engine/server/errors/failure.ts'
import { cpuGrowth } from '../../../cpu-time.ts'
import { sleep, until } from '../../../time.ts'
import { ask as askAt, compiled, request, serve } from '../../serve.ts'

t.setTimeout(900_000)

const octets = 'application/octet-stream'
const urlencoded = 'application/x-www-form-urlencoded'
const multipartType = 'multipart/form-data; boundary=b'
const contract = await compiled(
  t,
  parse(`
paths:
  /any: { post: { operationId: any, requestBody: { content: { '*/*': {} } }, responses: &ok { 200: { description: ok } } } }
  /free: { post: { operationId: free, requestBody: { content: { multipart/form-data: {} } }, responses: *ok } }
  /files:
    post:
      operationId: files
      requestBody:
        content:
          multipart/form-data:
            schema: { type: object, properties: { file: &file { type: string, format: binary }, files: { type: array, items: *file } } }
      responses: *ok
`)
)

interface File {
  readonly filename: string | undefined
  readonly mediaType: string | undefined
}
type Files = Readonly<Record<string, (Buffer & File) | readonly (Buffer & File)[]>>
let received: Files = {}
const take = ({ body }: { readonly body: Files }) => {
  received = body
  return { status: 200 }
}
const handlers = { any: take, free: take, files: take }
const { ask } = await serve(t, contract, { handlers, fastify: { bodyLimit: 2000 } })

type Headers = Readonly<Record<string, string | undefined>>
const post = (path: string, type: string, body: string | Buffer, headers: Headers = {}) =>
  ask(request(`POST /${path}`, body, { 'Content-Type': type, ...headers }))
const chunked = { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' }

const multipart = (...parts: readonly string[]) =>
  Buffer.from(`${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`, 'latin1')
/** Returns a part of a form; `name` may have further parameters. */
const part = (name: string, bytes: string) => `Content-Disposition: form-data; name=${name}\r\n\r\n${bytes}`

t.test('a body of any kind has at most bodyLimit bytes', async (t) => {
  const half = 'x'.repeat(1500)
  const manyChunks = `3e8\r\n${'x'.repeat(1000)}\r\n`.repeat(500)
  const value = { code: 'body-too-large', message: 'the body is larger than 2000 bytes' }
  const rows: readonly (readonly [path: string, type: string, body: string | Buffer, headers?: Headers])[] = [
    ['any', 'application/json', `7d1\r\n${' '.repeat(2001)}`, chunked],
    ['free', multipartType, multipart(part('a; filename="x"', half), part('b; filename="x"', half))],
    ['free', multipartType, manyChunks, chunked]
  ]
  for (const row of rows) t.match(await post(...row), { status: 413, value }, row[1])
  t.equal((await post('any', 'text/plain', 'x'.repeat(2000))).status, 200)
})

t.test('the boundary of a form has at most 252 characters', async (t) => {
  for (const status of [200, 400]) {
    const boundary = 'b'.repeat(status === 200 ? 252 : 253)
    const body = `--${boundary}\r\n${part('a', '1')}\r\n--${boundary}--\r\n`
    t.equal((await post('free', `multipart/form-data; boundary=${boundary}`, body)).status, status)
  }
})

t.test('an error that is not of the JSON parser stays as it is', async (t) => {
  const bug = new TypeError('internal')
  t.equal(malformedBody(bug), bug)
})

t.test('without declared media types, a refusal names none', async (t) => {
  const requestBody = { required: true, content: [] }
  const expect = bodyExpectation({ operationId: 'o', requestBody, responses: {} } as never, 10)
  const refusal = (headers: Headers) => Object(t.throws(() => expect(incoming(headers)))).failure
  t.match(refusal({}), { status: 400, message: 'a body is required' })
  const refused = refusal({ 'content-type': 'text/csv', 'content-length': '5' })
  t.match(refused, { status: 415, message: /^media type text\/csv is not supported$/ })
  t.same(refused.headers, {})
})

const shownFile = (file: unknown) => {
  const { filename, mediaType } = file as File
  return [String(file), filename, mediaType]
}
const disposition = 'Content-Disposition: form-data; name="file"'

t.test('a handler gets the bytes of a part with its file name and media type', async (t) => {
  const rows: [headers: string, filename: string | undefined, mediaType?: string][] = [
    ['Content-Disposition: form-data; name=file', undefined],
    [`${disposition}; filename="a b.png"\r\nContent-Type: image/png`, 'a b.png', 'image/png'],
    [`${disposition}; filename=""\r\nContent-Type: Image/PNG; a=1`, '', 'image/png'],
    [`${disposition}; filename="C:\\\\docs\\\\a.txt"`, 'a.txt'],
    [`${disposition}; filename="na\xc3\xafve \\"x\\".txt"`, 'naïve "x".txt'],
    [`${disposition}; filename="x"; filename*=UTF-8''na%C3%AFve.txt`, 'naïve.txt'],
    [`${disposition}; filename="x"; filename*=UTF-8''%zz`, 'x'],
    [`${disposition}; filename*=UTF-8''..%2F..%5Ca.txt`, 'a.txt'],
    [`${disposition}; filename="x"; filename*=latin1''a`, 'x'],
    [`content-type: nonsense\r\ncontent-disposition:Form-Data;name="file"`, undefined]
  ]
  for (const [headers, filename, mediaType] of rows) {
    await post('files', multipartType, multipart(`${headers}\r\n\r\nbytes`))
    t.same(shownFile(received['file']), ['bytes', filename, mediaType], headers)
  }
  t.ok(isDeepStrictEqual({ ...received }, { file: Buffer.from('bytes') }), 'it is a Buffer like any other')
  const each = (name: string, bytes: string) =>
    `Content-Disposition: form-data; name="files"; filename="${name}"\r\nContent-Type: text/${name}\r\n\r\n${bytes}`
  await post('files', multipartType, multipart(each('a', '1'), each('b', '22'), each('c', '')))
  t.same([received['files']].flat().map(shownFile), [
    ['1', 'a', 'text/a'],
    ['22', 'b', 'text/b'],
    ['', 'c', 'text/c']
  ])
})

t.test('a name that is a folder, or that holds a control character or a line break, is none', async (t) => {
  const sent = async (headers: string) =>
    (await post('files', multipartType, multipart(`${headers}\r\n\r\nbytes`))).status
  const encoded = 'a%00.txt a%0D%0AX%3A%20y a%7F a%C2%85 a%E2%80%A8b b%2F.. %2E%2E'.split(' ')
  const plain = ['..', '.', 'a/..', 'a\\\\..', 'a\tb', 'a\xe2\x80\xa8b', 'a\xc2\x85b']
  const names = [
    ...encoded.map((name) => `filename="x"; filename*=UTF-8''${name}`),
    ...plain.map((name) => `filename="${name}"`)
  ]
  for (const name of names) {
    t.equal(await sent(`${disposition}; ${name}`), 200)
    t.same(shownFile(received['file']), ['bytes', undefined, undefined], encodeURIComponent(name))
    await sent(`Content-Disposition: form-data; name=other; ${name}`)
    t.ok(Buffer.isBuffer(received['other']), 'a part with any name is a file, also where it is not declared')
  }
  for (const raw of ['a\0b', '\x1b[2J', '\x7f']) t.equal(await sent(`${disposition}; filename="${raw}"`), 400)
})

t.test('a form has at most a thousand fields, which are counted before they are parsed', async (t) => {
  const form = (count: number) => Array.from({ length: count }, (_, index) => `a${index}=1`).join('&')
  const read = (text: string, more: object = {}) => {
    const { read, specs } = urlencodedForm(text, { mediaType: urlencoded, kind: 'form', ...more })
    return read(specs)
  }
  t.equal(Object.keys(read(form(1000))).length, 1000)
  const refused = (count: number) => {
    const text = form(count)
    return () => {
      try {
        return read(text)
      } catch (error) {
        return (error as Error).message
      }
    }
  }
  const [short, long, runs] = [refused(1_001), refused(20_000), 2_000]
  for (const refuse of [short, long]) t.equal(refuse(), 'the body has more than 1000 fields')
  const longRuns = () => {
    for (let run = 0; run < runs; run++) long()
  }
  t.ok(cpuGrowth(runs, short, longRuns) < 5, 'the rest costs nothing: parsed, it would be about 20')
  const sparse = `&&${form(2)}&&&a2=1${'&'.repeat(100_000)}`
  t.same(read(sparse), { a0: '1', a1: '1', a2: '1' }, 'what is empty is no field')
  const field = {
    name: 'meta',
    key: 'meta',
    in: 'query',
    required: false,
    style: 'form',
    explode: true
  } as const
  const shape = { types: [], properties: { a: { types: ['string'] } } } as const
  const open: FieldSpec = { ...field, shape: { ...shape, additional: { types: ['string'] } } }
  const additional: FieldSpec = { ...field, shape: { types: ['integer'] } }
  t.same(read('b=2', { fields: [open], additional }), { b: 2 }, 'where a form and an object allow any name')
  const members = { meta: { a: 'x' }, b: '2', 'meta[a]': 'y' }
  t.same(read('a=x&b=2&meta[a]=y', { fields: [{ ...field, shape }] }), members)
})

function incoming(headers: Headers): IncomingMessage {
  return Object.assign(new IncomingMessage(new Socket()), { headers })
}
const codeOf = (reading: Promise<unknown>) =>
  reading.then(String, ({ failure }: FailureError) => failure.code)

t.test('the bytes of a body are read to its declared end, in no more memory than they need', async (t) => {
  const reading = (chunks: readonly string[], limit: number, headers: Headers = {}) => {
    const request = incoming(headers)
    const found = codeOf(readBytes(request, limit))
    for (const chunk of chunks) request.push(Buffer.from(chunk))
    request.push(null)
    return found
  }
  t.equal(await reading(['he', 'l', 'lo'], 5), 'hello')
  t.equal(await reading(['he', 'llo!'], 5), 'body-too-large')
  t.equal(await reading([], 10, { 'content-length': '6' }), 'malformed-http', 'other than declared')
  const request = incoming({})
  const body = readBytes(request, 200_000)
  for (let i = 0; i < 200_000; i++) request.push(Buffer.of(i % 256))
  request.push(null)
  const { length, buffer } = await body
  t.equal(length, 200_000)
  t.ok((await body).every((byte, index) => byte === index % 256))
  t.ok(buffer.byteLength <= 400_000)
  const endless = incoming({})
  const refused = codeOf(readBytes(endless, 10))
  for (let i = 0; i < 100; i++) endless.push(Buffer.alloc(10_000))
  t.equal(await refused, 'body-too-large')
  await sleep(10)
  t.equal(endless.readableLength, 0, 'the rest is discarded')
  endless.destroy(new Error('lost'))
  await sleep(10)
  t.ok(endless.destroyed, 'and its loss is nothing to anyone')
})

/** Sends one body, and returns what `read` makes of its request, such as while the code of the contract is loaded. */
async function before(t: Test, read: (reply: FastifyReply) => Promise<unknown>): Promise<unknown> {
  const app = Fastify({ forceCloseConnections: true })
  t.teardown(() => app.close())
  let found: unknown
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  app.addHook('onRequest', async (_request, reply) => {
    found = await read(reply).catch((error: unknown) => error)
    return reply.send('')
  })
  app.post('/', async () => '')
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  await askAt(Number(port), request('POST /', 'abc', { 'Content-Type': octets })).catch(() => undefined)
  await until(() => found !== undefined)
  return found
}

t.test('a body that has ended, or is lost, before anybody reads it', async (t) => {
  const readers = {
    bytes: ({ request }: FastifyReply) => readBytes(request.raw, 10),
    stream: (reply: FastifyReply) => buffer(new BodyStream(reply, 10))
  }
  for (const [name, read] of Object.entries(readers)) {
    const lost = await before(t, async (reply) => {
      const { raw } = reply.request
      raw.on('error', () => undefined).destroy()
      await once(raw, 'close')
      return read(reply)
    })
    t.match(lost, { failure: { status: 400 } }, name)
    const ended = await before(t, async (reply) => {
      await buffer(reply.request.raw)
      return (await read(reply)).length
    })
    t.equal(ended, 0, name)
  }
  const longer = await before(t, async (reply) => {
    await buffer(reply.request.raw)
    reply.request.raw.headers['content-length'] = '4'
    return readers.stream(reply)
  })
  t.match(longer, { failure: { status: 400 } }, 'a declared length that is not that of the bytes')
})
