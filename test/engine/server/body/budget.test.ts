/**
 * Memory and event-loop turns that bodies take of a server: turns are counted, because the time of a turn depends
 * on the machine.
 */
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { budgetOf } from '../../../../src/engine/server/body/budget.ts'
import { SentParts } from '../../../../src/engine/server/body/multipart.ts'
import { nextTurn } from '../../../../src/engine/server/body/turns.ts'
import { until } from '../../../time.ts'
import { compiled, request, type Served, serve } from '../../serve.ts'
import { exchange } from '../transport/raw-client.ts'

t.setTimeout(900_000)

const contract = await compiled(
  t,
  parse(`
paths:
  /small: { get: { operationId: small, responses: &responses { 200: { description: ok, content: { application/json: {} } } } } }
  /take:
    post:
      operationId: take
      requestBody: { content: { application/octet-stream: {}, multipart/form-data: {} } }
      responses: *responses
  /stream:
    post:
      operationId: stream
      requestBody: { content: { application/octet-stream: { x-stream: true, x-body-limit: 50000000 } } }
      responses: *responses
  /items:
    post:
      operationId: items
      requestBody:
        content:
          application/jsonl: { schema: { type: array, items: {} } }
          application/json-seq: { itemSchema: {} }
          text/event-stream: { itemSchema: { type: string } }
      responses: *responses
  /upload:
    post: { operationId: upload, requestBody: { content: { multipart/form-data: { x-stream: true } } }, responses: *responses }
`)
)
const seen = { turns: 0, began: 0, taken: 0, items: 0, mostInTurn: 0, ended: 0 }
const whole = () => {
  seen.taken = seen.turns - seen.began
  return { status: 200, body: 'ok' }
}
interface Request {
  readonly body: AsyncIterable<Buffer>
}
const handlers = {
  small: whole,
  take: whole,
  upload: whole,
  items: async ({ body }: Request) => {
    let [turn, inTurn] = [seen.turns, 0]
    for await (const _ of body) {
      inTurn = turn === seen.turns ? inTurn + 1 : 1
      turn = seen.turns
      seen.items++
      seen.mostInTurn = Math.max(seen.mostInTurn, inTurn)
    }
    seen.ended++
    return whole()
  },
  stream: async ({ body }: Request) => {
    let bytes = 0
    for await (const chunk of body) bytes += chunk.length
    return { status: 200, body: bytes }
  }
}
const bytes = { 'Content-Type': 'application/octet-stream' }
const size = 200_000
const taken = request('POST /take', Buffer.alloc(size), bytes)
const overloaded = { status: 503, value: { code: 'overloaded' } }

/** Starts a server with room for five bodies of 200,000 bytes. */
const room = (t: Test) =>
  serve(t, contract, {
    handlers,
    maxBodyBytes: 5 * size,
    fastify: { bodyLimit: size, requestTimeout: 60_000 }
  })

/** Opens a connection, and sends what begins a body. */
function begin(t: Test, port: number, sent: string | Buffer): Socket {
  const client = connect(port, '127.0.0.1')
  t.teardown(() => client.destroy())
  client.write(sent)
  return client
}

/** Sends all but the last byte of `count` bodies, and waits until the server has read them. */
async function hold(t: Test, { app, port }: Served, count: number, whole = taken): Promise<Socket[]> {
  const accepted: Socket[] = []
  app.server.on('connection', (socket) => accepted.push(socket))
  const clients = Array.from({ length: count }, () => begin(t, port, whole.subarray(0, -1)))
  await until(() => accepted.reduce((sum, { bytesRead }) => sum + bytesRead, 0) >= count * (whole.length - 1))
  return clients
}

const inChunks = (type: string) => ({
  'Content-Type': type,
  'Content-Length': undefined,
  'Transfer-Encoding': 'chunked'
})
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const multipart = 'multipart/form-data; boundary=b'
const part = (name: string, text: string, more = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${text}`

t.test('beyond the bytes of all bodies a request is refused before its body is read', async (t) => {
  const served = await room(t)
  const clients = await hold(t, served, 5)
  const head = taken.subarray(0, -size).toString('latin1')
  for (const sent of [head, head.replace('Host', 'Expect: 100-continue\r\nHost')]) {
    const { responses } = await exchange(served.port, sent, { wait: 5000, enough: 1 })
    t.match(responses, [{ status: 503, body: /"overloaded"/ }])
    t.equal(responses.length, 1, 'without 100 Continue')
    t.match(responses[0]?.headers.get('retry-after'), /^\d+$/)
  }
  t.equal((await served.ask(request('POST /take', Buffer.alloc(16_384), bytes))).status, 200, 'a small body')
  const large = request('POST /stream', Buffer.alloc(20 * size), bytes)
  t.match(await served.ask(large), { status: 200, value: 20 * size }, 'a streamed body takes no room')
  for (const client of clients) client.destroy()
  await until(async () => (await served.ask(taken)).status === 200)
  for (let turn = 0; turn < 20; turn++)
    t.equal((await served.ask(taken)).status, 200, 'the bytes are given back')
})

t.test('a body is refused as soon as there is no room for its next bytes', async (t) => {
  const served = await room(t)
  await hold(t, served, 4)
  const sent = `${request('POST /take', '', inChunks('application/octet-stream'))}${chunk('x'.repeat(65_536)).repeat(3)}`
  let answers = ''
  for (let count = 0; count < 2; count++)
    begin(t, served.port, sent).on('data', (text) => {
      answers += text
    })
  await until(() => answers !== '')
  t.match(answers, /^HTTP\/1.1 503 /)
})

t.test('the parts of multipart bodies are counted, too', async (t) => {
  const served = await room(t)
  const body = `${part('file', 'x'.repeat(size - 200))}\r\n--b--\r\n`
  const whole = request('POST /take', body, { 'Content-Type': multipart })
  t.equal((await served.ask(whole)).status, 200)
  await hold(t, served, 5, whole)
  t.match(await served.ask(whole), overloaded)
})

t.test('what streams hold takes no room of other bodies, and theirs none of streams', async (t) => {
  const text = 'x'.repeat(0.9 * size)
  const parts = (names: string, length: number, more = '') =>
    [...names].map((name) => `${part(name, text.slice(0, length), more)}\r\n`).join('')
  const rows: [name: string, path: string, mediaType: string, begun: string][] = [
    ['a line', '/items', 'application/jsonl', `"${text}`],
    ['a JSON text', '/items', 'application/json-seq', `\x1e"${text}`],
    ['a line of an event', '/items', 'text/event-stream', `data: ${text}`],
    ['lines of an event', '/items', 'text/event-stream', `data: ${text.slice(0, 5000)}\n`.repeat(36)],
    ['a field of a form', '/upload', multipart, part('text', text)],
    ['fields of a form', '/upload', multipart, parts('abcd', 45_000)],
    ['files of a form', '/upload', multipart, parts('abc', 60_000, '; filename="x"')],
    ['headers of a form', '/upload', multipart, parts('ttt', 0, `\r\nX: ${text.slice(0, 60_000)}`)]
  ]
  for (const [name, path, mediaType, begun] of rows) {
    const served = await room(t)
    // Together more than the budget of 1,000,000 bytes.
    let answers = ''
    for (let count = 0; count < 11; count++) {
      const sent = `${request(`POST ${path}`, '', inChunks(mediaType))}${chunk(begun)}`
      begin(t, served.port, sent).on('data', (text) => {
        answers += text
      })
    }
    await until(() => answers.includes('overloaded'))
    t.strictSame([...new Set(answers.match(/HTTP\/1.1 \d+/g))], ['HTTP/1.1 503'], name)
    t.equal((await served.ask(taken)).status, 200, `${name}: another body is read`)
  }
  const served = await room(t)
  await hold(t, served, 5)
  t.match(await served.ask(taken), overloaded)
  for (const [name, path, mediaType, begun] of rows) {
    const whole = `${begun}${mediaType === multipart ? '\r\n--b--\r\n' : '"\n\n'}`
    const answer = await served.ask(request(`POST ${path}`, whole, { 'Content-Type': mediaType }))
    t.ok([200, 400].includes(answer.status), `${name}: ${answer.status} beside bodies that fill their budget`)
  }
})

t.test('an item that is read gives its room back, and so does a file on disk', async (t) => {
  const served = await room(t)
  const large = 'x'.repeat(150_000)
  const file = part('file', large, '; filename="x"')
  seen.items = 0
  for (let count = 0; count < 8; count++) {
    begin(
      t,
      served.port,
      `${request('POST /items', '', inChunks('application/jsonl'))}${chunk(`"${large}"\n`)}`
    )
    begin(t, served.port, `${request('POST /upload', '', inChunks(multipart))}${chunk(file)}`)
  }
  await until(() => seen.items === 8)
  const whole = request('POST /items', `"${large}"`, { 'Content-Type': 'application/jsonl' })
  t.equal((await served.ask(whole)).status, 200)
})

t.test('a budget counts nothing after the response, and gets back what was reserved', async (t) => {
  const response = (closed?: boolean) =>
    Object.assign(new EventEmitter(), { closed }) as unknown as ServerResponse
  const budget = budgetOf(50_000)
  const first = response()
  const reserve = budget(undefined, first)
  reserve(60_000)
  t.throws(() => budget(undefined, response())(30_000), { message: 'the service is overloaded' })
  reserve(-30_000)
  first.emit('close')
  for (const bytes of [50_000, -50_000, -60_000]) reserve(bytes)
  budget(undefined, response(true))(60_000)
  t.throws(() => budget(undefined, response())(66_385), { message: 'the service is overloaded' })
  budget(undefined, response())(66_384)
})

const slice = 65_536
/** The whole body is there at once, as from a hook that has read it: only pacing gives others a turn. */
const atOnce = (bytes: Buffer): Readable =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / slice) }, (_, index) =>
      bytes.subarray(index * slice, (index + 1) * slice)
    )
  )
let content: Buffer = Buffer.alloc(0)
const { port, ask } = await serve(t, contract, {
  handlers,
  extend: (app) => {
    app.addHook('preParsing', async ({ headers }, _reply, payload) => {
      seen.began = seen.turns
      return headers['x-at-once'] === undefined ? payload : atOnce(content)
    })
  }
})

let isCounting = false
const count = (): void => {
  seen.turns++
  if (isCounting) setImmediate(count)
}
t.teardown(() => {
  isCounting = false
})

t.test('readers have a turn each, in the order of their calls', async (t) => {
  isCounting = true
  count()
  const turns: [reader: number, turn: number][] = []
  await Promise.all(
    Array.from({ length: 3 }, async (_, reader) => {
      for (let count = 0; count < 3; count++) {
        await nextTurn()
        turns.push([reader, seen.turns])
      }
    })
  )
  t.strictSame(
    turns.map(([reader]) => reader),
    [0, 1, 2, 0, 1, 2, 0, 1, 2]
  )
  t.equal(new Set(turns.map(([, turn]) => turn)).size, turns.length, 'never two in one turn')
})

const million = 1_000_000
const filled = (text: string, end = ''): Buffer =>
  Buffer.from(text.repeat(Math.floor(million / text.length)) + end)

t.test('a body of 1 MB leaves turns to others, whatever it is made of', async (t) => {
  const inPart = Buffer.from(`${part('a', '')}${filled('\r\n')}\r\n--b--\r\n`)
  const rows: [name: string, path: string, mediaType: string, body: Buffer, most: number][] = [
    ['lines', '/items', 'application/jsonl', filled('1\n'), 1024],
    ['blank lines', '/items', 'application/jsonl', filled('\n'), 0],
    ['texts', '/items', 'application/json-seq', filled('\x1e1\n'), 1024],
    ['separators', '/items', 'application/json-seq', filled('\x1e'), 0],
    ['one text', '/items', 'application/json-seq', filled('\x1e['.padEnd(million, '\n')), 0],
    ['events', '/items', 'text/event-stream', filled('data\n\n'), 1024],
    ['comments', '/items', 'text/event-stream', filled(':\n'), 0],
    ['lines of one event', '/items', 'text/event-stream', filled('data\n', '\n'), 1],
    ['line feeds in a form', '/take', multipart, inPart, 0],
    ['line feeds in an upload', '/upload', multipart, inPart, 0]
  ]
  for (const [name, path, mediaType, body, most] of rows) {
    Object.assign(seen, { items: 0, mostInTurn: 0 })
    content = body
    const sent = request(`POST ${path}`, 'x', { 'Content-Type': mediaType, 'X-At-Once': '1' })
    await exchange(port, String(sent), { wait: 60_000, enough: 1 })
    t.ok(seen.taken >= Math.floor(body.length / slice), `${name}: ${seen.taken} turns`)
    t.ok(seen.mostInTurn <= most, `${name}: ${seen.mostInTurn} items in a turn`)
    t.ok(seen.items >= most, `${name}: ${seen.items} items`)
  }
})

t.test('another request is answered while 16 clients send tiny items', async (t) => {
  Object.assign(seen, { items: 0, ended: 0 })
  const sent = request('POST /items', filled('1\n'), { 'Content-Type': 'application/jsonl' })
  for (let client = 0; client < 16; client++) begin(t, port, sent)
  await until(() => seen.items > 0)
  t.equal((await ask(request('GET /small'))).status, 200)
  t.equal(seen.ended, 0, 'answered before any of the streams has ended')
  t.ok(seen.items < (16 * million) / 2, `after ${seen.items} items`)
})

t.test('parsing stops at the limit of parts', async (t) => {
  const { Dicer } = await import('@fastify/busboy')
  const sent = new SentParts(new Dicer({ boundary: 'b' }))
  await t.rejects(sent.write(filled('--b\r\n')), { message: 'the body has more than 1000 parts' })
  t.equal(sent.list.length, 1_001)
  const form = (parts: number) => `${`${part('a', 'b')}\r\n`.repeat(parts)}--b--\r\n`
  const send = (path: string, body: string | Buffer) =>
    ask(request(`POST ${path}`, body, { 'Content-Type': multipart }))
  for (const path of ['/take', '/upload']) {
    for (const body of [form(1001), filled('--b\r\n')])
      t.match(
        await send(path, body),
        { status: 413, value: { message: 'the body has more than 1000 parts' } },
        path
      )
    t.match(await send(path, form(1000)), { status: 400, value: { code: 'mismatch' } }, 'a thousand are read')
  }
})
