/** Bodies of requests that are answered before their end. */
import t from 'tap'
import { sleep, until } from '../../../time.ts'
import { exchange } from './raw-client.ts'
import { chunked, get, listening, post, render } from './transport-server.ts'

const { app, port } = await listening()
t.teardown(() => app.close())

const refused = `${post}X-Refuse: 1\r\n`
const megabyte = Buffer.alloc(1_000_000, 'x')
const inChunks = 'f4240\r\n'
const chunk = Buffer.concat([Buffer.from(inChunks), megabyte, Buffer.from('\r\n')])
const next = `${get}Host: a\r\n\r\n`

t.test('a client that sends its whole body first reads its response, and is served further', async (t) => {
  const rows: readonly (readonly [name: string, head: string, status: number])[] = [
    ['401, a declared length', `${refused}Content-Length: 7000000\r\n\r\n`, 401],
    ['401, chunked', `${refused}${chunked}\r\n`, 401],
    ['413, a declared length', `${post}Content-Length: 7000000\r\n\r\n`, 413],
    ['413, chunked', `${post}${chunked}\r\n`, 413],
    ['404', 'POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 7000000\r\n\r\n', 404],
    ['200 of a route that reads no body', `GET /slow HTTP/1.1\r\nHost: a\r\n${chunked}\r\n`, 200]
  ]
  for (const [name, head, status] of rows) {
    const isChunked = head.includes(chunked)
    const { responses, ending } = await exchange(port, '', {
      wait: 5000,
      enough: 2,
      talk: async (socket) => {
        socket.pause().write(head)
        for (let sent = 0; sent < 7; sent++) {
          if (isChunked) socket.write(inChunks)
          await new Promise((resolve) => socket.write(megabyte, resolve))
          if (isChunked) socket.write('\r\n')
        }
        socket.write(isChunked ? `0\r\n\r\n${next}` : next)
        await sleep(50)
        socket.resume()
      }
    })
    t.strictSame([...responses.map((response) => response.status), ending], [status, 200, 'open'], name)
  }
})

t.test('the server reads 8 MiB of a body that never ends, and closes', async (t) => {
  for (const head of [refused, post]) {
    const accepted = new Promise<number>((resolve) =>
      app.server.once('connection', (socket) => socket.once('close', () => resolve(socket.bytesRead)))
    )
    const { responses } = await exchange(port, '', {
      wait: 0,
      talk: async (socket) => {
        socket.write(`${head}${chunked}\r\n`)
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
    t.match(responses[0]?.status, head === refused ? 401 : 413)
    const bytes = await accepted
    t.ok(bytes >= 8_388_608 && bytes < 16_000_000, `${bytes} bytes`)
  }
})

t.test('a body that goes on slowly is discarded until the time-out of its request', async (t) => {
  const impatient = await listening(render, 400)
  t.teardown(() => impatient.app.close())
  for (const text of [
    `${refused}Content-Length: 65537\r\n\r\n`,
    `${refused}Content-Length: 5\r\n\r\n`,
    `${refused}${chunked}\r\n1\r\nx\r\n`,
    `${post}${chunked}\r\n7d0\r\n${'x'.repeat(2000)}\r\n`
  ]) {
    const { responses, ending } = await exchange(impatient.port, text, { wait: 8000 })
    t.strictSame([responses.length, ending], [1, 'closed'], text.slice(0, 80))
  }
})

t.test('a client that goes on sending after a malformed request reads its response', async (t) => {
  const rows: readonly (readonly [name: string, text: string, status: number])[] = [
    ['garbage', 'garbage\r\n\r\n', 400],
    ['two lengths', `${post}Content-Length: 1\r\nContent-Length: 1\r\n\r\n`, 400],
    ['large headers', `${get}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['CONNECT', 'CONNECT b:80 HTTP/1.1\r\nHost: b\r\n\r\n', 405]
  ]
  for (const [name, text, status] of rows) {
    const { responses, ending } = await exchange(port, '', {
      wait: 8000,
      talk: async (socket) => {
        socket.pause().write(text)
        for (let sent = 0; sent < 7; sent++) await new Promise((resolve) => socket.write(megabyte, resolve))
        await sleep(50)
        socket.resume()
      }
    })
    t.strictSame([...responses.map((response) => response.status), ending], [status, 'closed'], name)
  }
})

t.test('a client that neither reads nor ends after a malformed request is disconnected', async (t) => {
  let isClosed = false
  app.server.once('connection', (socket) =>
    socket.once('close', () => {
      isClosed = true
    })
  )
  await exchange(port, '', {
    wait: 0,
    talk: async (socket) => {
      socket.write('garbage\r\n\r\n')
      await until(() => isClosed)
    }
  })
  t.ok(isClosed)
})
