/** Runs a command under V8's coverage, and reports the lines of src/ that it has not run. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { coverageProblems, type Exception, uncoveredLines } from './uncovered-lines.ts'
import { readCoverage } from './v8-coverage.ts'

export interface Gate {
  /** The folder that holds `src/`, and in which the command runs. */
  readonly project: string
  /** Folder for the reports of V8; it is emptied first. */
  readonly reports: string
  /** Runs the tests; all processes that it starts count. */
  readonly command: readonly [program: string, ...args: string[]]
  /** Lines that the tests do not reach. */
  readonly exceptions: readonly Exception[]
}

/** @returns problems in sentences, none when the gate is passed; undefined when the command has failed */
export function gateProblems({ project, reports, command, exceptions }: Gate): string[] | undefined {
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  const [program, ...args] = command
  // Of functions that come from Node's compile cache V8 reports less (https://nodejs.org/api/module.html#module-compile-cache).
  const env = { ...process.env, NODE_V8_COVERAGE: reports, NODE_DISABLE_COMPILE_CACHE: '1' }
  const { status } = spawnSync(program, args, { cwd: project, env, stdio: 'inherit' })
  if (status !== 0) return undefined
  const sources = resolve(project, 'src')
  return coverageProblems(uncoveredLines(sources, project, readCoverage(reports, sources)), exceptions)
}
