import { once } from 'node:events'
import { createServer } from 'node:http'
import t from 'tap'
import { logServerErrors } from '../../../../src/engine/server/transport/listeners.ts'
import { exchange } from './raw-client.ts'
import { listening } from './transport-server.ts'

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

t.test('an errorBody that throws leaves the status without a body', async (t) => {
  const broken = await listening(() => {
    throw new Error('broken')
  })
  t.teardown(() => broken.app.close())
  const found = await exchange(broken.port, 'garbage\r\n\r\n')
  t.same(
    found.responses.map(({ status, body }) => [status, body]),
    [[400, '']]
  )
})
