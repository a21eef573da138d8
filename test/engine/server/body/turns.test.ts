/** Turns of the event loop that large bodies take: counted, because the time of a turn depends on the machine. */
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import t from 'tap'
import { SentParts } from '../../../../src/engine/server/body/multipart.ts'
import { nextTurn } from '../../../../src/engine/server/body/turns.ts'
import { until } from '../../../time.ts'
import { type Json, request, serve } from '../../serve.ts'

const size = 1_000_000
const slice = 65_536
const answered: Json = { 200: { description: 'ok', content: { 'application/json': {} } } }
const operation = (operationId: string, content: Json): Json => ({
  post: { operationId, requestBody: { content }, responses: answered }
})
const document: Json = {
  paths: {
    '/items': operation('items', {
      'application/jsonl': { itemSchema: {} },
      'application/json-seq': { itemSchema: {} },
      'text/event-stream': { itemSchema: { type: 'string' } }
    }),
    '/form': operation('form', { 'multipart/form-data': {} }),
    '/upload': operation('upload', { 'multipart/form-data': { 'x-stream': true } }),
    '/small': { get: { operationId: 'small', responses: answered } }
  }
}

const seen = { turns: 0, began: 0, taken: 0, items: 0, mostInTurn: 0, ended: 0 }
interface Request {
  readonly body: AsyncIterable<unknown>
}
const whole = () => {
  seen.taken = seen.turns - seen.began
  return { status: 200, body: 'ok' }
}
const handlers = {
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
  form: whole,
  upload: whole,
  small: whole
}

/** The whole body is there at once, as from a hook that has read it: only pacing gives others a turn. */
const atOnce = (bytes: Buffer): Readable =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / slice) }, (_, index) =>
      bytes.subarray(index * slice, (index + 1) * slice)
    )
  )
let content: Buffer = Buffer.alloc(0)
const { port, ask } = await serve(t, document, {
  handlers,
  extend: (app) => {
    app.addHook('preParsing', async ({ headers }, _reply, payload) => {
      seen.began = seen.turns
      return headers['x-at-once'] === undefined ? payload : atOnce(content)
    })
  }
})

let isCounting = true
const count = (): void => {
  seen.turns++
  if (isCounting) setImmediate(count)
}
count()
t.teardown(() => {
  isCounting = false
})

t.test('readers have a turn each, in the order of their calls', async (t) => {
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

const filled = (text: string, end = ''): Buffer =>
  Buffer.from(text.repeat(Math.floor(size / text.length)) + end)
const boundary = 'multipart/form-data; boundary=b'
const part = Buffer.from('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n')
const inPart = (text: string): Buffer => Buffer.concat([part, filled(text), Buffer.from('\r\n--b--\r\n')])

t.test('a body of 1 MB leaves turns to others, whatever it is made of', async (t) => {
  const rows: [name: string, path: string, mediaType: string, body: Buffer, most: number][] = [
    ['lines', '/items', 'application/jsonl', filled('1\n'), 1024],
    ['blank lines', '/items', 'application/jsonl', filled('\n'), 0],
    ['texts', '/items', 'application/json-seq', filled('\x1e1\n'), 1024],
    ['separators', '/items', 'application/json-seq', filled('\x1e'), 0],
    ['one text', '/items', 'application/json-seq', filled('\x1e['.padEnd(size, '\n')), 0],
    ['events', '/items', 'text/event-stream', filled('data\n\n'), 1024],
    ['comments', '/items', 'text/event-stream', filled(':\n'), 0],
    ['lines of one event', '/items', 'text/event-stream', filled('data\n', '\n'), 1],
    ['line feeds in a form', '/form', boundary, inPart('\r\n'), 0],
    ['line feeds in an upload', '/upload', boundary, inPart('\r\n'), 0]
  ]
  for (const [name, path, mediaType, body, most] of rows) {
    Object.assign(seen, { items: 0, mostInTurn: 0 })
    content = body
    await ask(request(`POST ${path}`, 'x', { 'Content-Type': mediaType, 'X-At-Once': '1' }))
    t.ok(seen.taken >= Math.floor(body.length / slice), `${name}: ${seen.taken} turns`)
    t.ok(seen.mostInTurn <= most, `${name}: ${seen.mostInTurn} items in a turn`)
    t.ok(seen.items >= most, `${name}: ${seen.items} items`)
  }
})

t.test('another request is answered while 16 clients send tiny items', async (t) => {
  const body = filled('1\n')
  Object.assign(seen, { items: 0, ended: 0 })
  const clients = Array.from({ length: 16 }, () => {
    const client = connect(port, '127.0.0.1')
    client.write(request('POST /items', body, { 'Content-Type': 'application/jsonl' }))
    t.teardown(() => client.destroy())
    return client
  })
  await until(() => seen.items > 0)
  t.equal((await ask(request('GET /small'))).status, 200)
  t.equal(seen.ended, 0, `answered before any of ${clients.length} streams has ended`)
  t.ok(seen.items < (16 * size) / 2, `after ${seen.items} items`)
})

t.test('parsing stops at the limit of parts', async (t) => {
  const { Dicer } = await import('@fastify/busboy')
  const sent = new SentParts(new Dicer({ boundary: 'b' }))
  await t.rejects(sent.write(filled('--b\r\n')), { message: 'the body has more than 1000 parts' })
  t.equal(sent.list.length, 1_001)
  for (const path of ['/form', '/upload']) {
    const answer = await ask(request(`POST ${path}`, filled('--b\r\n'), { 'Content-Type': boundary }))
    t.match(answer, { status: 413, value: { message: 'the body has more than 1000 parts' } }, path)
  }
})
