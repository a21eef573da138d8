import { once } from 'node:events'
import { createServer } from 'node:http'
import t from 'tap'
import { logServerErrors } from '../../../../src/engine/server/transport/listeners.ts'
import { exchange } from './raw-client.ts'
import { listening } from './transport-server.ts'

const { app, port } = await listening()
t.teardown(() => app.close())

t.test('a client that has closed its sending half gets its responses', async (t) => {
  const slow = 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\n'
  for (const text of [slow, slow + slow]) {
    const { responses, ending } = await exchange(port, '', {
      wait: 500,
      talk: async (socket) => {
        socket.end(text)
      }
    })
    t.same([responses.length * slow.length, ending], [text.length, 'closed'])
  }
})

t.test('a connection that cannot be accepted is logged, and does not end the process', async (t) => {
  const lines: unknown[] = []
  const server = createServer()
  logServerErrors(server, { error: (...line: unknown[]) => void lines.push(line) })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.close())
  const err = new Error('accept EMFILE')
  server.emit('error', err)
  t.strictSame(lines, [[{ err }, 'a connection could not be accepted']])
})
