/** A server process, from its start ahead of time to its end. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { createInterface } from 'node:readline'

const project = process.cwd()
const preload = import.meta.resolve(`./preload${extname(import.meta.filename)}`)

/** Time-out after which a server that was asked to end is killed. */
const endTimeoutMs = 2_000

type Environment = Readonly<Record<string, string | undefined>>

/** Message that preload.ts, port-handover.ts or src/main.ts sends. */
interface Message {
  readonly ready?: true
  readonly port?: number
  readonly url?: string
  readonly usesTokens?: boolean
}

export class ServerProcess {
  readonly #child: ChildProcess
  readonly #ready = Promise.withResolvers<true>()
  readonly #serving = Promise.withResolvers<string>()
  /** The port that it listens on, once it serves. */
  port: number | undefined
  /** True when clients send bearer tokens that the service checks; set once the server listens. */
  usesTokens = false
  /** Exit code of the process, or the signal that ended it. */
  readonly exited: Promise<number | string>

  /** @param onLine is called with each line of output */
  constructor(environment: Environment, onLine: (line: string) => void) {
    // Starts a process group: Ctrl-C in the terminal reaches only `npm run dev`, which ends its servers itself.
    this.#child = spawn(process.execPath, ['--import', preload, 'src/main.ts'], {
      cwd: project,
      env: environment,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc']
    })
    this.exited = once(this.#child, 'close').then(([code, signal]) => code ?? signal)
    this.#child.on('error', () => {})
    this.#child.on('message', (message) => this.#onMessage(message as Message))
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream !== null) createInterface({ input: stream }).on('line', onLine)
    }
  }

  /** @returns true when the server is ready to listen, false when its process has ended */
  async start(environment: Readonly<Record<string, string>>): Promise<boolean> {
    this.#send(environment)
    return Promise.race([this.#ready.promise, this.exited.then(() => false)])
  }

  /**
   * @param mayWait true while another server still has the port and closes its listener
   * @returns the URL, or undefined when the process has ended
   */
  async listen(mayWait: boolean): Promise<string | undefined> {
    this.#send(mayWait)
    return Promise.race([this.#serving.promise, this.exited.then(() => undefined)])
  }

  /** Frees the port at once, and answers the requests in progress. */
  async stop(): Promise<void> {
    this.kill('SIGTERM')
    const timer = setTimeout(() => this.kill('SIGKILL'), endTimeoutMs)
    await this.exited
    clearTimeout(timer)
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  #send(message: object | boolean): void {
    if (this.#child.connected) this.#child.send(message, () => {})
  }

  #onMessage({ ready, port, url, usesTokens }: Message): void {
    this.usesTokens = usesTokens ?? this.usesTokens
    if (ready) this.#ready.resolve(true)
    if (port !== undefined) this.port = port
    if (url !== undefined) this.#serving.resolve(url)
  }
}
