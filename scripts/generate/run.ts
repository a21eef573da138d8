/** One run of `npm run generate`, told to people. */
import { stat } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { ContractError, type ContractProblem } from '../../src/contract/compile/diagnostics/problem.ts'
import { formatChanges } from '../../src/contract/compile/diff/diff.ts'
import { type Generated, generate } from '../../src/contract/compile/generate.ts'
import { formatProblems, formatRows, type Row } from '../../src/service/terminal/format.ts'
import { toErrors, toOutput } from '../cli/command.ts'
import { handlerReport } from './missing-handlers.ts'
import type { Options } from './options.ts'
import { formatReport } from './report.ts'

/** As it is from here, unless it is elsewhere. */
function shortPath(path: string): string {
  const way = relative('.', path) || '.'
  return way.startsWith('..') ? path : way
}

/** @returns whether all is well */
export async function generateOnce(options: Options, onFile?: (path: string) => void): Promise<boolean> {
  try {
    await mustBeFile(options.contract)
    const generated = await generate({ ...options, ...(onFile && { onFile }) })
    tellProblems(generated.compiled.problems)
    return options.check ? tellCheck(generated, options) : tellRun(generated, options)
  } catch (error) {
    tellError(error)
    return false
  }
}

/** What a user named can not be read or written. */
class FileMistake extends Error {}

async function mustBeFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() === true) return
  const reason = found === undefined ? 'there is no such file' : 'it is not a file'
  throw new FileMistake(`${shortPath(path)} can not be read: ${reason}; --contract names the contract`)
}

function tellRun({ compiled, differing, changes, time }: Generated, options: Options): boolean {
  const count = compiled.operations.length
  const operations = `${count} ${count === 1 ? 'operation' : 'operations'}`
  const rows: Row[] = [
    ['compiled', `${operations} into ${shortPath(options.out)} in ${Math.round(time)} ms`],
    ...(differing.length === 0 ? [] : [['written', differing.join(', ')] as const])
  ]
  console.log(formatRows(rows))
  const handlers = options.isOwn ? handlerReport(compiled.operations, options.stubs, toOutput) : []
  if (handlers.length > 0) console.log(`\n${handlers.join('\n')}`)
  const silent = differing.length > 0 && changes.size === 0
  const changed = silent ? 'nothing that the contract says has changed' : formatChanges(changes)
  console.log(`\n${toOutput('bold', changed)}`)
  if (options.isOwn && changes.size > 0) console.log('Next: npm run typecheck')
  return true
}

function tellCheck({ differing, changes }: Generated, { out }: Options): boolean {
  if (differing.length === 0) {
    console.log(`${shortPath(out)} is up to date`)
    return true
  }
  const problems = differing.map(
    (name) => `${shortPath(resolve(out, name))} is not what the contract compiles to`
  )
  const next = `\n${toErrors('bold', formatChanges(changes))}\nNext: npm run generate`
  process.stderr.write(formatProblems(problems, toErrors, next))
  return false
}

function tellProblems(problems: readonly ContractProblem[]): void {
  if (problems.length > 0) console.error(formatReport(problems, { folder: process.cwd(), paint: toErrors }))
}

/** What a user can mend is told in sentences; anything else is a fault of the compiler, and keeps its stack. */
function tellError(error: unknown): void {
  if (error instanceof ContractError) {
    tellProblems(error.problems)
    const errors = error.problems.filter(({ severity }) => severity === 'error').length
    console.error(`\n${errors === 1 ? 'one error' : `${errors} errors`}; nothing was written`)
  } else if (error instanceof FileMistake) console.error(toErrors('red', error.message))
  else if (isFileError(error)) console.error(toErrors('red', `nothing was written: ${fileProblem(error)}`))
  else throw error
}

/** What a user can do about it. */
const remedies: Readonly<Record<string, string>> = {
  EEXIST: 'there is a file where the folder should be; --out names another',
  ENOTDIR: 'there is a file where a folder should be; --out names another',
  ENOENT: 'no folder can be made there; --out names another',
  EACCES: 'this user may not; --out names another folder',
  EROFS: 'this file system is read-only; --out names another folder',
  ENOSPC: 'the disk is full'
}

function fileProblem({ code, message, path }: NodeJS.ErrnoException): string {
  const remedy = remedies[code ?? '']
  return remedy === undefined || path === undefined ? message : `${shortPath(path)}: ${remedy} (${code})`
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'path' in error
}
