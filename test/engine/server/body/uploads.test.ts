/** Forms with `x-stream`: files in memory and on disk, and what is left of them. */
import { createHash, randomBytes } from 'node:crypto'
import { globSync, mkdtempSync, readdirSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import t from 'tap'
import { parse } from 'yaml'
import { sleep, until } from '../../../time.ts'
import { type Json, request, serve } from '../../serve.ts'
import { exchange } from '../transport/raw-client.ts'

t.setTimeout(900_000)

const names = ['take', 'fail', 'leak', 'echo', 'wait']
const document: Json = parse(
  `
x-operation: &operation
  requestBody:
    required: true
    content:
      multipart/form-data:
        x-stream: true
        x-body-limit: 10000000
        schema:
          type: object
          properties:
            file: &binary { type: string, format: binary }
            files: { type: array, items: *binary }
            short: { <<: *binary, minLength: 2, maxLength: 100000 }
            photo: { type: string, contentMediaType: image/png }
            either: { anyOf: [*binary, { type: object, required: [a], properties: { a: { type: integer } } }] }
            title: { type: string, maxLength: 5000 }
            count: { type: integer, format: int64 }
  responses: { 200: { description: ok, content: { application/json: {}, application/octet-stream: {} } } }
paths:
${names.map((name) => `  /${name}: { post: { <<: *operation, operationId: ${name} } }`).join('\n')}
`,
  { merge: true }
)

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

const kept: { body: Request['body']; signal?: AbortSignal; go: () => void } = {
  body: {},
  go: () => undefined
}
const handlers = {
  take: async ({ body }: Request) => {
    const entries = Object.entries(body).map(async ([name, value]) => [name, await shown(value)])
    return { status: 200, body: Object.fromEntries(await Promise.all(entries)) }
  },
  fail: () => {
    throw new Error('the handler fails')
  },
  leak: ({ body }: Request) => {
    kept.body = body
    ;(body['file'] as File).stream().on('data', () => undefined)
    return { status: 200, body: 'ok' }
  },
  echo: ({ body }: Request) => ({ status: 200, body: (body['file'] as File).stream() }),
  wait: async ({ body, signal }: Request) => {
    Object.assign(kept, { body, signal })
    await new Promise<void>((resolve) => {
      kept.go = resolve
    })
    return { status: 200, body: 'late' }
  }
}

const type = { 'Content-Type': 'multipart/form-data; boundary=b' }
const part = (name: string, bytes: string | Buffer, more = '') =>
  Buffer.concat([
    Buffer.from(`--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`),
    Buffer.from(bytes),
    Buffer.from('\r\n')
  ])
const form = (...parts: readonly Buffer[]) => Buffer.concat([...parts, Buffer.from('--b--\r\n')])
const file = (bytes: Buffer, name = 'file') =>
  part(name, bytes, `; filename="${name}.bin"\r\nContent-Type: a/b`)

/** Makes an empty folder; that of a test belongs to its server. */
function emptyFolder(t: Parameters<typeof serve>[0]): string {
  const made = mkdtempSync(join(tmpdir(), 'uploads-test-'))
  t.teardown(() => rmSync(made, { recursive: true }))
  return made
}
const folder = emptyFolder(t)
const start = (t: Parameters<typeof serve>[0], options = {}) =>
  serve(t, document, { handlers, uploadFolder: folder, ...options })
const { port, ask, log, app } = await start(t)

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
const chunked = { ...type, 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' }
const chunkOf = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const ended = '0\r\n\r\n'

t.test('files arrive as sent, in memory and on disk, in any number and order', async (t) => {
  const asJson = '\r\nContent-Type: application/json'
  const rows: [name: string, parts: Buffer[], body: object][] = [
    ['empty', [file(Buffer.alloc(0))], { file: expected(Buffer.alloc(0)) }],
    ['64 KiB', [file(edge)], { file: expected(edge) }],
    ['a byte more', [file(above)], { file: expected(above) }],
    ['large', [file(large)], { file: expected(large) }],
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
    ],
    ['nothing', [], {}]
  ]
  for (const [name, parts, body] of rows) {
    const answer = await ask(request('POST /take', form(...parts), type))
    t.strictSame([answer.status, answer.value], [200, body], name)
  }
  const chunks =
    form(file(large))
      .toString('latin1')
      .match(/[\s\S]{1,1000}/g) ?? []
  const text = `${request('POST /take', '', chunked)}${chunks.map(chunkOf).join('')}${ended}`
  const answer = await ask(Buffer.from(text, 'latin1'))
  t.match(answer, { status: 200, value: { file: expected(large) } }, 'in chunks')
})

t.test('what does not fit is refused before the handler', async (t) => {
  const send = (body: string | Buffer, headers = {}) => request('POST /fail', body, { ...type, ...headers })
  const png = part('photo', 'x', '\r\nContent-Type: text/plain')
  const tooLarge = /larger than 10000000 bytes/
  const manyParts = form(...Array.from({ length: 1001 }, () => part('a', '')))
  const inChunks = chunkOf(form(file(Buffer.alloc(10_000_000))).toString('latin1'))
  const malformed = /not well-formed/
  const rows: [name: string, sent: Buffer, status: number, message: RegExp][] = [
    ['a length', send('', { 'Content-Length': '10000001' }), 413, tooLarge],
    ['chunks', Buffer.concat([send('', chunked), Buffer.from(inChunks, 'latin1')]), 413, tooLarge],
    ['fields', send(form(part('title', 'x'.repeat(2_000_000)))), 413, /not files are larger than 1048576/],
    ['parts', send(manyParts), 413, /more than 1000 parts/],
    ['a media type', send(form(png, file(large))), 415, /photo must be of media type/],
    ['before the rest', send(png, { 'Content-Length': '9000000' }), 415, /photo must be of media type/],
    ['another boundary', send(form(), { 'Content-Type': 'multipart/form-data; boundary=c' }), 400, malformed],
    ['no boundary', send(form(), { 'Content-Type': 'multipart/form-data' }), 400, malformed],
    ['no end', send(file(large)), 400, malformed],
    ['a short file', send(form(part('short', 'x'))), 400, /body\/short must/],
    ['a long file', send(form(file(large, 'short'))), 400, /body\/short must/],
    ['a text', send(form(part('count', 'x'), file(large))), 400, /body\/count must be integer/],
    ['two files in place of one', send(form(file(large), file(large))), 400, /given more than once/]
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
  const sent = request('POST /wait', form(file(large)), type)
  const path = (name: string) => Buffer.from(sent.toString('latin1').replace('/wait', name), 'latin1')
  const asked = ask(sent)
  await until(() => isFile(kept.body['file']))
  t.strictSame(openFiles(), [large.length])
  t.strictSame(named(), [])
  t.equal(statSync(String(globSync(`${folder}/*`)[0])).mode & 0o777, 0o700)
  kept.go()
  t.match(await asked, { status: 200, value: 'late' })
  await until(() => openFiles().length === 0)
  t.match(await ask(path('/fail')), { status: 500 }, 'the handler throws')
  await until(() => openFiles().length === 0)
  t.match(await ask(path('/leak')), { status: 200 }, 'the handler reads on')
  await until(() => openFiles().length === 0)
  await t.rejects((kept.body['file'] as File).bytes(), /read after the response/)
  for (const share of [0.5, 1]) {
    kept.body = {}
    const client = connect(port, '127.0.0.1')
    client.write(sent.subarray(0, sent.length * share))
    await until(() => openFiles().some((size) => size > 1_000_000 * share))
    if (share === 1) await until(() => isFile(kept.body['file']))
    client.destroy()
    if (share === 1) await until(() => kept.signal?.aborted === true)
    kept.go()
    await until(() => openFiles().length === 0)
    t.strictSame(openFiles(), [], `the client leaves after ${share} of the body`)
  }
})

t.test('a client that falls silent is answered 408, and leaves nothing', async (t) => {
  const { port } = await start(t, { fastify: { requestTimeout: 600 } })
  const sent = request('POST /take', form(file(large)), type).subarray(0, -100)
  const { responses, ending } = await exchange(port, sent.toString('latin1'), { wait: 20_000 })
  t.match([responses, ending], [[{ status: 408 }], 'closed'])
  await until(() => openFiles().length === 0)
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
        socket.write(`${request('POST /take', '', chunked)}${chunkOf(begun)}`)
        let isAnswered = false
        socket.once('data', () => {
          isAnswered = true
        })
        for (let sent = 0; sent < 60 && !isAnswered; sent++) {
          socket.write(chunkOf('x'))
          await sleep(50)
        }
        if (!isAnswered) socket.write(`${chunkOf('\r\n--b--\r\n')}${ended}`)
      }
    })
    t.match(responses, [answer], name)
  }
})

t.test('small files that together are larger than BODY_LIMIT are on disk', async (t) => {
  kept.body = {}
  const parts = Array.from({ length: 20 }, () => file(edge, 'files'))
  const asked = ask(request('POST /wait', form(...parts), type))
  await until(() => Array.isArray(kept.body['files']))
  t.strictSame(openFiles(), [4 * edge.length], 'beyond 1 MiB')
  const files = await Promise.all((kept.body['files'] as File[]).map((each) => each.bytes()))
  t.ok(files.every((bytes) => bytes.equals(edge)))
  kept.go()
  await asked
})

t.test('a stream of a file is a response, and can be piped', async (t) => {
  const payload = form(file(large))
  const response = await app.inject({ method: 'POST', url: '/echo', headers: { ...type }, payload })
  t.equal(digest(response.rawPayload), digest(large))
  kept.body = {}
  const asked = ask(request('POST /wait', payload, type))
  await until(() => isFile(kept.body['file']))
  let size = 0
  await pipeline((kept.body['file'] as File).stream(), createGzip(), async (chunks) => {
    for await (const chunk of chunks) size += chunk.length
  })
  t.ok(size > 2_000_000)
  kept.go()
  t.match(await asked, { status: 200 })
})

t.test('a folder that a system has removed is made again, and goes with the server', async (t) => {
  const base = join(emptyFolder(t), 'a', 'b')
  const { app, ask } = await start(t, { uploadFolder: base })
  const sent = request('POST /take', form(file(large)), type)
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
  const answer = await ask(request('POST /take', form(file(large)), type))
  t.match(answer, { status: 500, value: { code: 'internal', message: 'internal server error' } })
  t.match(
    await ask(request('POST /take', form(file(edge)), type)),
    { status: 200 },
    'a small file needs none'
  )
  t.equal(log.filter(({ level }) => Number(level) >= 50).length, 1)
})
