/** The type checker, in a process of its own at a lower priority. The server does not wait for it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { constants, copyFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import type { ContractProblem } from '../../compiler.ts'
import { typeProblems } from './type-problems.ts'

const project = process.cwd()
const modules = resolve(project, 'node_modules')

/** Results of the last run, by project folder, because copies of the project may share their packages. */
const buildInfo = resolve(
  modules,
  `.cache/types-${createHash('sha256').update(project).digest('hex').slice(0, 8)}.tsbuildinfo`
)

/** Results of `npm run typecheck` or of the first check here: the first check of another folder starts from them. */
const firstResults = resolve(modules, '.cache/typecheck.tsbuildinfo')

/**
 * V8 option: a check makes many objects that live until its end, and a larger young generation needs fewer collections.
 */
const roomForYoung = '--max-semi-space-size=64'

/** Copies a file unless the target exists. */
function copyOnce(from: string, to: string): void {
  try {
    copyFileSync(from, to, constants.COPYFILE_EXCL)
  } catch {
    return // The source is missing or unreadable: the check starts without earlier results.
  }
}

export class TypeChecker {
  #child: ChildProcess | undefined
  #closed: Promise<unknown[]> | undefined

  /** @returns the errors; undefined when a later check has replaced this one */
  async check(): Promise<readonly ContractProblem[] | undefined> {
    void this.stop()
    copyOnce(firstResults, buildInfo)
    const args = [
      'typescript/bin/tsc',
      '--noEmit',
      '--incremental',
      '--pretty',
      'false',
      '--tsBuildInfoFile',
      buildInfo
    ]
    const [script = '', ...options] = args
    const child = spawn(process.execPath, [roomForYoung, resolve(modules, script), ...options], {
      cwd: project,
      stdio: ['ignore', 'pipe', 'ignore']
    })
    this.#child = child
    if (child.pid !== undefined) setPriority(child.pid, 10)
    this.#closed = once(child, 'close')
    const [output, [code]] = await Promise.all([text(child.stdout), this.#closed])
    if (code !== null) copyOnce(buildInfo, firstResults)
    return code === null || this.#child !== child ? undefined : typeProblems(output, project)
  }

  /** Kills the process, and returns when it has ended. */
  async stop(): Promise<void> {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
    await this.#closed
  }
}
