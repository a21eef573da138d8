/** Runs `npm run dev` in a copy of the project, and reads its output. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { type CopyOptions, ProjectCopy, serviceOnly } from '../../../e2e/project-copy.ts'

export interface SessionOptions extends CopyOptions {
  /** True to run the type checker on the service. */
  readonly checksTypes?: boolean
  /**
   * Copy of the project to run in, without the edits of earlier sessions; by default a new one. An existing copy
   * already has compiled code.
   */
  readonly copy?: ProjectCopy
}

/** Longest wait: the first type check takes more than a minute on a busy machine. */
const maxWaitMs = 240_000

export class DevSession {
  readonly copy: ProjectCopy
  readonly child: ChildProcess
  readonly url: string
  readonly token: string
  readonly exited: Promise<unknown[]>
  /** Output until the server served. */
  readonly started: string
  /** Output since the last call of `shows`. */
  #shown = ''

  private constructor(copy: ProjectCopy, child: ChildProcess, output: string) {
    this.copy = copy
    this.started = output
    this.child = child
    this.url = /service +(\S+)/.exec(output)?.[1] ?? ''
    this.token = /token +(\S+)/.exec(output)?.[1] ?? ''
    this.exited = once(child, 'exit')
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (text) => {
        this.#shown += text
      })
    }
  }

  static async start(
    t: Test,
    { checksTypes = false, copy: given, ...options }: SessionOptions = {}
  ): Promise<DevSession> {
    await given?.reset()
    const copy =
      given ?? (await ProjectCopy.make(t, { ...options, ...(checksTypes && { checked: serviceOnly }) }))
    const line = `exec node scripts/dev.ts${checksTypes ? '' : ' --no-types'}`
    const { child, output } = await copy.start(line, /serving after/)
    return new DevSession(copy, child, output)
  }

  /**
   * Returns the output up to the match.
   * @throws {Error} when the process ends before, or does not show it within four minutes
   */
  async shows(want: RegExp): Promise<string> {
    const deadline = performance.now() + maxWaitMs
    while (!want.test(this.#shown)) {
      if (this.child.exitCode !== null) throw new Error(`it has ended: ${this.#shown}`)
      if (performance.now() > deadline) throw new Error(`${want} was not shown: ${this.#shown}`)
      await sleep(10)
    }
    const shown = this.#shown
    this.#shown = ''
    return shown
  }

  /**
   * Sends a request; repeats it after a connection error, as browsers do, because no server has the port for some ms.
   */
  async request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${this.token}`, ...init.headers }
    const deadline = performance.now() + 20_000
    for (;;) {
      try {
        return await fetch(`${this.url}${path}`, { ...init, headers })
      } catch (error) {
        if (performance.now() > deadline) throw error
        await sleep(5)
      }
    }
  }

  async end(signal: NodeJS.Signals): Promise<unknown> {
    this.child.kill(signal)
    const [code, by] = await this.exited
    return code ?? by
  }
}

/** Returns the ids of the Node processes in this folder, without esbuild's own process, which ends after its parent. */
export function processesIn(folder: string): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const nodes = pids.filter((pid) => linkOf(`/proc/${pid}/exe`) === process.execPath)
  return nodes.filter((pid) => linkOf(`/proc/${pid}/cwd`) === folder)
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined // The process has ended.
  }
}
