import { once } from 'node:events'
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { mock } from 'node:test'
import Fastify, { type FastifyInstance } from 'fastify'
import { type Test, test } from 'tap'
import { type Connections, collectPreClose, trackConnections } from '../../../src/service/http/connections.ts'
import { sleep, until } from '../../time.ts'

interface Scene {
  readonly server: Server
  readonly port: number
  readonly connections: Connections
}

async function scene(t: Test, answer: RequestListener): Promise<Scene> {
  const server = createServer({ keepAliveTimeout: 60_000 }, answer)
  const connections = trackConnections(server, async () => undefined)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.closeAllConnections())
  return { server, port: (server.address() as AddressInfo).port, connections }
}

type Client = Socket & { readonly received: () => string; readonly ended: Promise<unknown> }

async function open(t: Test, port: number, allowHalfOpen = false): Promise<Client> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen })
  await once(socket, 'connect')
  t.teardown(() => socket.destroy())
  let received = ''
  socket
    .on('error', () => {})
    .on('data', (data) => {
      received += data
    })
  const ended = new Promise((resolve) => socket.once('close', resolve))
  return Object.assign(socket, { received: () => received, ended })
}

/** Replaces the clock of the samples: the returned function takes one sample, after the sockets were read. */
function sampling(t: Test): () => Promise<void> {
  mock.timers.enable({ apis: ['setInterval'] })
  t.teardown(() => mock.timers.reset())
  return async () => {
    await sleep(5)
    mock.timers.tick(25)
  }
}

/** Takes samples until the socket is closed, and counts them. */
async function samplesUntilClosed(socket: Socket, sample: () => Promise<void>): Promise<number> {
  let count = 0
  for (; !socket.closed && count < 100; count++) await sample()
  return count
}

const get = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'
const atOnce: RequestListener = (_request, response) => void response.end('ok')

test('connections that never sent a byte, or are idle, are closed after ten samples without a byte', async (t) => {
  const sample = sampling(t)
  const { connections, port } = await scene(t, atOnce)
  const [unused, used] = [await open(t, port), await open(t, port)]
  used.write(get)
  await until(() => used.received().endsWith('ok'))
  t.strictSame(connections.left(), { connections: 2, requests: 0 })
  const drained = connections.drain()
  await sleep(50)
  const samples = await samplesUntilClosed(used, sample)
  t.ok(samples >= 10 && samples < 20, `${samples} samples`)
  await Promise.all([drained, unused.ended])
})

test('a request that is being answered is answered with connection: close, however long it takes', async (t) => {
  const sample = sampling(t)
  const pending: ServerResponse[] = []
  const { connections, port } = await scene(t, (_request, response) => void pending.push(response))
  const socket = await open(t, port)
  socket.write(get)
  await until(() => connections.left().requests === 1)
  const drained = connections.drain()
  t.equal(await samplesUntilClosed(socket, sample), 100, 'it outlasts every sample')
  pending[0]?.end('ok')
  await Promise.all([drained, socket.ended])
  t.match(socket.received(), /^HTTP\/1.1 200 OK\r\n(.*\r\n)*connection: close\r\n(.*\r\n)*\r\n/i)
  t.match(socket.received(), /ok$/)
})

test('idle connections are closed after forty samples even while another one keeps sending', async (t) => {
  const sample = sampling(t)
  const { connections, port, server } = await scene(t, atOnce)
  const read: Socket[] = []
  server.on('connection', (socket) => read.push(socket))
  const [idle, busy] = [await open(t, port), await open(t, port)]
  idle.write(get)
  busy.write('POST / HTTP/1.1\r\nhost: x\r\n')
  await until(() => idle.received().endsWith('ok') && read.length === 2)
  const drained = connections.drain()
  await sleep(50)
  const bytes = () => read.reduce((total, { bytesRead }) => total + bytesRead, 0)
  const samples = await samplesUntilClosed(idle, async () => {
    const before = bytes()
    busy.write('x: y\r\n')
    await until(() => bytes() > before)
    await sample()
  })
  t.ok(samples >= 40 && samples < 50, `${samples} samples`)
  busy.write('content-length: 0\r\n\r\n')
  await Promise.all([drained, busy.ended])
  t.match(busy.received(), /ok$/)
})

test('connections in the backlog are accepted and answered, not reset', async (t) => {
  const { connections, port } = await scene(t, atOnce)
  const sockets = Array.from({ length: 100 }, () => connect(port, '127.0.0.1'))
  const ended = sockets.map(async (socket) => {
    let received = ''
    socket.write(get)
    for await (const data of socket) received += data
    return received
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  t.ok(connections.left().connections < 50, 'most are in the backlog')
  await connections.drain()
  for (const received of await Promise.all(ended)) t.match(received, /^HTTP\/1.1 200 OK.*ok$/s)
})

test('a drain ends although clients connect again and again', async (t) => {
  const { connections, port } = await scene(t, atOnce)
  let isOver = false
  const connecting = async () => {
    while (!isOver) {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      await once(socket, 'connect').catch(() => {})
      socket.destroy()
    }
  }
  const clients = Promise.all(Array.from({ length: 20 }, connecting))
  await sleep(50)
  await connections.drain()
  t.equal(isOver, false, 'it ends while they still connect')
  isOver = true
  await clients
})

test('a client that ignores the end of its connection does not keep a drain', async (t) => {
  const sample = sampling(t)
  const { connections, port, server } = await scene(t, atOnce)
  server.on('connection', (socket) => {
    socket.removeAllListeners('data').on('data', () => {})
    socket.end('answered')
  })
  const socket = await open(t, port, true)
  await until(() => socket.received() === 'answered')
  const drained = connections.drain()
  await sleep(50)
  const isOver = drained.then(() => true)
  const samples = await samplesUntilClosed(socket, async () => {
    if (socket.writable) socket.write('x')
    await sample()
  })
  t.ok(samples < 60, `${samples} samples`)
  t.ok(await isOver)
})

test('every hook runs once, in order, on its instance, at the drain or where the application is closed', async (t) => {
  for (const drains of [true, false]) {
    const app = Fastify()
    const calls: string[] = []
    app.addHook('preClose', async () => void calls.push('not collected'))
    const preClose = collectPreClose(app)
    app.addHook('preClose', async function () {
      calls.push(this === app ? 'promise' : 'another instance')
    })
    app.addHook('preClose', (done) => {
      calls.push('callback')
      setImmediate(done)
    })
    const plugin = async (inner: FastifyInstance) =>
      void inner.addHook('preClose', async () => void calls.push('plugin'))
    app.register(Object.assign(plugin, { [Symbol.for('skip-override')]: true }))
    app.register(async (scope) => {
      scope.addHook('preClose', async () => void calls.push(scope === app ? 'root' : 'scope'))
    })
    app.addHook('onClose', async () => void calls.push('onClose'))
    await app.ready()
    if (drains) {
      await preClose()
      t.same(calls, ['promise', 'callback', 'plugin', 'scope'])
    }
    await app.close()
    const order = drains ? ['promise', 'callback', 'plugin', 'scope', 'not collected', 'onClose'] : calls
    t.same(calls, order)
    t.equal(calls.at(-1), 'onClose')
    t.equal(new Set(calls).size, calls.length, 'none runs twice')
  }
})

test('a hook that fails keeps no other from running, and fails the close as ever', async (t) => {
  const app = Fastify()
  const calls: string[] = []
  const preClose = collectPreClose(app)
  app.addHook('preClose', async () => {
    throw new Error('mine')
  })
  app.addHook('preClose', async () => void calls.push('other'))
  await preClose()
  t.same(calls, ['other'])
  await t.rejects(app.close(), { message: 'mine' })
})
