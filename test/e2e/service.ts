/** The real process, as `npm start` starts it, and a client that keeps its connections. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'

const entry = join(import.meta.dirname, '../../src/main.ts')
const token = 'secret-of-the-tests'

export interface Answer {
  readonly status: number
  readonly body: { readonly error?: number; readonly message?: string; readonly name?: string }
}

export class Service {
  readonly origin: string
  readonly #process: ChildProcess
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 })

  private constructor(child: ChildProcess, origin: string) {
    this.#process = child
    this.origin = origin
  }

  /** @param prefix a command that starts the command in its arguments */
  static async start(t: Test, databaseUrl: string, prefix: readonly string[] = []): Promise<Service> {
    const [command = '', ...parameters] = [...prefix, process.execPath, entry]
    const env = {
      ...process.env,
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: databaseUrl,
      AUTH_TOKENS: token,
      // The wait for the end of the service is long enough for a stalled machine.
      SHUTDOWN_TIMEOUT: '60000'
    }
    const child = spawn(command, parameters, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    t.teardown(() => child.kill('SIGKILL'))
    let output = ''
    child.stderr.on('data', (text) => {
      output += text
    })
    for await (const text of child.stdout.iterator({ destroyOnReturn: false })) {
      output += text
      if (/http:\/\/127\.0\.0\.1:\d+/.test(output)) break
    }
    const [origin] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? []
    if (!origin) throw new Error(`the service did not start: ${output}`)
    child.stdout.resume()
    return new Service(child, origin)
  }

  /** Ends with the exit code, or the name of the signal that ended the process. */
  async end(signal: NodeJS.Signals): Promise<number | string> {
    const exit = once(this.#process, 'exit')
    if (this.#process.exitCode === null) this.#process.kill(signal)
    const [code, name] = await exit
    this.#agent.destroy()
    return code ?? name
  }

  get isAlive(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null
  }

  /** Sends a create; repeats it when the service sheds it, as it does on a stalled machine. */
  async create(id: bigint | number, name = 'Monstera'): Promise<Answer> {
    for (;;) {
      const answer = await this.#ask('POST', '/plants', `{"id":${id},"name":${JSON.stringify(name)}}`)
      if (answer.body.error !== 5030) return answer
      await sleep(50)
    }
  }

  /** @throws unless the plant is stored, as the store itself would */
  async mustCreate(id: bigint): Promise<void> {
    const { status, body } = await this.create(id)
    if (status !== 200) throw Object.assign(new Error(body.message), { name: String(body.error) })
  }

  async status(path: string): Promise<number> {
    return (await this.#ask('GET', path)).status
  }

  async #ask(method: string, path: string, body = ''): Promise<Answer> {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const asked = request(new URL(path, this.origin), { agent: this.#agent, method, headers })
    asked.end(body)
    const [answer] = await once(asked, 'response')
    const text = (await Array.fromAsync(answer)).join('')
    return { status: answer.statusCode, body: JSON.parse(text) }
  }
}
