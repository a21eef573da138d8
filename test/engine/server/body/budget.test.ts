/**
 * Memory and event-loop turns that bodies take of a server: turns are counted, because the time of a turn depends
 * on the machine.
 */
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import { budgetOf } from '../../../../src/engine/server/body/budget.ts'
import { SentParts } from '../../../../src/engine/server/body/multipart.ts'
import { nextTurn } from '../../../../src/engine/server/body/turns.ts'
import { until } from '../../../time.ts'
import { request } from '../../serve.ts'
import { exchange } from '../transport/raw-client.ts'
import {
  begin,
  bodies,
  chunk,
  chunked,
  events,
  lines,
  form as multipart,
  octets,
  part as partOf,
  texts,
  typed
} from './streaming.ts'

t.setTimeout(900_000)

const seen = { turns: 0, began: 0, taken: 0, items: 0, mostInTurn: 0, ended: 0 }
interface Request {
  readonly operation: { readonly operationId: string }
  readonly body: AsyncIterable<Buffer>
}
/** Reads bytes and items. */
async function handler({ operation, body }: Request) {
  if (operation.operationId === 'large') {
    let bytes = 0
    for await (const chunk of body) bytes += chunk.length
    return bytes
  }
  if (operation.operationId === 'free') {
    let [turn, inTurn] = [seen.turns, 0]
    for await (const _ of body) {
      inTurn = turn === seen.turns ? inTurn + 1 : 1
      turn = seen.turns
      seen.items++
      seen.mostInTurn = Math.max(seen.mostInTurn, inTurn)
    }
    seen.ended++
  }
  seen.taken = seen.turns - seen.began
  return 'ok'
}
const size = 200_000
const taken = request('POST /take', Buffer.alloc(size), typed(octets))
const overloaded = { status: 503, value: { code: 'overloaded' } }

/** Starts a server with room for five bodies of 200,000 bytes. */
async function room(t: Test) {
  const served = await bodies(t, { maxBodyBytes: 5 * size, fastify: { bodyLimit: size } })
  served.handle(handler)
  return served
}
type Room = Awaited<ReturnType<typeof room>>

/** Sends all but the last byte of `count` bodies, and waits until the server has read them. */
async function hold(t: Test, { app, port }: Room, count: number, whole = taken): Promise<Socket[]> {
  const accepted: Socket[] = []
  app.server.on('connection', (socket) => accepted.push(socket))
  const clients = Array.from({ length: count }, () => begin(t, port, whole.subarray(0, -1)))
  await until(() => accepted.reduce((sum, { bytesRead }) => sum + bytesRead, 0) >= count * (whole.length - 1))
  return clients
}

/** Returns a part of a form without the line break at its end. */
const part = (name: string, text: string, more = '') => String(partOf(name, text, more)).slice(0, -2)

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
  t.equal(
    (await served.ask(request('POST /take', Buffer.alloc(16_384), typed(octets)))).status,
    200,
    'a small body'
  )
  const large = request('POST /large', Buffer.alloc(20 * size), typed(octets))
  t.match(await served.ask(large), { status: 200, value: 20 * size }, 'a streamed body takes no room')
  for (const client of clients) client.destroy()
  await until(async () => (await served.ask(taken)).status === 200)
  for (let turn = 0; turn < 20; turn++)
    t.equal((await served.ask(taken)).status, 200, 'the bytes are given back')
})

t.test('a body is refused as soon as there is no room for its next bytes', async (t) => {
  const served = await room(t)
  await hold(t, served, 4)
  const sent = chunked('/take', octets) + chunk('x'.repeat(65_536)).repeat(3)
  let answers = ''
  for (let count = 0; count < 2; count++)
    begin(t, served.port, sent).on('data', (text) => {
      answers += text
    })
  await until(() => answers !== '')
  t.match(answers, /^HTTP\/1.1 503 /)
})

t.test('what streams hold takes no room of other bodies, and theirs none of streams', async (t) => {
  const text = 'x'.repeat(0.9 * size)
  const parts = (names: string, length: number, more = '') =>
    [...names].map((name) => `${part(name, text.slice(0, length), more)}\r\n`).join('')
  const rows: [name: string, path: string, mediaType: string, begun: string][] = [
    ['a line', '/free', lines, `"${text}`],
    ['a JSON text', '/free', texts, `\x1e"${text}`],
    ['a line of an event', '/free', events, `data: ${text}`],
    ['lines of an event', '/free', events, `data: ${text.slice(0, 5000)}\n`.repeat(36)],
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
      const sent = chunked(path, mediaType) + chunk(begun)
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
    const answer = await served.ask(request(`POST ${path}`, whole, typed(mediaType)))
    t.ok([200, 400].includes(answer.status), `${name}: ${answer.status} beside bodies that fill their budget`)
  }
})

t.test('an item that is read gives its room back, and so does a file on disk', async (t) => {
  const served = await room(t)
  const large = 'x'.repeat(150_000)
  const file = part('file', large, '; filename="x"')
  seen.items = 0
  for (let count = 0; count < 8; count++) {
    begin(t, served.port, chunked('/free', lines) + chunk(`"${large}"\n`))
    begin(t, served.port, chunked('/upload', multipart) + chunk(file))
  }
  await until(() => seen.items === 8)
  const whole = request('POST /free', `"${large}"`, typed(lines))
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
const { port, ask, handle } = await bodies(t, {
  extend: (app) => {
    app.addHook('preParsing', async ({ headers }, _reply, payload) => {
      seen.began = seen.turns
      return headers['x-at-once'] === undefined ? payload : atOnce(content)
    })
  }
})
handle(handler)

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
    ['lines', '/free', lines, filled('1\n'), 1024],
    ['blank lines', '/free', lines, filled('\n'), 0],
    ['texts', '/free', texts, filled('\x1e1\n'), 1024],
    ['separators', '/free', texts, filled('\x1e'), 0],
    ['one text', '/free', texts, filled('\x1e['.padEnd(million, '\n')), 0],
    ['events', '/free', events, filled('data\n\n'), 1024],
    ['comments', '/free', events, filled(':\n'), 0],
    ['lines of one event', '/free', events, filled('data\n', '\n'), 1],
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
  const sent = request('POST /free', filled('1\n'), typed(lines))
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
  const send = (path: string, body: string | Buffer) => ask(request(`POST ${path}`, body, typed(multipart)))
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
