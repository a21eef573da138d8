import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { until } from '../../../time.ts'
import { type Json, request, type Served, serve } from '../../serve.ts'
import { exchange } from '../transport/raw-client.ts'

const path: Json = {
  post: {
    operationId: 'take',
    requestBody: {
      content: {
        'application/octet-stream': {},
        'multipart/form-data': { schema: { type: 'object', properties: { file: { type: 'string' } } } }
      }
    },
    responses: { 200: { description: 'ok', content: { 'application/json': {} } } }
  }
}
const stream: Json = {
  post: {
    operationId: 'stream',
    requestBody: {
      content: { 'application/octet-stream': { 'x-stream': true, 'x-body-limit': 50_000_000 } }
    },
    responses: { 200: { description: 'ok', content: { 'application/json': {} } } }
  }
}
const items: Json = {
  post: {
    operationId: 'items',
    requestBody: {
      content: {
        'application/jsonl': { schema: { type: 'array', items: {} } },
        'application/json-seq': { itemSchema: {} },
        'text/event-stream': { itemSchema: { type: 'string' } }
      }
    },
    responses: { 200: { description: 'ok', content: { 'application/json': {} } } }
  }
}
const form: Json = {
  post: {
    operationId: 'form',
    requestBody: {
      content: {
        'multipart/form-data': {
          'x-stream': true,
          schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } } }
        }
      }
    },
    responses: { 200: { description: 'ok', content: { 'application/json': {} } } }
  }
}
const seen = { items: 0 }
const handlers = {
  form: () => ({ status: 200, body: 'ok' }),
  items: async ({ body }: { body: AsyncIterable<unknown> }) => {
    for await (const _ of body) seen.items++
    return { status: 200, body: 'ok' }
  },
  take: () => ({ status: 200, body: 'ok' }),
  stream: async ({ body }: { body: AsyncIterable<Buffer> }) => {
    let bytes = 0
    for await (const chunk of body) bytes += chunk.length
    return { status: 200, body: bytes }
  }
}
const bytes = { 'Content-Type': 'application/octet-stream' }
const size = 200_000
const overloaded = { status: 503, value: { code: 'overloaded' } }

/** Starts a server with room for five bodies of 200,000 bytes. */
const room = (t: Test) => {
  const fastify = { bodyLimit: size, requestTimeout: 60_000 }
  return serve(
    t,
    { paths: { '/take': path, '/stream': stream, '/items': items, '/form': form } },
    { handlers, maxBodyBytes: 5 * size, fastify }
  )
}

/** Sends all but the last byte of `count` bodies, and waits until the server has read them. */
async function hold(t: Test, { app, port }: Served, count: number, whole: Buffer): Promise<Socket[]> {
  const accepted: Socket[] = []
  app.server.on('connection', (socket) => accepted.push(socket))
  const clients = Array.from({ length: count }, () => {
    const client = connect(port, '127.0.0.1')
    t.teardown(() => client.destroy())
    client.write(whole.subarray(0, -1))
    return client
  })
  await until(() => accepted.reduce((sum, { bytesRead }) => sum + bytesRead, 0) >= count * (whole.length - 1))
  return clients
}

t.test('beyond the bytes of all bodies a request is refused before its body is read', async (t) => {
  const served = await room(t)
  const whole = request('POST /take', Buffer.alloc(size), bytes)
  const clients = await hold(t, served, 5, whole)
  const head = whole.subarray(0, -size).toString('latin1')
  const { responses } = await exchange(served.port, head, { wait: 5000, enough: 1 })
  t.equal(responses[0]?.status, 503)
  t.match(responses[0]?.body, /"overloaded"/)
  t.match(responses[0]?.headers.get('retry-after'), /^\d+$/)
  const expecting = head.replace('Host', 'Expect: 100-continue\r\nHost')
  const refused = await exchange(served.port, expecting, { wait: 5000, enough: 1 })
  t.strictSame(
    refused.responses.map(({ status }) => status),
    [503],
    'without 100 Continue'
  )
  const small = request('POST /take', Buffer.alloc(16_384), bytes)
  t.equal((await served.ask(small)).status, 200, 'a small body is read')
  for (const client of clients) client.destroy()
  await until(async () => (await served.ask(whole)).status === 200)
  t.equal((await served.ask(whole)).status, 200, 'the bytes are given back')
})

t.test('a body is refused as soon as there is no room for its next bytes', async (t) => {
  const served = await room(t)
  await hold(t, served, 4, request('POST /take', Buffer.alloc(size), bytes))
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  const chunked = { ...bytes, 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' }
  const [first, second] = [0, 1].map(() =>
    exchange(served.port, '', {
      wait: 5000,
      enough: 1,
      talk: async (socket) => void socket.write(request('POST /take', '', chunked) + chunk.repeat(3))
    })
  )
  const statuses = (await Promise.all([first, second])).map((found) => found?.responses[0]?.status)
  t.ok(statuses.includes(503), String(statuses))
})

t.test('the parts of multipart bodies are counted, too', async (t) => {
  const served = await room(t)
  const type = { 'Content-Type': 'multipart/form-data; boundary=b' }
  const part = `--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n${'x'.repeat(size - 200)}\r\n--b--\r\n`
  const whole = request('POST /take', part, type)
  t.equal((await served.ask(whole)).status, 200)
  await hold(t, served, 5, whole)
  t.match(await served.ask(whole), overloaded)
})

t.test('bodies one after another take no more room than one', async (t) => {
  const { ask } = await room(t)
  for (let turn = 0; turn < 20; turn++)
    t.equal((await ask(request('POST /take', Buffer.alloc(size), bytes))).status, 200)
})

t.test('streamed bodies take no room, and their limit is not that of the others', async (t) => {
  const served = await room(t)
  await hold(t, served, 5, request('POST /take', Buffer.alloc(size), bytes))
  t.match(await served.ask(request('POST /take', Buffer.alloc(size), bytes)), overloaded)
  const large = request('POST /stream', Buffer.alloc(20 * size), bytes)
  t.match(await served.ask(large), { status: 200, value: 20 * size })
})

const inChunks = (type: string) => ({
  'Content-Type': type,
  'Content-Length': undefined,
  'Transfer-Encoding': 'chunked'
})
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const multipart = 'multipart/form-data; boundary=b'
const part = (name: string, text: string, more = '') =>
  `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${text}`

t.test('what streams hold takes no room of other bodies, and theirs none of streams', async (t) => {
  const text = 'x'.repeat(0.9 * size)
  const rows: [name: string, path: string, mediaType: string, begun: string][] = [
    ['a line', '/items', 'application/jsonl', `"${text}`],
    ['a JSON text', '/items', 'application/json-seq', `\x1e"${text}`],
    ['a line of an event', '/items', 'text/event-stream', `data: ${text}`],
    ['lines of an event', '/items', 'text/event-stream', `data: ${text.slice(0, 5000)}\n`.repeat(36)],
    ['a field of a form', '/form', multipart, part('text', text)],
    [
      'fields of a form',
      '/form',
      multipart,
      ['a', 'b', 'c', 'd'].map((name) => `${part(name, text.slice(0, 45_000))}\r\n`).join('')
    ],
    [
      'files of a form',
      '/form',
      multipart,
      ['a', 'b', 'c'].map((name) => `${part(name, text.slice(0, 60_000), '; filename="x"')}\r\n`).join('')
    ],
    [
      'headers of a form',
      '/form',
      multipart,
      `${part('text', '', `\r\nX: ${text.slice(0, 60_000)}`)}\r\n`.repeat(3)
    ]
  ]
  const body = request('POST /take', Buffer.alloc(size), bytes)
  for (const [name, path, mediaType, begun] of rows) {
    const served = await room(t)
    const begin = `${request(`POST ${path}`, '', inChunks(mediaType))}${chunk(begun)}`
    // Together more than the budget of 1,000,000 bytes.
    let answers = ''
    for (let count = 0; count < 11; count++) {
      const client = connect(served.port, '127.0.0.1')
      t.teardown(() => client.destroy())
      client.on('data', (text) => {
        answers += text
      })
      client.write(begin)
    }
    await until(() => answers.includes('overloaded'))
    t.strictSame([...new Set(answers.match(/HTTP\/1.1 \d+/g))], ['HTTP/1.1 503'], name)
    t.equal((await served.ask(body)).status, 200, `${name}: another body is read`)
  }
  const served = await room(t)
  await hold(t, served, 5, body)
  t.match(await served.ask(body), overloaded)
  for (const [name, path, mediaType, begun] of rows) {
    const whole = `${begun}${mediaType === multipart ? '\r\n--b--\r\n' : '"\n\n'}`
    const answer = await served.ask(request(`POST ${path}`, whole, { 'Content-Type': mediaType }))
    t.ok([200, 400].includes(answer.status), `${name}: ${answer.status} beside bodies that fill their budget`)
  }
})

t.test('an item that is read gives its room back, and so does a file on disk', async (t) => {
  const served = await room(t)
  const begin = (path: string, mediaType: string, text: string) => {
    const client = connect(served.port, '127.0.0.1')
    t.teardown(() => client.destroy())
    client.write(`${request(`POST ${path}`, '', inChunks(mediaType))}${chunk(text)}`)
  }
  const large = 'x'.repeat(150_000)
  seen.items = 0
  for (let count = 0; count < 8; count++) {
    begin('/items', 'application/jsonl', `"${large}"\n`)
    begin('/form', multipart, part('file', large, '; filename="x"'))
  }
  await until(() => seen.items === 8)
  const whole = request('POST /items', `"${large}"`, { 'Content-Type': 'application/jsonl' })
  t.equal((await served.ask(whole)).status, 200)
})
