import { Duplex } from 'node:stream'
import { mock } from 'node:test'
import t from 'tap'
import { lingeringClose, lingerOnClose } from '../../../../src/engine/server/transport/lingering-close.ts'
import { sleep } from '../../../time.ts'
import { exchange } from './raw-client.ts'
import { chunked, get, listening, post } from './transport-server.ts'

const { app, port } = await listening()
t.teardown(() => app.close())

t.test('a client that keeps sending can read its response', async (t) => {
  const rows: [string, string, number][] = [
    ['401 without reading', `${post}X-Refuse: 1\r\nContent-Length: 8000000\r\n\r\n`, 401],
    ['401 and close', `${post}X-Refuse: 1\r\nConnection: close\r\nContent-Length: 8000000\r\n\r\n`, 401],
    ['401 in HTTP/1.0', 'POST /echo HTTP/1.0\r\nX-Refuse: 1\r\nContent-Length: 8000000\r\n\r\n', 401],
    ['413 as declared', `${post}Content-Length: 8000000\r\n\r\n`, 413],
    ['413 as declared, and close', `${post}Connection: close\r\nContent-Length: 8000000\r\n\r\n`, 413],
    ['413 by what came', `${post}${chunked}\r\n7a1200\r\n`, 413],
    ['413 by what came, and close', `${post}Connection: close\r\n${chunked}\r\n7a1200\r\n`, 413],
    ['400 before the body', `POST /echo HTTP/1.1\r\nHost: a b\r\nContent-Length: 8000000\r\n\r\n`, 400],
    ['400 by the parser', `${post}Content-Length: 1\r\nContent-Length: 1\r\n\r\n`, 400],
    ['417', `${post}Expect: x\r\nContent-Length: 8000000\r\n\r\n`, 417]
  ]
  const megabyte = Buffer.alloc(1_000_000, 'x')
  for (const [name, head, status] of rows) {
    let answered = false
    const found = await exchange(port, '', {
      wait: 500,
      talk: async (socket) => {
        socket.pause().write(head)
        for (let i = 0; i < 8; i++) await new Promise((resolve) => socket.write(megabyte, resolve))
        await sleep(50)
        answered = true
        socket.resume()
      }
    })
    t.ok(answered)
    t.equal(found.responses[0]?.status, status, name)
    t.not(found.ending, 'reset', name)
  }
})

t.test('no request is served after a response with Connection: close', async (t) => {
  let served = 0
  const count = (): void => {
    served++
  }
  app.server.on('request', count)
  const { responses } = await exchange(port, '', {
    talk: async (socket) => {
      socket.write('POST /echo HTTP/1.1\r\nHost: a b\r\nContent-Length: 5\r\n\r\nhel')
      await sleep(50)
      socket.write(`lo${get}Host: a\r\n\r\n`)
      await sleep(100)
    }
  })
  app.server.off('request', count)
  t.same([served, responses.length], [1, 1])
})

t.test('a client that stays silent after its response is disconnected', async (t) => {
  const closed = new Promise<boolean>((resolve) =>
    app.server.once('connection', (socket) => socket.once('close', () => resolve(socket.destroyed)))
  )
  let destroyed = false
  await exchange(port, '', {
    wait: 0,
    talk: async (socket) => {
      socket.write('garbage\r\n\r\n')
      destroyed = await closed
    }
  })
  t.ok(destroyed)
})

t.test('a silent client is waited for during 2 s, one that keeps sending for 5 s', async (t) => {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  const rows: readonly (readonly [string, number, boolean, number])[] = [
    ['silent', 0, true, 5],
    ['sending', 1, true, 10],
    ['sending to a server that is closing', 1, false, 1]
  ]
  for (const [name, bytesPerCheck, isListening, checks] of rows) {
    const socket = Object.assign(new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() }), {
      bytesRead: 0,
      destroySoon() {}
    })
    lingerOnClose(Object({ listening: isListening }), Object(socket))
    lingeringClose(socket, 'bye')
    lingeringClose(socket, 'only once')
    let survived = 0
    while (!socket.destroyed && survived < 100) {
      socket.bytesRead += bytesPerCheck
      mock.timers.tick(500)
      survived++
    }
    t.equal(survived, checks, name)
  }
})

t.test('an error of a connection that is closing ends nothing else', async (t) => {
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
  lingeringClose(socket)
  socket.destroy(new Error('reset by the client'))
  await new Promise((resolve) => socket.once('close', resolve))
  t.ok(socket.destroyed)
})
