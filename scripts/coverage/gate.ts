/** Collects the coverage of src/ by the files of a test run, and reports the lines and branches that none of them has run. */
import { hash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join, matchesGlob, relative, resolve } from 'node:path'
import { Code, type Count } from './code.ts'
import { add, type Covered, coverageIn, type FileCoverage, sourcesIn } from './v8-coverage.ts'

export interface GateOptions {
  /** Folder that contains `src/`. */
  readonly project: string
  /** Folder for the reports of V8, which is removed before and after the run. */
  readonly reports: string
  /** Returns true if the coverage of a test file counts. */
  readonly isMeasured: (file: string) => boolean
  /** Keeps what each file has run, which takes a gigabyte for all of them. */
  readonly keepsEach?: boolean
}

/** Rooms in which every line and branch runs: a request is admitted, read, answered and stored there. */
export const wholeRooms = [
  'src/engine/server/{body,errors,parameters,responses,security}/**',
  'src/service/credentials/**',
  'src/store/**'
]
/** Least share in all other rooms together. */
const gate = { lines: 0.98, branches: 0.96 }

const measuredProcess = import.meta.resolve('./measured-process.js')

export class CoverageGate {
  readonly #options: GateOptions
  readonly sources: readonly string[]
  readonly #covered: Covered = new Map()
  /** Coverage of each file, if the files to measure are to be chosen. */
  readonly each = new Map<string, Covered>()

  constructor(options: GateOptions) {
    this.#options = options
    this.sources = sourcesIn(resolve(options.project, 'src'))
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
    const covered = coverageIn(reports, this.sources)
    add(this.#covered, covered)
    if (this.#options.keepsEach === true) this.each.set(file, covered)
    rmSync(reports, { recursive: true, force: true })
  }

  /** Ends the measurement. */
  report(): CoverageReport {
    const { project, reports } = this.#options
    rmSync(reports, { recursive: true, force: true })
    return reportOf(codesOf(this.sources), project, this.#covered)
  }

  /** Folder of the files without types, for each process to read. */
  get #stripped(): string {
    return join(this.#options.reports, 'stripped')
  }

  #reportsOf(file: string): string {
    return join(this.#options.reports, file.replaceAll(/[/\\]/g, '_'))
  }
}

export interface CoverageReport {
  /** Sentences: what is missing. None when the gate is passed. */
  readonly problems: readonly string[]
  /** Shares of lines and branches, by room. */
  readonly figures: readonly string[]
  /** Lines outside the whole rooms that have not run, or only in part. */
  readonly others: readonly string[]
}

/** Returns the code of each source by its path. */
export const codesOf = (sources: readonly string[]): ReadonlyMap<string, Code> =>
  new Map(sources.map((path) => [path, new Code(path)]))

/** Judges what has run of the sources. */
export function reportOf(
  codes: ReadonlyMap<string, Code>,
  project: string,
  covered: ReadonlyMap<string, FileCoverage>,
  least = gate
): CoverageReport {
  const missing: { readonly isWhole: boolean; readonly text: string }[] = []
  const [whole, others] = [new Share(), new Share()]
  for (const [path, code] of codes) {
    const file = relative(project, path)
    const isWhole = wholeRooms.some((room) => matchesGlob(file, room))
    const coverage = covered.get(path)
    const share = isWhole ? whole : others
    share.add(code.lines(coverage), code.branches(coverage))
    for (const { line, text } of code.uncovered(coverage))
      missing.push({ isWhole, text: `${file}:${line} is not covered: ${text}` })
  }
  const textsOf = (isWhole: boolean) =>
    missing.filter((each) => each.isWhole === isWhole).map(({ text }) => text)
  return {
    problems: [...textsOf(true), ...others.problems(least)],
    figures: [`where a request is admitted, read, answered and stored: ${whole}`, `elsewhere: ${others}`],
    others: textsOf(false)
  }
}

/** Shares of lines and branches that have run. */
class Share {
  #lines: Count = { total: 0, covered: 0 }
  #branches: Count = { total: 0, covered: 0 }

  add(lines: Count, branches: Count): void {
    this.#lines = sumOf(this.#lines, lines)
    this.#branches = sumOf(this.#branches, branches)
  }

  problems(least: typeof gate): string[] {
    const tooFew = (name: 'lines' | 'branches', count: Count) =>
      shareOf(count) < least[name]
        ? [`${percent(count)} of the ${name} elsewhere run, at least ${100 * least[name]} % must`]
        : []
    return [...tooFew('lines', this.#lines), ...tooFew('branches', this.#branches)]
  }

  toString(): string {
    return `${percent(this.#lines)} of ${this.#lines.total} lines, ${percent(this.#branches)} of ${this.#branches.total} branches`
  }
}

const sumOf = (a: Count, b: Count): Count => ({ total: a.total + b.total, covered: a.covered + b.covered })
const shareOf = ({ total, covered }: Count): number => (total === 0 ? 1 : covered / total)
/** Rounds down, so that 100 % means all. */
const percent = (count: Count): string => `${(Math.floor(10_000 * shareOf(count)) / 100).toFixed(2)} %`

/** Writes each TypeScript file of the project without its types, with the digest of its text as name. */
function stripTypes(project: string, folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const file of globSync('{generated,scripts,src,test}/**/*.ts', { cwd: project })) {
    const text = readFileSync(join(project, file), 'utf8')
    writeFileSync(join(folder, hash('sha256', text)), stripTypeScriptTypes(text))
  }
}
