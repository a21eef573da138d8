/** Forms with `x-stream`: files in memory and on disk, and what is left of them. */
import { createHash, randomBytes } from 'node:crypto'
import { globSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGzip, gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { until } from '../../../time.ts'
import { request } from '../../serve.ts'
import { exchange } from '../transport/raw-client.ts'
import {
  bodies,
  chunk,
  chunked,
  formOf as form,
  form as formType,
  gate,
  inChunks,
  lastChunk,
  part,
  trickle,
  typed
} from './streaming.ts'

t.setTimeout(900_000)

interface File {
  readonly filename: string | undefined
  readonly mediaType: string | undefined
  readonly size: number
  stream(): Readable
  bytes(): Promise<Buffer>
}
interface Request {
  readonly body: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
}

const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const isFile = (value: unknown): value is File => typeof Object(value).stream === 'function'

async function shown(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(shown))
  if (!isFile(value)) return typeof value === 'bigint' ? `${value}n` : value
  const [streamed, again] = [await Array.fromAsync(value.stream()), await Array.fromAsync(value.stream())]
  const bytes = await value.bytes()
  const isSame = [Buffer.concat(streamed), Buffer.concat(again)].every((each) => each.equals(bytes))
  return { name: value.filename, type: value.mediaType, size: value.size, digest: isSame && digest(bytes) }
}

/** Returns names, media types, sizes and digests of the files. */
const take = async ({ body }: Request) => {
  const entries = Object.entries(body).map(async ([name, value]) => [name, await shown(value)])
  return Object.fromEntries(await Promise.all(entries))
}
const fail = () => {
  throw new Error('the handler fails')
}
const kept: { body: Request['body']; signal?: AbortSignal } = { body: {} }
const { wait, open } = gate()
const waiting = async ({ body, signal }: Request) => {
  Object.assign(kept, { body, signal })
  await wait()
  return 'late'
}
const keptFile = () => kept.body['file'] as File

const file = (bytes: Buffer, name = 'file') =>
  part(name, bytes, `; filename="${name}.bin"\r\nContent-Type: a/b`)

/** Makes an empty folder; that of a test belongs to its server. */
function emptyFolder(t: Test): string {
  const made = mkdtempSync(join(tmpdir(), 'uploads-test-'))
  t.teardown(() => rmSync(made, { recursive: true }))
  return made
}
const folder = emptyFolder(t)
const start = (t: Test, options = {}) => bodies(t, { uploadFolder: folder, ...options })
const { port, ask, log, app, handle } = await start(t)
const post = (body: string | Buffer, headers = {}) =>
  request('POST /upload', body, { ...typed(formType), ...headers })

/** Returns the sizes of the files in the folder that this process has open; they have no names. */
function openFiles(): number[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder)
        ? [statSync(`/proc/self/fd/${fd}`).size]
        : []
    } catch {
      return []
    }
  })
}
const named = () => globSync(`${folder}/*/*`)

const large = randomBytes(3_000_000)
const edge = randomBytes(65_536)
const above = randomBytes(65_537)
const expected = (bytes: Buffer, name = 'file') => ({
  name: `${name}.bin`,
  type: 'a/b',
  ...unnamed(bytes)
})
const unnamed = (bytes: string | Buffer) => ({ size: bytes.length, digest: digest(Buffer.from(bytes)) })

t.test('files arrive as sent, in memory and on disk, in any number and order', async (t) => {
  handle(take)
  const asJson = '\r\nContent-Type: application/json'
  const rows: [name: string, parts: Buffer[], body: object][] = [
    ['64 KiB', [file(edge)], { file: expected(edge) }],
    ['a byte more', [file(above)], { file: expected(above) }],
    [
      'several',
      [
        file(large, 'files'),
        part('title', 'a title'),
        file(edge, 'files'),
        file(above, 'files'),
        part('count', '9007199254740993')
      ],
      {
        files: [expected(large, 'files'), expected(edge, 'files'), expected(above, 'files')],
        title: 'a title',
        count: '9007199254740993n'
      }
    ],
    ['without a file name', [part('file', 'abc')], { file: unnamed('abc') }],
    [
      'undeclared',
      [part('other', 'abc'), file(Buffer.from('x'), 'further')],
      { other: 'abc', further: expected(Buffer.from('x'), 'further') }
    ],
    ['a name that is not safe', [part('other', 'abc', '; filename="a/.."')], { other: unnamed('abc') }],
    ['an object beside bytes', [part('either', '{"a":1}', asJson)], { either: { a: 1 } }],
    ['bytes beside an object', [part('either', 'abc')], { either: unnamed('abc') }],
    [
      'JSON that is not the object',
      [part('either', '{"b":1}', asJson)],
      { either: { type: 'application/json', ...unnamed('{"b":1}') } }
    ]
  ]
  for (const [name, parts, body] of rows) {
    const answer = await ask(post(form(...parts)))
    t.strictSame([answer.status, answer.value], [200, body], name)
  }
  const text = chunked('/upload', formType) + inChunks(form(file(large)), 1000)
  const answer = await ask(Buffer.from(text, 'latin1'))
  t.match(answer, { status: 200, value: { file: expected(large) } }, 'in chunks')
})

t.test('what does not fit is refused before the handler', async (t) => {
  handle(fail)
  const png = part('photo', 'x', '\r\nContent-Type: text/plain')
  const tooLarge = /larger than 10000000 bytes/
  const manyParts = form(...Array.from({ length: 1001 }, () => part('a', '')))
  const manyChunks = chunked('/upload', formType) + inChunks(form(file(Buffer.alloc(10_000_000))), 1_000_000)
  const malformed = /not well-formed/
  const rows: [name: string, sent: Buffer, status: number, message: RegExp][] = [
    ['a length', post('', { 'Content-Length': '10000001' }), 413, tooLarge],
    ['chunks', Buffer.from(manyChunks, 'latin1'), 413, tooLarge],
    ['fields', post(form(part('title', 'x'.repeat(2_000_000)))), 413, /not files are larger than 1048576/],
    ['parts', post(manyParts), 413, /more than 1000 parts/],
    ['a media type', post(form(png, file(large))), 415, /photo must be of media type/],
    ['before the rest', post(png, { 'Content-Length': '9000000' }), 415, /photo must be of media type/],
    ['another boundary', post(form(), { 'Content-Type': 'multipart/form-data; boundary=c' }), 400, malformed],
    ['no boundary', post(form(), { 'Content-Type': 'multipart/form-data' }), 400, malformed],
    ['no end', post(file(large)), 400, malformed],
    ['a short file', post(form(part('short', 'x'))), 400, /body\/short must/],
    ['a long file', post(form(file(large, 'short'))), 400, /body\/short must/],
    ['a text', post(form(part('count', 'x'), file(large))), 400, /body\/count must be integer/],
    ['two files in place of one', post(form(file(large), file(large))), 400, /given more than once/]
  ]
  for (const [name, sent, status, message] of rows) {
    const { responses } = await exchange(port, sent.toString('latin1'), { wait: 5000, enough: 1 })
    t.match(responses, [{ status, body: message }], name)
  }
  t.strictSame(
    log.filter(({ level }) => Number(level) >= 50),
    []
  )
})

t.test('a file on disk has no name, and is gone with the response, however that ends', async (t) => {
  const sent = post(form(file(large)))
  handle(waiting)
  const asked = ask(sent)
  await until(() => isFile(keptFile()))
  t.strictSame(openFiles(), [large.length])
  t.strictSame(named(), [])
  t.equal(statSync(String(globSync(`${folder}/*`)[0])).mode & 0o777, 0o700)
  open()
  t.match(await asked, { status: 200, value: 'late' })
  await until(() => openFiles().length === 0)
  handle(fail)
  t.match(await ask(sent), { status: 500 }, 'the handler throws')
  await until(() => openFiles().length === 0)
  handle(({ body }: Request) => {
    kept.body = body
    keptFile()
      .stream()
      .on('data', () => undefined)
    return 'ok'
  })
  t.match(await ask(sent), { status: 200 }, 'the handler reads on')
  await until(() => openFiles().length === 0)
  await t.rejects(keptFile().bytes(), /read after the response/)
  handle(waiting)
  for (const share of [0.5, 1]) {
    kept.body = {}
    const client = connect(port, '127.0.0.1')
    client.write(sent.subarray(0, sent.length * share))
    await until(() => openFiles().some((size) => size > 1_000_000 * share))
    if (share === 1) await until(() => isFile(keptFile()))
    client.destroy()
    if (share === 1) await until(() => kept.signal?.aborted === true)
    open()
    await until(() => openFiles().length === 0)
    t.strictSame(openFiles(), [], `the client leaves after ${share} of the body`)
  }
})

t.test('REQUEST_TIMEOUT bounds the time of a field, and not that of a file', async (t) => {
  const { port } = await start(t, { fastify: { requestTimeout: 1500 } })
  const late = { status: 408, body: /a field of the body has not arrived/ }
  const rows: [name: string, begun: string, answer: object][] = [
    ['a field', String(part('title', 'x')).slice(0, -2), late],
    ['the headers of a part', '--b\r\nX: ', late],
    ['a file', String(file(Buffer.from('x'))).slice(0, -2), { status: 200 }],
    [
      'a file after a field',
      String(form(part('title', 'x'), file(Buffer.from('x')))).slice(0, -9),
      { status: 200 }
    ]
  ]
  for (const [name, begun, answer] of rows) {
    const { responses } = await exchange(port, '', {
      wait: 20_000,
      enough: 1,
      talk: async (socket) => {
        socket.write(chunked('/upload', formType) + chunk(begun))
        const isAnswered = await trickle(socket, 'x', 60)
        if (!isAnswered) socket.write(chunk('\r\n--b--\r\n') + lastChunk)
      }
    })
    t.match(responses, [answer], name)
  }
})

t.test('small files that together are larger than BODY_LIMIT are on disk', async (t) => {
  kept.body = {}
  handle(waiting)
  const parts = Array.from({ length: 20 }, () => file(edge, 'files'))
  const asked = ask(post(form(...parts)))
  await until(() => Array.isArray(kept.body['files']))
  t.strictSame(openFiles(), [4 * edge.length], 'beyond 1 MiB')
  const files = await Promise.all((kept.body['files'] as File[]).map((each) => each.bytes()))
  t.ok(files.every((bytes) => bytes.equals(edge)))
  open()
  await asked
})

t.test('a stream of a file is a response, and can be piped', async (t) => {
  const payload = form(file(large))
  handle(({ body }: Request) => (body['file'] as File).stream())
  const response = await app.inject({ method: 'POST', url: '/upload', headers: typed(formType), payload })
  t.equal(digest(response.rawPayload), digest(large))
  handle(({ body }: Request) => buffer((body['file'] as File).stream().pipe(createGzip())))
  const zipped = await app.inject({ method: 'POST', url: '/upload', headers: typed(formType), payload })
  t.equal(digest(gunzipSync(zipped.rawPayload)), digest(large))
})

t.test('a folder that a system has removed is made again, and goes with the server', async (t) => {
  const base = join(emptyFolder(t), 'a', 'b')
  const { app, ask, handle } = await start(t, { uploadFolder: base })
  handle(take)
  const sent = post(form(file(large)))
  t.match(await ask(sent), { status: 200 })
  const [made] = readdirSync(base)
  rmSync(join(base, String(made)), { recursive: true })
  t.match(await ask(sent), { status: 200 })
  t.equal(readdirSync(base).length, 1)
  await app.close()
  t.strictSame(readdirSync(base), [])
})

t.test('a folder that cannot be written is a 500 without its path', async (t) => {
  const base = join(emptyFolder(t), 'file')
  writeFileSync(base, '')
  const { ask, log } = await start(t, { uploadFolder: base })
  const answer = await ask(post(form(file(large))))
  t.match(answer, { status: 500, value: { code: 'internal', message: 'internal server error' } })
  t.match(await ask(post(form(file(edge)))), { status: 200 }, 'a small file needs none')
  t.equal(log.filter(({ level }) => Number(level) >= 50).length, 1)
})
