/** Runs `npm run generate` once: compiles, and formats the result for a terminal. */
import { resolve } from 'node:path'
import { finish, type Paints, paints, type Result } from '@contract-first/cli/command'
import { counted, formatProblems, formatRows, type Paint, type Row } from '@contract-first/cli/format'
import { printable, printableJson } from '@contract-first/cli/printable'
import { byCause, ContractError, type ContractProblem } from '@contract-first/contract'
import type { CompileObserver } from '../../compiler.ts'
import { CachedGenerator, type Run } from './cached-generator.ts'
import { FileWatcher } from './file-watcher.ts'
import { withProgress } from './progress.ts'
import type { ContractFile } from './read-project.ts'
import {
  assertIsFile,
  type Changes,
  changesOf,
  formatChanges,
  formatReport,
  problemText,
  shortPath
} from './report.ts'
import { type Format, type ReportItem, reportFormats } from './report-formats.ts'

export interface Options extends ContractFile {
  readonly check: boolean
  readonly watch: boolean
  readonly stubs: boolean
  /** True to count every warning as an error. */
  readonly strict: boolean
  /** True to list every warning by itself. */
  readonly allWarnings: boolean
  /** Format of the problems; other than as text they are the whole output. */
  readonly format: Format
  /** Absolute path. */
  readonly out: string
  /** False to write no client. */
  readonly client?: boolean
  /** Folder of the handlers; known only for the contract that the project of the working directory serves. */
  readonly handlers?: string
}

interface RunSettings extends CompileObserver {
  readonly paints: Paints
  readonly generator?: CachedGenerator
}

/** @throws any error other than those of the contract and of files: it is a defect of the compiler */
export async function runGenerate(
  options: Options,
  { paints, generator = new CachedGenerator(options), ...observer }: RunSettings
): Promise<Result> {
  try {
    await assertIsFile(options.contract)
    const run = await generator.generate(options, observer)
    const changes = await changesOf(run.documents)
    const warnings = problemReport(run.problems, options, paints.errors)
    const result = options.check
      ? checkResult({ ...run, changes }, options, paints.errors)
      : await writeResult({ ...run, changes }, options, { paint: paints.output, generator })
    if (options.format !== 'text') {
      const stale = options.check ? run.differing.map((name) => staleItem(resolve(options.out, name))) : []
      const output = problemsAs(options.format, [...run.problems.map(itemOf), ...stale])
      return { exitCode: result.exitCode, output, errors: '' }
    }
    return { ...result, errors: warnings === '' ? result.errors : `${warnings}\n${result.errors}` }
  } catch (error) {
    if (options.format !== 'text' && error instanceof ContractError)
      return { exitCode: 1, output: problemsAs(options.format, error.problems.map(itemOf)), errors: '' }
    return { exitCode: 1, output: '', errors: failureText(error, options, paints.errors) }
  }
}

function problemsAs(format: Exclude<Format, 'text'>, items: readonly ReportItem[]): string {
  if (format === 'json') return `${printableJson(JSON.stringify({ problems: items }, null, 2))}\n`
  const heading = items.length === 0 ? 'The contract has no problem' : counted(items.length, 'problem')
  const checked = items.some(({ level }) => level === 'error') ? [] : ['the contract']
  return reportFormats[format]({ tool: 'generate', heading, items, checked })
}

const itemOf = ({
  severity,
  rule = 'contract',
  message,
  file,
  line,
  column
}: ContractProblem): ReportItem => ({
  ...{ level: severity, rule, operation: null, message, file: shortPath(file), line, column }
})

const staleItem = (path: string): ReportItem => ({
  ...{ level: 'error', rule: 'generated', operation: null, file: shortPath(path), line: 1, column: 1 },
  message: `${shortPath(path)} is not what the contract compiles to`
})

interface ComparedRun extends Run {
  readonly changes: Changes
}

interface Writing {
  readonly paint: Paint
  readonly generator: CachedGenerator
}

async function writeResult(
  { contract: { operations }, differing, changes, time }: ComparedRun,
  { out, handlers: folder, stubs }: Options,
  { paint, generator }: Writing
): Promise<Result> {
  const rows: Row[] = [
    [
      'compiled',
      `${counted(operations.length, 'operation')} into ${printable(shortPath(out))} in ${Math.round(time)} ms`
    ],
    ...(differing.length === 0 ? [] : [['written', differing.join(', ')] as const])
  ]
  const handlers = await generator.handlers(async (folder) => {
    const { handlerReport } = await import('./handler-stub.ts')
    return handlerReport(operations, { paint, folder, write: stubs })
  })
  const parts = [
    formatRows(rows),
    ...(handlers.length === 0 ? [] : [`\n${handlers.join('\n')}`]),
    // Written stubs already count as a change.
    ...(handlers.length > 0 && changes.size === 0
      ? []
      : [`\n${paint('bold', changesText(changes, differing))}`]),
    ...(folder !== undefined && changes.size > 0 ? ['Next: npm run typecheck'] : [])
  ]
  return { exitCode: 0, output: `${parts.join('\n')}\n`, errors: '' }
}

function changesText(changes: Changes, differing: readonly string[]): string {
  const isUnchanged = differing.length > 0 && changes.size === 0
  return isUnchanged ? 'nothing that the contract says has changed' : formatChanges(changes)
}

function checkResult({ differing, changes }: ComparedRun, { out }: Options, paint: Paint): Result {
  if (differing.length === 0)
    return { exitCode: 0, output: `${printable(shortPath(out))} is up to date\n`, errors: '' }
  const problems = differing.map(
    (name) => `${shortPath(resolve(out, name))} is not what the contract compiles to`
  )
  const next = `\n${paint('bold', formatChanges(changes))}\nNext: npm run generate`
  return { exitCode: 1, output: '', errors: formatProblems(problems, paint, next) }
}

function problemReport(problems: readonly ContractProblem[], { allWarnings }: Options, paint: Paint): string {
  return allWarnings
    ? formatReport(problems, { paint, maxWarnings: Infinity })
    : formatReport(byCause(problems), { paint, allOption: '--all-warnings' })
}

function failureText(error: unknown, options: Options, paint: Paint): string {
  if (!(error instanceof ContractError)) return formatProblems([problemText(error, String)], paint)
  const report = problemReport(error.problems, options, paint)
  const count = error.problems.filter(({ severity }) => severity === 'error').length
  return `${report}\n\n${count === 1 ? 'one error' : `${count} errors`}; nothing was written\n`
}

/** Runs the generator, and prints the result. */
export async function printRun(
  options: Options,
  observer: Pick<RunSettings, 'onFile' | 'generator'> = {}
): Promise<void> {
  await withProgress((onPhase) => runGenerate(options, { paints, onPhase, ...observer })).then(finish)
}

/** Stays loaded, and compiles after every save of a file of the contract, until a signal ends the process. */
export async function watchContract(options: Options): Promise<void> {
  const watcher = new FileWatcher()
  const generator = new CachedGenerator(options)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(0))
  for (;;) {
    const saved = watcher.next()
    watcher.watch(options.contract)
    await printRun(options, { generator, onFile: (path) => watcher.watch(path) })
    console.log('waiting for the next change; Ctrl-C ends')
    generator.warmUp()
    await saved
    console.log('')
  }
}
