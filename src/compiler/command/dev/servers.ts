/** The current server, and the next one, which is started ahead. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { extname } from 'node:path'
import { createInterface } from 'node:readline'
import type { Notice } from './live-reload.ts'

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

class Server {
  /** True once it has the port and has sent its URL. */
  isServing = false
  /** Output before it served. */
  readonly output: string[] = []
  readonly #child: ChildProcess
  readonly #ready = Promise.withResolvers<true>()
  readonly #serving = Promise.withResolvers<string>()
  /** The port that it listens on, once it serves. */
  port: number | undefined
  /** True when clients send bearer tokens that the service checks; set once the server listens. */
  usesTokens = false
  /** Exit code of the process, or the signal that ended it. */
  readonly exited: Promise<number | string>

  /** @param onLine is called with each line of output while it serves */
  constructor(environment: Environment, onLine: (line: string) => void) {
    const heed = (line: string) => (this.isServing ? onLine(line) : this.output.push(line))
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
      if (stream !== null) createInterface({ input: stream }).on('line', heed)
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

  /** Shows a notice in the docs page until the next one. */
  tell(notice: Notice | undefined): void {
    this.#send({ notice: notice ?? null })
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

interface ServersOptions {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Returns what a server adds to its environment when it is started. */
  readonly atStart: () => Readonly<Record<string, string>>
  /** Is called with each line that the server writes while it serves. */
  readonly onLine: (line: string) => void
  /** Is called when the server has ended by itself. */
  readonly onCrash: (code: number | string) => void
}

/** URL of the new server, or the output of one that could not start: the old one then still serves. */
export type Replaced =
  | { readonly url: string; readonly usesTokens: boolean }
  | { readonly output: readonly string[] }
  | 'overtaken'

export class Servers {
  readonly #options: ServersOptions
  #current: Server | undefined
  #ahead: Server
  /** Port of the first server: with PORT=0, later servers take the same one. */
  #port: number | undefined
  readonly #running = new Set<Server>()
  #isClosed = false

  constructor(options: ServersOptions) {
    this.#options = options
    this.#ahead = this.#spawn()
  }

  get isServing(): boolean {
    return this.#current !== undefined
  }

  /** Shows a notice in the docs page of the current server; undefined removes it. */
  tell(notice: Notice | undefined): void {
    if (this.#current?.isServing) this.#current.tell(notice)
  }

  /** Starts the next server anew, because it has loaded a package that has changed. */
  renew(): void {
    this.#ahead.kill('SIGKILL')
    this.#ahead = this.#spawn()
  }

  /** @param overtaken resolves at the next change: a server that has not started by then is killed */
  async replace(overtaken: Promise<unknown>): Promise<Replaced> {
    const next = this.#ahead
    const environment = { ...this.#options.atStart(), ...(this.#port && { PORT: String(this.#port) }) }
    const ready = await Promise.race([next.start(environment), overtaken.then(() => undefined)])
    const replaced = ready === true ? await this.#switch(next) : undefined
    if (replaced === undefined) next.kill('SIGKILL')
    if (!this.#isClosed) this.#ahead = this.#spawn()
    if (replaced !== undefined) return { url: replaced, usesTokens: next.usesTokens }
    return ready === undefined ? 'overtaken' : { output: next.output }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const current = this.#current
    this.#current = undefined
    const others = [...this.#running].filter((server) => server !== current)
    for (const server of others) server.kill('SIGKILL')
    await Promise.all([current?.stop(), ...others.map(({ exited }) => exited)])
  }

  async #switch(next: Server): Promise<string | undefined> {
    const old = this.#current
    this.#current = next
    void old?.stop()
    const url = await next.listen(old !== undefined)
    if (url === undefined) this.#current = undefined
    else next.isServing = true
    this.#port = next.port ?? this.#port
    return url
  }

  #spawn(): Server {
    const server = new Server(this.#options.environment, this.#options.onLine)
    this.#running.add(server)
    server.exited.then((code) => {
      this.#running.delete(server)
      if (this.#current !== server || !server.isServing) return
      this.#current = undefined
      this.#options.onCrash(code)
    })
    return server
  }
}
