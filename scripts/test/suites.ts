/**
 * Reads and writes test/suites.txt, the table of where a test file runs: in the quick suite, which is `npm test`, or only in
 * the full one, which CI runs; and whether its coverage is measured. A file without a row is quick and not measured.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Effort } from './effort.ts'
import type { TestResult } from './test-result.ts'

export interface Row {
  readonly file: string
  readonly suite: 'quick' | 'full'
  readonly isMeasured: boolean
  /** CPU time when the table was written, child processes included. */
  readonly seconds: number
}

const table = 'test/suites.txt'
const unlisted = { suite: 'quick', isMeasured: false, seconds: 0 } as const
/** Maximum CPU time of a quick file. */
const maxQuickSeconds = 3
/** CPU time below which a quick file that is not measured needs no row. */
const minListedSeconds = 1
/** Programs that a quick file may start: the service, that of esbuild, which the compiler starts, and one that makes a pipe. */
const isQuickProgram = /\b(?:src\/main\.ts|scripts\/(?:start|check-node)\.js|bin\/esbuild)\b|^mkfifo /

export class Suites {
  readonly #rows: ReadonlyMap<string, Row>

  constructor(rows: readonly Row[]) {
    this.#rows = new Map(rows.map((row) => [row.file, row]))
  }

  /** @throws {Error} for a row that names no suite or no file */
  static read(project: string): Suites {
    const lines = readFileSync(join(project, table), 'utf8').split('\n')
    return new Suites(lines.filter((line) => line !== '' && !line.startsWith('#')).map(rowIn))
  }

  get files(): string[] {
    return [...this.#rows.keys()]
  }

  rowOf(file: string): Row {
    return this.#rows.get(file) ?? { file, ...unlisted }
  }

  isMeasured = (file: string): boolean => this.rowOf(file).isMeasured

  /** Returns the quick files, and those of rooms with a change since the last commit. */
  quickOf(files: readonly string[], project: string): string[] {
    const changed = changedTests(project)
    return files.filter((file) => this.rowOf(file).suite === 'quick' || changed(file))
  }

  /** Returns a line for each file that its effort has not in the right suite. Measured, a file takes more CPU time. */
  misplaced(results: readonly TestResult[], isCoverage: boolean): string[] {
    return results.flatMap(({ file, effort }) => {
      const { suite, isMeasured } = this.rowOf(file)
      if (effort === undefined) return []
      const reason = reasonForFull(isCoverage && isMeasured ? { ...effort, cpuMs: 0 } : effort)
      if (suite === 'quick') return reason === undefined ? [] : [`${file} is quick, but ${reason}`]
      return reason === undefined && !isCoverage ? [`${file} is not quick, but could be`] : []
    })
  }

  /** Returns the table with the suites and CPU times of a run; a file that was not run keeps its row. */
  after(results: readonly TestResult[]): Suites {
    const rows = new Map(this.#rows)
    for (const { file, effort } of results) {
      if (effort === undefined) continue
      const suite = reasonForFull(effort) === undefined ? 'quick' : 'full'
      rows.set(file, { ...this.rowOf(file), suite, seconds: effort.cpuMs / 1000 })
    }
    return new Suites([...rows.values()])
  }

  /** Returns the table in which these files are measured, and no others. */
  measuring(files: ReadonlySet<string>): Suites {
    return new Suites(
      [...new Set([...this.files, ...files])].map((file) => ({
        ...this.rowOf(file),
        isMeasured: files.has(file)
      }))
    )
  }

  write(project: string): void {
    const lines = [...this.#rows.values()]
      .sort((a, b) => b.seconds - a.seconds || (a.file < b.file ? -1 : 1))
      .filter((row) => row.suite === 'full' || row.isMeasured || row.seconds >= minListedSeconds)
      .map(
        ({ file, suite, isMeasured, seconds }) =>
          `${suite.padEnd(6)} ${(isMeasured ? 'measured' : '-').padEnd(8)} ${seconds.toFixed(1).padStart(5)}  ${file}\n`
      )
    writeFileSync(join(project, table), heading + lines.join(''))
  }
}

const heading = `# Where a test file runs; scripts/test/suites.ts reads it. A file that is not listed is quick and not measured.
# \`npm run test:full -- --write\` writes suites and CPU seconds, \`npm run coverage -- --choose\` what is measured.
`

function rowIn(line: string): Row {
  const [suite, coverage, seconds, file] = line.split(/ +/)
  if ((suite !== 'quick' && suite !== 'full') || file === undefined) throw new Error(`${table}: ${line}`)
  return { file, suite, isMeasured: coverage === 'measured', seconds: Number(seconds) }
}

function reasonForFull({ cpuMs, programs }: Effort): string | undefined {
  const other = programs.find((program) => !isQuickProgram.test(program))
  if (other !== undefined) return `starts ${other.replaceAll(/\s+/g, ' ').slice(0, 80)}`
  if (cpuMs > 1000 * maxQuickSeconds) return `takes ${(cpuMs / 1000).toFixed(1)} s of CPU time`
  return undefined
}

/** Returns a function that recognises the tests of the rooms with a change; none outside a repository. */
function changedTests(project: string): (file: string) => boolean {
  const { stdout } = spawnSync('git', ['status', '--porcelain', '-uall', '--no-renames'], {
    cwd: project,
    encoding: 'utf8'
  })
  const paths = (stdout ?? '').split('\n').map((line) => line.slice(3))
  const names = paths.filter((path) => /^(?:src|scripts|test)\/.*\.[jt]s$/.test(path)).map(testNameOf)
  const rooms = new Set([...names, ...names.map(dirname)])
  rooms.delete('test')
  return (file) => rooms.has(testNameOf(file)) || rooms.has(dirname(file))
}

/** Returns the path of a test without its extension, or of the test that a source file has by its name. */
const testNameOf = (path: string): string =>
  path
    .replace(/^src\//, 'test/')
    .replace(/^scripts\//, 'test/scripts/')
    .replace(/(?:\.test)?\.[jt]s$/, '')
