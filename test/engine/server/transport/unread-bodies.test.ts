import t from 'tap'
import { exchange } from './raw-client.ts'
import { chunked, get, listening, post } from './transport-server.ts'

const { app, port } = await listening()
t.teardown(() => app.close())

const refused = `${post}X-Refuse: 1\r\n`

t.test('a response before the end of a large body closes the connection', async (t) => {
  const rows: [string, string, number][] = [
    ['401, a declared length', `${refused}Content-Length: 65537\r\n\r\n`, 401],
    ['401, chunked', `${refused}${chunked}\r\n1\r\nx\r\n`, 401],
    ['413, a declared length', `${post}Content-Length: 65537\r\n\r\n${'x'.repeat(2000)}`, 413],
    ['413, chunked', `${post}${chunked}\r\n7d0\r\n${'x'.repeat(2000)}\r\n`, 413],
    ['404', `POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\n`, 404],
    ['200 of a route that reads no body', `GET /slow HTTP/1.1\r\nHost: a\r\n${chunked}\r\n`, 200]
  ]
  for (const [name, text, status] of rows) {
    const { responses, ending } = await exchange(port, text, { wait: 8000 })
    t.strictSame(
      [responses.length, responses[0]?.status, responses[0]?.headers.get('connection'), ending],
      [1, status, 'close', 'closed'],
      name
    )
  }
})

t.test('a connection is kept after a whole body, and after a small one that is not read', async (t) => {
  const next = `${get}Host: a\r\n\r\n`
  const rows: [string, string, number][] = [
    ['a whole chunked body', `${post}${chunked}\r\n5\r\nhello\r\n0\r\n\r\n`, 200],
    ['a small body of a refused request', `${refused}Content-Length: 65536\r\n\r\n${'x'.repeat(65_536)}`, 401]
  ]
  for (const [name, text, status] of rows) {
    const { responses, ending } = await exchange(port, text + next, { wait: 8000, enough: 2 })
    t.strictSame([responses.map((response) => response.status), ending], [[status, 200], 'open'], name)
  }
})

t.test('the server reads a bounded part of a body that never ends, and closes', async (t) => {
  const chunk = Buffer.from(`10000\r\n${'x'.repeat(0x10000)}\r\n`)
  const accepted = new Promise<number>((resolve) =>
    app.server.once('connection', (socket) => socket.once('close', () => resolve(socket.bytesRead)))
  )
  const { responses } = await exchange(port, '', {
    wait: 0,
    talk: async (socket) => {
      socket.write(`${refused}${chunked}\r\n`)
      const fill = (): void => {
        while (!socket.destroyed && socket.write(chunk)) {
          // until the send buffer of the socket is full
        }
      }
      socket.on('drain', fill)
      fill()
      await accepted
    }
  })
  t.equal(responses[0]?.status, 401)
  const bytes = await accepted
  t.ok(bytes < 10_000_000, `${bytes} bytes`)
})
