/** Collects what the files of a test run cover of src/ while they run, and reports the lines that none of them has run. */
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { coverageProblems, type Exception, uncoveredLines } from './uncovered-lines.ts'
import { addCoverage, type Covered, readSources, type Sources } from './v8-coverage.ts'

export interface GateOptions {
  /** The folder that holds `src/`. */
  readonly project: string
  /** Folder for the reports of V8, which is removed before and after the run. */
  readonly reports: string
  /** Returns whether what a test file runs counts. */
  readonly isMeasured: (file: string) => boolean
  /** Lines that the tests do not reach. */
  readonly exceptions: readonly Exception[]
}

export class CoverageGate {
  readonly #options: GateOptions
  readonly #sources: Sources
  readonly #covered: Covered = new Map()

  constructor(options: GateOptions) {
    this.#options = options
    this.#sources = readSources(resolve(options.project, 'src'))
    rmSync(options.reports, { recursive: true, force: true })
  }

  /** Returns what to add to the environment of a test file and of all processes that it starts. */
  environmentOf(file: string): NodeJS.ProcessEnv {
    if (!this.#options.isMeasured(file)) return {}
    // Of code that comes from Node's compile cache, which is the top level of modules, V8 counts no branches.
    return { NODE_V8_COVERAGE: this.#reportsOf(file), NODE_DISABLE_COMPILE_CACHE: '1' }
  }

  /** Reads the reports of a file that has ended, and removes them: those of all files together take a gigabyte. */
  collect(file: string): void {
    const reports = this.#reportsOf(file)
    addCoverage(this.#covered, reports, this.#sources)
    rmSync(reports, { recursive: true, force: true })
  }

  /** @returns problems in sentences, none when the gate is passed */
  problems(): string[] {
    const { project, reports, exceptions } = this.#options
    rmSync(reports, { recursive: true, force: true })
    return coverageProblems(uncoveredLines(this.#sources, project, this.#covered), exceptions)
  }

  #reportsOf(file: string): string {
    return join(this.#options.reports, file.replaceAll(/[/\\]/g, '_'))
  }
}
