/** Starts, checks and stops a server to be measured, and asks for its CPU time. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { builtCommand } from './start-command.ts'
import { type ThreadCpu, threadCpu } from './thread-cpu.ts'

export const token = 'token-of-the-benchmark'

const printedUrl = /http:\/\/127\.0\.0\.1:\d+/
const startTimeoutMs = 30_000
const project = join(import.meta.dirname, '..')

/** A server to be measured, in a process of its own. */
export class Target {
  readonly name: string
  readonly origin: string
  readonly #process: ChildProcess
  get pid() {
    return this.#process.pid
  }

  private constructor(name: string, origin: string, child: ChildProcess) {
    this.name = name
    this.origin = origin
    this.#process = child
  }

  /** @param command options of Node, a file of this project, and its arguments */
  static async start(name: string, command: readonly string[], environment = {}): Promise<Target> {
    const child = spawn(process.execPath, command, {
      cwd: project,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'inherit']
    })
    process.once('exit', () => child.kill('SIGKILL'))
    let output = ''
    child.stdout?.on('data', (text) => {
      output += text
    })
    const deadline = performance.now() + startTimeoutMs
    while (!printedUrl.test(output) && child.exitCode === null && performance.now() < deadline)
      await sleep(20)
    const [origin] = printedUrl.exec(output) ?? []
    if (origin) return new Target(name, origin, child)
    child.kill('SIGKILL')
    throw new Error(`${name} did not start: ${output || 'no output'}`)
  }

  /** Starts the service as the image does. */
  static service(databaseUrl: string): Promise<Target> {
    const environment = { PORT: '0', DATABASE_URL: databaseUrl, AUTH_TOKENS: token, LOG_LEVEL: 'warn' }
    return Target.start('plant-store', builtCommand(), environment)
  }

  cpu(): ThreadCpu {
    return threadCpu(Number(this.pid))
  }

  /** @throws {Error} when the server does not do the measured work */
  async check(): Promise<void> {
    const plant = { name: 'Monstera deliciosa', tag: 'climber' }
    const answer = await this.post(JSON.stringify({ id: 1, ...plant }))
    const text = await answer.text()
    if (answer.status !== 200 || text !== JSON.stringify(plant))
      throw new Error(`${this.name}: ${answer.status} ${text}`)
    const refused = await this.post('{"id":"1"}')
    if (refused.status !== 400) throw new Error(`${this.name} accepted an invalid plant: ${refused.status}`)
  }

  post(body: string): Promise<Response> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    return fetch(`${this.origin}/plants`, { method: 'POST', headers, body })
  }

  async stop(): Promise<void> {
    const exit = once(this.#process, 'exit')
    this.#process.kill('SIGTERM')
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), 5_000)
    await exit
    clearTimeout(timer)
  }
}
