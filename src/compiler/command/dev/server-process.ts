/** A process of the server, from its start ahead of time to its end. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { createInterface } from 'node:readline'

const project = process.cwd()
const preload = import.meta.resolve(`./preload${extname(import.meta.filename)}`)

/** After this time a server that was asked to end is killed. */
const endTimeoutMs = 2_000

type Environment = Readonly<Record<string, string | undefined>>

/** Sent by preload.ts, port-handover.ts and src/main.ts. */
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
  /** Its clients show bearer tokens that the service knows; known once it serves. */
  usesTokens = false
  /** Its exit code, or the signal that ended it. */
  readonly exited: Promise<number | string>

  /** @param onLine is called with each line that it writes */
  constructor(environment: Environment, onLine: (line: string) => void) {
    // In a group of its own: a Ctrl-C of the terminal is for `npm run dev`, which ends its servers itself.
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

  /** @returns true when it is ready to listen, false when it has ended instead */
  async start(environment: Readonly<Record<string, string>>): Promise<boolean> {
    this.#send(environment)
    return Promise.race([this.#ready.promise, this.exited.then(() => false)])
  }

  /**
   * @param mayWait another server still has the port, and closes its listener now
   * @returns its URL, or undefined when it has ended instead
   */
  async listen(mayWait: boolean): Promise<string | undefined> {
    this.#send(mayWait)
    return Promise.race([this.#serving.promise, this.exited.then(() => undefined)])
  }

  /** Frees the port at once, and answers the requests under way. */
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
