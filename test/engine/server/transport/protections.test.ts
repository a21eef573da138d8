/** The service on versions of Node that lack an undocumented part, or have made it read-only. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { missingParts } from '../../../../src/engine/server/transport/node-probe.ts'
import { create, type Running, start, unshed } from '../../../e2e/running.ts'
import { sleep } from '../../../time.ts'
import { exchange } from './raw-client.ts'

t.setTimeout(900_000)

/** Parts, and the protections that are off without them. */
const hidden: readonly { part: string; off: readonly string[]; isWritten?: boolean }[] = [
  { part: 'server.httpAllowHalfOpen', off: ['halfOpen'], isWritten: true },
  { part: 'socket.destroySoon', off: ['lingeringClose'], isWritten: true },
  { part: 'socket._handle.writeQueueSize', off: ['unreadResponses'] },
  {
    part: 'socket._httpMessage',
    off: ['pipelining', 'upgrades', 'unreadBodies', 'unreadBytes', 'refusals']
  },
  { part: 'socket._paused', off: ['pipelining', 'upgrades', 'unreadBodies'], isWritten: true },
  { part: 'socket.parser', off: ['lingeringClose', 'pipelining', 'upgrades', 'unreadBodies', 'refusals'] },
  { part: 'socket.parser.incoming', off: ['lingeringClose', 'refusals'] },
  { part: 'socket.parser.onIncoming', off: ['pipelining', 'upgrades', 'unreadBodies'], isWritten: true },
  { part: 'socket.parser.resume', off: ['pipelining', 'upgrades', 'unreadBodies'] },
  { part: 'socket.parser._consumed', off: ['upgrades'] },
  { part: 'socket.parser.execute', off: ['upgrades'] },
  { part: 'socket.parser.getCurrentBuffer', off: ['upgrades'] },
  { part: 'socket.parser.constructor.kOnExecute', off: ['upgrades'] },
  { part: 'request.upgrade', off: ['pipelining', 'upgrades', 'unreadBodies'], isWritten: true },
  { part: 'response.shouldKeepAlive', off: ['unreadBodies'], isWritten: true }
]

const preload = `--import=${join(import.meta.dirname, 'hide-part.ts')}`
const live = 'GET /-/live HTTP/1.1\r\nHost: a\r\n\r\n'
const page = 'GET /docs/scalar.js HTTP/1.1\r\nHost: a\r\n\r\n'
const broken = 'GET / HTTP/1.1\r\nbroken\r\n\r\n'
const connection = 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n'
const post = 'POST /plants HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'
const chunked = `${post}Transfer-Encoding: chunked\r\n\r\n`

/** Bytes that each protection is about. */
const attacks: readonly string[] = [
  connection,
  page + connection,
  `GET /-/live HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n${live}`,
  `${post}Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 30\r\n\r\n${live}`,
  live.repeat(200),
  page.repeat(4),
  `${post}Content-Length: 2000000\r\n\r\n${'x'.repeat(1_000_000)}`,
  chunked + '10000\r\n'.padEnd(65_543, 'x'),
  `${chunked}1\r\n{\r\nzz\r\n`,
  page + broken,
  `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`
]

/**
 * Sends the bytes, and then closes the sending half, resets the connection, or waits.
 * @returns the bytes that have arrived until the connection is closed, or for a moment
 */
async function attack(port: number, text: string, leave: 'end' | 'resetAndDestroy' | 'ref'): Promise<string> {
  let received = ''
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  socket.on('data', (data) => (received += data.toString('latin1')))
  await once(socket, 'connect')
  socket.write(text, 'latin1', () => socket[leave]())
  await Promise.race([once(socket, 'close'), sleep(100)])
  socket.destroy()
  return received
}

async function answers(running: Running): Promise<readonly unknown[]> {
  const [made, refused, unknown, whole] = await Promise.all([
    create(running.url, { id: 1, name: 'x' }),
    unshed(() => fetch(`${running.url}/plants`, { method: 'POST', body: '{}' })),
    unshed(() => fetch(`${running.url}/nowhere`)),
    exchange(running.port, live + live, { wait: 5000, enough: 2 })
  ])
  return [made.status, refused.status, unknown.status, whole.responses.map(({ status }) => status)]
}

t.test('this version of Node has every part', async (t) => {
  t.strictSame([...missingParts()], [])
})

for (const { part, off, isWritten = false } of hidden)
  for (const readOnly of isWritten ? [false, true] : [false])
    t.test(
      `Node ${readOnly ? 'with a read-only' : 'without'} ${part}: one warning, and every request is served`,
      async (t) => {
        const environment = {
          HIDDEN_PART: part,
          NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} ${preload}`
        }
        const running = await start(t, { ...environment, ...(readOnly && { READ_ONLY: '1' }) })
        t.strictSame(await answers(running), [200, 401, 404, [200, 200]])
        for (const leave of ['end', 'resetAndDestroy', 'ref'] as const)
          await Promise.all(attacks.map((text) => attack(running.port, text, leave)))
        const received = await attack(running.port, page + broken, 'ref')
        // It would be written within the response to the first request.
        if (off.includes('refusals')) t.notMatch(received, 'HTTP/1.1 400')
        t.strictSame((await answers(running)).slice(1), [401, 404, [200, 200]])
        running.child.kill('SIGTERM')
        const { code, output } = await running.ended
        t.equal(code, 0, output)
        const warnings = running.log().filter(({ parts }) => parts !== undefined)
        t.equal(warnings.length, 1)
        t.strictSame(warnings[0]?.['off'], off)
        t.match(warnings[0], { level: 40, msg: `Node ${process.version} lacks ${part}` })
      }
    )
