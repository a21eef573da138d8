/** The type checker, in a process of its own at a lower priority. The server does not wait for it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { constants, copyFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { extname, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { ContractProblem } from '../../compiler.ts'
import { compileCache } from '../project/read-project.ts'

const checkTypes = fileURLToPath(import.meta.resolve(`./check-types${extname(import.meta.filename)}`))

/**
 * V8 option: a check makes many objects that live until its end, and a larger young generation needs fewer collections.
 */
const roomForYoung = '--max-semi-space-size=64'

function copyOnce(from: string, to: string): void {
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL)
  } catch {
    return // The source is missing or unreadable: the check starts without earlier results.
  }
}

export class TypeChecker {
  readonly #folder: string
  /** Results of the last run, by project folder, because copies of the project may share their packages. */
  readonly #buildInfo: string
  /** Results of `npm run typecheck` or of the first check here: the first check of another folder starts from them. */
  readonly #firstResults: string
  #child: ChildProcess | undefined
  #closed: Promise<unknown[]> | undefined

  constructor(folder = process.cwd()) {
    const cache = resolve(folder, 'node_modules/.cache')
    const id = createHash('sha256').update(folder).digest('hex').slice(0, 8)
    this.#folder = folder
    this.#buildInfo = resolve(cache, `types-${id}.tsbuildinfo`)
    this.#firstResults = resolve(cache, 'typecheck.tsbuildinfo')
  }

  /** @returns the errors; undefined when a later check has replaced this one */
  async check(): Promise<readonly ContractProblem[] | undefined> {
    void this.stop()
    copyOnce(this.#firstResults, this.#buildInfo)
    const child = spawn(process.execPath, [roomForYoung, checkTypes, this.#buildInfo], {
      cwd: this.#folder,
      env: { ...process.env, NODE_COMPILE_CACHE: compileCache(this.#folder) },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    this.#child = child
    if (child.pid !== undefined) setPriority(child.pid, 10)
    this.#closed = once(child, 'close')
    const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), this.#closed])
    if (code === null || this.#child !== child) return undefined
    copyOnce(this.#buildInfo, this.#firstResults)
    return code === 0 ? JSON.parse(output) : [this.#failure(errors)]
  }

  /** Kills the process, and returns when it has ended. */
  async stop(): Promise<void> {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
    await this.#closed
  }

  #failure(errors: string): ContractProblem {
    const [sentence = 'it has ended'] = /^\w*Error.*$/m.exec(errors) ?? []
    const place = { file: resolve(this.#folder, 'tsconfig.json'), line: 1, column: 1 }
    return { severity: 'error', ...place, message: `the type checker failed: ${sentence}` }
  }
}
