/** Collects the coverage of src/ by the files of a test run, and reports the lines that none of them has run. */
import { hash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join, resolve } from 'node:path'
import { uncoveredLines } from './uncovered-lines.ts'
import { addCoverage, type Covered, sourcesIn } from './v8-coverage.ts'

export interface GateOptions {
  /** Folder that contains `src/`. */
  readonly project: string
  /** Folder for the reports of V8, which is removed before and after the run. */
  readonly reports: string
  /** Returns true if the coverage of a test file counts. */
  readonly isMeasured: (file: string) => boolean
}

const measuredProcess = import.meta.resolve('./measured-process.js')

export class CoverageGate {
  readonly #options: GateOptions
  readonly #sources: ReadonlySet<string>
  readonly #covered: Covered = new Map()

  constructor(options: GateOptions) {
    this.#options = options
    this.#sources = new Set(sourcesIn(resolve(options.project, 'src')))
    rmSync(options.reports, { recursive: true, force: true })
    stripTypes(options.project, this.#stripped)
  }

  /** Returns the variables for the environment of a test file, which all of its processes inherit. */
  environmentOf(file: string): NodeJS.ProcessEnv {
    if (!this.#options.isMeasured(file)) return {}
    const { href } = new URL(`?${new URLSearchParams({ stripped: this.#stripped })}`, measuredProcess)
    return {
      NODE_V8_COVERAGE: this.#reportsOf(file),
      NODE_COMPILE_CACHE: join(this.#options.reports, 'compiled'),
      NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${href}`
    }
  }

  /** Reads and removes the reports of a file that has ended: those of all files together take a gigabyte. */
  collect(file: string): void {
    const reports = this.#reportsOf(file)
    addCoverage(this.#covered, reports, this.#sources)
    rmSync(reports, { recursive: true, force: true })
  }

  /** @returns the problems as sentences; none when the gate is passed */
  problems(): string[] {
    const { project, reports } = this.#options
    rmSync(reports, { recursive: true, force: true })
    const lines = uncoveredLines(this.#sources, project, this.#covered)
    return lines.map(({ file, line, text }) => `${file}:${line} is not covered: ${text}`)
  }

  /** Folder of the files without types, for each process to read. */
  get #stripped(): string {
    return join(this.#options.reports, 'stripped')
  }

  #reportsOf(file: string): string {
    return join(this.#options.reports, file.replaceAll(/[/\\]/g, '_'))
  }
}

/** Writes each TypeScript file of the project without its types, with the digest of its text as name. */
function stripTypes(project: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const file of globSync('{generated,scripts,src,test}/**/*.ts', { cwd: project })) {
    const text = readFileSync(join(project, file), 'utf8')
    writeFileSync(join(folder, hash('sha256', text)), stripTypeScriptTypes(text))
  }
}
