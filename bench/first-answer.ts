/** Starts a server and measures the time to its first answer, as wall-clock time and as CPU time of all threads. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { token } from './target.ts'
import { threadCpu, total } from './thread-cpu.ts'

export interface FirstAnswer {
  /** Milliseconds from the command to the first 200. */
  readonly wall: number
  /** CPU time by then in milliseconds. */
  readonly cpu: number
}

/** Time after which the service has shown its welcome and cached its compiled code. */
const runningMs = 1_500
const project = join(import.meta.dirname, '..')
const body = '{"id":1,"name":"Monstera deliciosa","tag":"climber"}'
const request = [
  'POST /plants HTTP/1.1',
  'host: localhost',
  `authorization: Bearer ${token}`,
  'content-type: application/json',
  `content-length: ${body.length}`,
  'connection: close',
  '',
  body
].join('\r\n')

/**
 * Shuts the server down gracefully, so that it may leave a cache.
 * @param command options of Node and a file of this project
 * @throws {Error} when the first answer is not 200
 */
export async function firstAnswer(command: readonly string[], environment: object): Promise<FirstAnswer> {
  const port = await freePort()
  const started = performance.now()
  const child = spawn(process.execPath, command, {
    cwd: project,
    env: { ...process.env, PORT: String(port), ...environment },
    stdio: ['ignore', 'ignore', 'inherit']
  })
  const exit = once(child, 'exit')
  let answer = await ask(port)
  for (; answer === '' && child.exitCode === null; answer = await ask(port)) await sleep(1)
  const measured = { wall: performance.now() - started, cpu: total(threadCpu(Number(child.pid))) / 1000 }
  await sleep(runningMs)
  child.kill('SIGTERM')
  await exit
  if (!answer.startsWith('HTTP/1.1 200')) throw new Error(`${command.at(-1)}: ${answer || 'no answer'}`)
  return measured
}

/** @returns an empty text while nothing listens */
async function ask(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1', () => socket.write(request))
  return (await Array.fromAsync(socket).catch(() => [])).join('')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await once(server.close(), 'close')
  return port
}
