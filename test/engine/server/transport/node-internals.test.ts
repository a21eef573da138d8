/**
 * Undocumented parts of Node that the engine depends on. A failure names the part and the Node version that lacks it.
 */
import { createServer, type RequestListener, ServerResponse } from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import t, { type Test } from 'tap'
import {
  allowHalfOpen,
  currentResponse,
  ignoreUpgrade,
  isReceiving,
  pauseReading,
  replaceServing,
  resumeReading,
  writeQueueSize
} from '../../../../src/engine/server/transport/node-internals.ts'
import { until } from '../../../time.ts'
import { exchange } from './raw-client.ts'

const gone = (part: string) => `Node ${process.version} no longer has ${part}`

async function listening(t: Test, listener: RequestListener) {
  const server = createServer(listener)
  t.teardown(() => server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, port: (server.address() as AddressInfo).port }
}

t.test('socket._httpMessage is the response that is written next', async (t) => {
  let found: unknown
  const { port } = await listening(t, ({ socket }, response) => {
    found = currentResponse(socket) === response && response instanceof ServerResponse
    response.end()
  })
  await exchange(port, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  t.ok(found, gone('socket._httpMessage'))
})

t.test('socket.parser.incoming is the request whose body arrives', async (t) => {
  const found: boolean[] = []
  const { port } = await listening(t, (request, response) => {
    found.push(isReceiving(request.socket))
    request.resume().on('end', () => {
      found.push(isReceiving(request.socket))
      response.end()
    })
  })
  await exchange(port, '', {
    talk: async (socket) => {
      socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nConnection: close\r\n\r\n')
      await new Promise((resolve) => setTimeout(resolve, 20))
      socket.write('hello')
    }
  })
  t.same(found, [true, false], gone('socket.parser.incoming'))
})

t.test('server.httpAllowHalfOpen keeps a connection whose client has closed its sending half', async (t) => {
  const { server, port } = await listening(t, (_, response) => void setTimeout(() => response.end(), 50))
  const ask = () =>
    exchange(port, '', { talk: async (socket) => void socket.end('GET / HTTP/1.1\r\nHost: a\r\n\r\n') })
  t.equal((await ask()).responses.length, 0, 'without it the connection ends')
  allowHalfOpen(server)
  t.equal((await ask()).responses.length, 1, gone('server.httpAllowHalfOpen'))
})

t.test('socket.parser.onIncoming serves a request, also after a while', async (t) => {
  const { server, port } = await listening(t, (request, response) => void response.end(request.url))
  server.on('connection', (socket) => {
    replaceServing(socket, (serve) => (request, keepAlive) => {
      ignoreUpgrade(request)
      setTimeout(() => serve(request, keepAlive), 20)
    })
  })
  const upgrade = 'Connection: close, Upgrade\r\nUpgrade: h2c\r\n'
  const { text } = await exchange(port, `GET /later HTTP/1.1\r\nHost: a\r\n${upgrade}\r\n`, { wait: 2000 })
  t.match(text, '/later', gone('socket.parser.onIncoming, or request.upgrade'))
})

t.test('socket._handle.writeQueueSize counts the bytes that are not sent yet', async (t) => {
  const found: number[] = []
  const { port } = await listening(t, ({ socket }, response) => {
    found.push(writeQueueSize(socket))
    response.end(Buffer.alloc(64_000_000))
    setTimeout(() => {
      found.push(writeQueueSize(socket))
      socket.destroy()
      found.push(writeQueueSize(socket))
    }, 50)
  })
  const ask = exchange(port, '', {
    talk: async (socket) => {
      socket.pause().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
      await until(() => found.length === 3)
      socket.destroy()
    }
  })
  await t.resolves(Promise.allSettled([ask]))
  t.equal(found[0], 0)
  t.ok(Number(found[1]) > 1_000_000, gone('socket._handle.writeQueueSize'))
  t.equal(found[2], 0, 'nothing is left of a socket that is destroyed')
})

t.test('a socket without a parser is left as it is', async (t) => {
  let replaced = 0
  replaceServing(new Socket(), (serve) => {
    replaced++
    return serve
  })
  t.equal(replaced, 0)
})

t.test('socket._paused keeps the body of a request from being read', async (t) => {
  const sockets: Socket[] = []
  const { server, port } = await listening(t, (request, response) => {
    pauseReading(request.socket)
    request.resume().on('end', () => response.end())
    sockets.push(request.socket)
  })
  server.on('connection', (socket) => t.teardown(() => socket.destroy()))
  const size = 4_000_000
  const { responses } = await exchange(port, '', {
    wait: 20_000,
    enough: 1,
    talk: async (socket) => {
      socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${size}\r\n\r\n${'x'.repeat(size)}`)
      await until(() => sockets.length === 1)
      await new Promise((resolve) => setTimeout(resolve, 100))
      t.ok((sockets[0]?.bytesRead ?? size) < size / 2, gone('socket._paused'))
      if (sockets[0]) resumeReading(sockets[0])
    }
  })
  t.equal(responses[0]?.status, 200, gone('socket.parser.resume'))
})
