import { once } from 'node:events'
import { createServer } from 'node:http'
import t from 'tap'
import { logServerErrors } from '../../../../src/engine/server/transport/listeners.ts'

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
