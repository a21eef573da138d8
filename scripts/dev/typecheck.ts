/** The type checker, in a process of its own and after everything else: nobody waits for it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { resolve } from 'node:path'
import type { ContractProblem } from '../../src/contract/compile/diagnostics/problem.ts'

const project = resolve(import.meta.dirname, '../..')
const modules = resolve(project, 'node_modules')

/** What it knows of the last run. Packages may be shared by copies of the project. */
const memory = resolve(
  modules,
  `.cache/types-${createHash('sha256').update(project).digest('hex').slice(0, 8)}.tsbuildinfo`
)

export class TypeChecker {
  #child: ChildProcess | undefined
  #closed: Promise<unknown[]> | undefined

  /** @returns what is wrong; undefined when the check was given up for a later one */
  async check(): Promise<readonly ContractProblem[] | undefined> {
    void this.stop()
    const args = [
      'typescript/bin/tsc',
      '--noEmit',
      '--incremental',
      '--pretty',
      'false',
      '--tsBuildInfoFile',
      memory
    ]
    const [script = '', ...options] = args
    const child = spawn(process.execPath, [resolve(modules, script), ...options], {
      cwd: project,
      stdio: ['ignore', 'pipe', 'ignore']
    })
    this.#child = child
    if (child.pid !== undefined) setPriority(child.pid, 10)
    let output = ''
    child.stdout.on('data', (text) => {
      output += text
    })
    this.#closed = once(child, 'close')
    const [code] = await this.#closed
    return code === null || this.#child !== child ? undefined : typeProblems(output)
  }

  /** At once. @returns when it has ended */
  async stop(): Promise<void> {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
    await this.#closed
  }
}

/** `src/app.ts(31,5): error TS2741: Property …`; lines that are indented explain the one above. */
export function typeProblems(output: string): ContractProblem[] {
  return [...output.matchAll(/^(?:(.+)\((\d+),(\d+)\): )?error (TS\d+: .*)$/gm)].map(
    ([, file = 'tsconfig.json', line = '1', column = '1', message = '']) => ({
      severity: 'error',
      file: resolve(project, file),
      line: Number(line),
      column: Number(column),
      message
    })
  )
}
