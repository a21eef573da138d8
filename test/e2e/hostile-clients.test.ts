/** Clients that pipeline without an end, never read or never finish, against a process with a small heap. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { until } from '../time.ts'
import { createOnce, type Running, start, token } from './running.ts'

t.setTimeout(900_000)

/** About the heap that Node chooses in a container of 512 MB. */
const options = '--max-old-space-size=256'
const maxResidentMB = 640
/**
 * Most CPU time of an answer behind 120,000 pipelined requests, in starts of the service: Node makes objects for each of
 * them, also for those that are not served (docs/security.md, left to a proxy).
 */
const maxStarts = 12

const live = 'GET /-/live HTTP/1.1\r\nHost: a\r\n\r\n'
const page = 'GET /docs/scalar.js HTTP/1.1\r\nHost: a\r\n\r\n'
const head = `POST /plants HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n`

async function clients(t: Test, port: number, count: number): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () =>
    connect(port, '127.0.0.1')
      .on('error', () => undefined)
      .pause()
  )
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  return sockets
}

function peakMB({ child }: Running): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1000
}

/** Returns the CPU time in ms, in steps of 10. */
function cpuMs({ child }: Running): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return 10 * (Number(fields[11]) + Number(fields[12]))
}

/** Sends requests one after another, and returns the most CPU time of an answer. */
async function slowestAnswer(t: Test, running: Running, count: number): Promise<number> {
  let most = 0
  for (let id = 1; id <= count; id++) {
    const before = cpuMs(running)
    t.equal((await fetch(`${running.url}/-/live`)).status, 200)
    t.ok([200, 503].includes((await createOnce(running.url, { id, name: 'x' })).status))
    most = Math.max(most, cpuMs(running) - before)
  }
  return most
}

t.test('a small process outlives clients that send and never read, and serves the others', async (t) => {
  const running = await start(t, {
    NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} ${options}`,
    // The CPU time of the start is the limit below; with cached code it would be a third.
    NODE_DISABLE_COMPILE_CACHE: '1'
  })
  const { port, child } = running
  const startMs = cpuMs(running)
  const trickling = await clients(t, port, 1000)
  const unreading = await clients(t, port, 1000)
  const pipelining = await clients(t, port, 60)
  for (const [index, socket] of trickling.entries())
    socket.write(index % 2 === 0 ? 'POST /plants HTTP/1.1\r\n' : `${head}Content-Length: 1000\r\n\r\n`)
  const trickle = setInterval(() => {
    for (const [index, socket] of trickling.entries()) socket.write(index % 2 === 0 ? 'x: y\r\n' : ' ')
  }, 500)
  t.teardown(() => clearInterval(trickle))
  for (const socket of unreading) socket.write(page)
  const behindPages = await slowestAnswer(t, running, 10)
  t.ok(behindPages <= 4 * startMs, `${behindPages} ms of CPU time before an answer, ${startMs} for the start`)
  for (const socket of pipelining) socket.write(live.repeat(2000))
  const behindPipelines = await slowestAnswer(t, running, 10)
  t.ok(
    behindPipelines <= maxStarts * startMs,
    `${behindPipelines} ms of CPU time before an answer, ${startMs} for the start`
  )
  await until(() =>
    trickling.every((socket) => socket.destroyed || socket.readableLength > 0 || socket.readableEnded)
  )
  t.equal(await slowestAnswer(t, running, 5).then(() => child.exitCode), null, 'the process is alive')
  const peak = peakMB(running)
  t.ok(peak <= maxResidentMB, `${peak} MB at the most`)
  t.comment(`${peak} MB, ${behindPages} and ${behindPipelines} ms of CPU time before an answer`)
})
