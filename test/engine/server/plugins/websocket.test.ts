/** Contract beside @fastify/websocket. */
import websocket from '@fastify/websocket'
import type { FastifyInstance } from 'fastify'
import t from 'tap'
import { request } from '../../serve.ts'
import { exchange } from '../transport/raw-client.ts'
import { hosts, token } from './hosts.ts'

const extend = async (app: FastifyInstance) => {
  await app.register(websocket)
  app.get('/echo', { websocket: true }, (socket, { query }) => {
    socket.on('message', (message: Buffer) => socket.send(`${JSON.stringify(query)} ${message}`))
  })
  app.get('/own', async () => ({ own: true }))
}

/** Sends a text by a WebSocket, and returns the answer; rejects where the handshake is refused. */
function echoed(url: string, text: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = new WebSocket(url)
  socket.addEventListener('open', () => socket.send(text))
  socket.addEventListener('error', () => reject(new Error('refused')))
  socket.addEventListener('message', ({ data }) => {
    socket.close()
    resolve(String(data))
  })
  return promise
}

const handshake = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ=='
}

t.test('a WebSocket beside the contract is open in both directions', async (t) => {
  for (const { name, port } of await hosts(t, { extend })) {
    t.equal(
      await echoed(`ws://127.0.0.1:${port}/echo?a=1`, 'x'.repeat(70_000)),
      `{"a":"1"} ${'x'.repeat(70_000)}`,
      name
    )
    await t.rejects(echoed(`ws://127.0.0.1:${port}/nowhere`, 'x'), { message: 'refused' }, name)
  }
})

t.test('the server answers operations as if they had no Upgrade', async (t) => {
  const server = (await hosts(t, { extend })).find(({ isEngine }) => isEngine)
  if (server === undefined) throw new Error('no server of the engine')
  const { port, ask } = server
  const get = await ask(request('GET /things', undefined, { ...handshake, ...token }))
  t.match(get, { status: 200, value: { things: [] } })
  t.match(await ask(request('GET http://a/things/7', undefined, handshake)), {
    status: 200,
    value: { id: '7' }
  })
  const body = '{"size":1}'
  t.match(await ask(request('POST /things', body, handshake)), { status: 200, value: { size: 1 } })
  t.match(await ask(request('GET /own', undefined, { ...handshake, Upgrade: 'h2c' })), {
    status: 200,
    value: { own: true }
  })
  for (const second of [
    request('GET /echo', undefined, handshake),
    request('GET /own', 'abc', { ...handshake, Connection: 'close' })
  ]) {
    const pipelined = Buffer.concat([request('GET /things', undefined, token), second])
    const { responses } = await exchange(port, pipelined.toString('latin1'), { wait: 5000, enough: 2 })
    t.match(responses, [{ status: 200 }, { status: /200|404/ }], 'behind another request')
  }
})

t.test('a server that closes ends its WebSockets', async (t) => {
  for (const { name, app, port } of await hosts(t, { extend })) {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/echo`)
    const closed = new Promise<number>((resolve) =>
      socket.addEventListener('close', ({ code }) => resolve(code))
    )
    await new Promise((resolve) => socket.addEventListener('open', resolve))
    await app.close()
    t.equal(await closed, 1005, name)
  }
})
