/**
 * The type checker, in a process of its own at a lower priority, which stays for the next check. The server does not wait
 * for it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { constants, copyFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { extname, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { ContractProblem } from '../../compiler.ts'
import { compileCache } from '../generate/read-project.ts'

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

/** A process that keeps the files it has parsed, so that the next check parses those that have changed. */
interface Running {
  readonly child: ChildProcess
  readonly exited: Promise<unknown[]>
  /** Text that it has written about its failure. */
  readonly errors: Promise<string>
}

export class TypeChecker {
  readonly #folder: string
  /** Results of the last run, by project folder, because copies of the project may share their packages. */
  readonly #buildInfo: string
  /** Results of `npm run typecheck` or of the first check here: the first check of another folder starts from them. */
  readonly #firstResults: string
  #running: Running | undefined
  #isChecking = false

  constructor(folder = process.cwd()) {
    const cache = resolve(folder, 'node_modules/.cache')
    const id = createHash('sha256').update(folder).digest('hex').slice(0, 8)
    this.#folder = folder
    this.#buildInfo = resolve(cache, `types-${id}.tsbuildinfo`)
    this.#firstResults = resolve(cache, 'typecheck.tsbuildinfo')
  }

  /** @returns the errors; undefined when a later check has replaced this one, or a signal has ended it */
  async check(): Promise<readonly ContractProblem[] | undefined> {
    this.interrupt()
    copyOnce(this.#firstResults, this.#buildInfo)
    // A process may have ended since its last check.
    const running = this.#running?.child.connected ? this.#running : this.#start()
    this.#running = running
    const { child, exited, errors } = running
    this.#isChecking = true
    const checked = once(child, 'message').then(([problems]) => ({ problems }))
    child.send('check', () => {})
    const outcome = await Promise.race([checked, exited.then(([code]) => ({ code }))])
    if (this.#running !== running) return undefined
    this.#isChecking = false
    copyOnce(this.#buildInfo, this.#firstResults)
    if ('problems' in outcome) return outcome.problems
    this.#running = undefined
    return outcome.code === null ? undefined : [this.#failure(await errors)]
  }

  #start(): Running {
    const child = spawn(process.execPath, [roomForYoung, '--expose-gc', checkTypes, this.#buildInfo], {
      cwd: this.#folder,
      env: { ...process.env, NODE_COMPILE_CACHE: compileCache(this.#folder) },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc']
    })
    if (child.pid !== undefined) setPriority(child.pid, 10)
    return { child, exited: once(child, 'exit'), errors: text(child.stderr as Readable) }
  }

  /** Kills the process while it checks. */
  interrupt(): void {
    if (!this.#isChecking) return
    this.#running?.child.kill('SIGKILL')
    this.#running = undefined
    this.#isChecking = false
  }

  /** Ends the process, and returns when it has ended. */
  async stop(): Promise<void> {
    const running = this.#running
    this.interrupt()
    if (running?.child.connected) running.child.disconnect()
    this.#running = undefined
    await running?.exited
  }

  #failure(errors: string): ContractProblem {
    const [sentence = 'it has ended'] = /^\w*Error.*$/m.exec(errors) ?? []
    const place = { file: resolve(this.#folder, 'tsconfig.json'), line: 1, column: 1 }
    return { severity: 'error', ...place, message: `the type checker failed: ${sentence}` }
  }
}
