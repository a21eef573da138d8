/** The server that serves, and the one that waits to replace it. */
import { ServerProcess } from './server-process.ts'

/** Milliseconds after which an old server that does not let go of the port is ended. */
const letsGoWithin = 1_000

export interface ServersOptions {
  /** Of every server. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** What a server adds to its environment when it is started. */
  readonly atStart: () => Readonly<Record<string, string>>
  /** A line that the server wrote while it served. */
  readonly onLine: (line: string) => void
  /** The server has ended by itself. */
  readonly onCrash: (code: number | string) => void
}

/** The new server serves, or it could not start and said why; then the old one goes on. */
export type Replaced = { readonly url: string } | { readonly said: readonly string[] } | 'overtaken'

interface Server {
  readonly process: ServerProcess
  isServing: boolean
  /** What it wrote before it served. */
  readonly said: string[]
}

export class Servers {
  readonly #options: ServersOptions
  #current: Server | undefined
  #ahead: Server | undefined
  /** The first server's: where PORT is 0, the next one takes the same. */
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

  /** @param overtaken another change has come: whoever has not started by then is given up */
  async replace(overtaken: Promise<unknown>): Promise<Replaced> {
    const next = this.#ahead ?? this.#spawn()
    this.#ahead = undefined
    const environment = { ...this.#options.atStart(), ...(this.#port && { PORT: String(this.#port) }) }
    const ready = await Promise.race([next.process.start(environment), overtaken.then(() => undefined)])
    const replaced = ready === true ? await this.#switch(next) : undefined
    if (replaced === undefined) next.process.kill('SIGKILL')
    if (!this.#isClosed) this.#ahead = this.#spawn()
    if (replaced !== undefined) return { url: replaced }
    return ready === undefined ? 'overtaken' : { said: next.said }
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
    const stopped = old?.process.stop()
    const timer = setTimeout(() => old?.process.kill('SIGKILL'), letsGoWithin)
    const url = await next.process.listen(old !== undefined)
    clearTimeout(timer)
    void stopped
    if (url === undefined) this.#current = undefined
    else next.isServing = true
    this.#port = next.process.port ?? this.#port
    return url
  }

  #spawn(): Server {
    const process = new ServerProcess(this.#options.environment, (line) => {
      if (server.isServing) this.#options.onLine(line)
      else server.said.push(line)
    })
    const server: Server = { process, isServing: false, said: [] }
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
