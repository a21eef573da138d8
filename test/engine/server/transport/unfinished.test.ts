import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { connect, type NetConnectOpts } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'tap'
import { closeUnfinished } from '../../../../src/engine/server/transport/connections.ts'

const begin: RequestListener = (_request, response) => {
  response.write('begun')
  closeUnfinished(response)
}

async function received(at: NetConnectOpts, text: string): Promise<{ text: string; isReset: boolean }> {
  const socket = connect(at)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  let [received, isReset] = ['', false]
  socket.on('data', (data) => {
    received += data
  })
  socket.on('error', () => {
    isReset = true
  })
  await once(socket, 'connect')
  socket.write(text)
  await closed
  return { text: received, isReset }
}

test('what was written arrives, and the end of the body does not', async (t) => {
  const server = createServer(begin).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const at = server.address() as { port: number }
  const { text, isReset } = await received(at, 'GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  t.match(text, /^HTTP\/1.1 200 OK.*begun\r\n$/s)
  t.notOk(isReset)
  const old = await received(at, 'GET / HTTP/1.0\r\n\r\n')
  t.ok(old.isReset, 'without chunks the connection is reset')
})

test('a connection that cannot be reset is closed', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'unfinished-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const path = join(folder, 'socket')
  const server = createServer(begin).listen(path)
  t.teardown(() => server.close())
  await once(server, 'listening')
  const { text } = await received({ path }, 'GET / HTTP/1.0\r\n\r\n')
  t.notMatch(text, /content-length/i)
})

test('a response behind others waits for their end', async (t) => {
  const server = createServer((request, response) => {
    if (request.url === '/broken') begin(request, response)
    else setTimeout(() => response.end('whole'), 50)
  }).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`
  const { text } = await received({ port }, get('/first') + get('/second') + get('/broken'))
  t.match(text, /whole.*whole.*begun\r\n$/s)
})
