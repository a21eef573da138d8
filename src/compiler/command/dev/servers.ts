/** The current server, and the next one, which is started ahead. */
import { ServerProcess } from './server-process.ts'

export interface ServersOptions {
  /** Environment of every server. */
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

interface Server {
  readonly process: ServerProcess
  isServing: boolean
  /** Output of the process before it served. */
  readonly output: string[]
}

export class Servers {
  readonly #options: ServersOptions
  #current: Server | undefined
  #ahead: Server
  /** Port of the first server: with PORT=0, later servers take the same one. */
  #port: number | undefined
  readonly #running = new Set<ServerProcess>()
  #isClosed = false

  constructor(options: ServersOptions) {
    this.#options = options
    this.#ahead = this.#spawn()
  }

  get isServing(): boolean {
    return this.#current !== undefined
  }

  /** @param overtaken resolves at the next change: a server that has not started by then is killed */
  async replace(overtaken: Promise<unknown>): Promise<Replaced> {
    const next = this.#ahead
    const environment = { ...this.#options.atStart(), ...(this.#port && { PORT: String(this.#port) }) }
    const ready = await Promise.race([next.process.start(environment), overtaken.then(() => undefined)])
    const replaced = ready === true ? await this.#switch(next) : undefined
    if (replaced === undefined) next.process.kill('SIGKILL')
    if (!this.#isClosed) this.#ahead = this.#spawn()
    if (replaced !== undefined) return { url: replaced, usesTokens: next.process.usesTokens }
    return ready === undefined ? 'overtaken' : { output: next.output }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const current = this.#current
    this.#current = undefined
    const others = [...this.#running].filter((process) => process !== current?.process)
    for (const process of others) process.kill('SIGKILL')
    await Promise.all([current?.process.stop(), ...others.map(({ exited }) => exited)])
  }

  async #switch(next: Server): Promise<string | undefined> {
    const old = this.#current
    this.#current = next
    void old?.process.stop()
    const url = await next.process.listen(old !== undefined)
    if (url === undefined) this.#current = undefined
    else next.isServing = true
    this.#port = next.process.port ?? this.#port
    return url
  }

  #spawn(): Server {
    const process = new ServerProcess(this.#options.environment, (line) => {
      if (server.isServing) this.#options.onLine(line)
      else server.output.push(line)
    })
    const server: Server = { process, isServing: false, output: [] }
    this.#running.add(process)
    process.exited.then((code) => {
      this.#running.delete(process)
      if (this.#current !== server || !server.isServing) return
      this.#current = undefined
      this.#options.onCrash(code)
    })
    return server
  }
}
