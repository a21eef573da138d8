/** One run of `npm run generate`, told to people. */
import { stat } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { formatChanges } from '../../src/contract/compile/changes.ts'
import { type Generated, generate } from '../../src/contract/compile/generate.ts'
import { ContractError, type ContractProblem } from '../../src/contract/compile/problem.ts'
import { formatReport } from '../../src/contract/compile/report.ts'
import { paintFor } from '../paint.ts'
import { tellHandlers } from './handlers.ts'
import type { Options } from './options.ts'

const toOutput = paintFor(process.stdout)
const toErrors = paintFor(process.stderr)

const shortPath = (path: string) => relative('.', path) || '.'

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

async function mustBeFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() !== true)
    throw new FileMistake(`${shortPath(path)} can not be read: there is no such file`)
}

class FileMistake extends Error {}

function tellRun({ compiled, differing, changes, time }: Generated, options: Options): boolean {
  const count = compiled.operations.length
  const operations = `${count} ${count === 1 ? 'operation' : 'operations'}`
  console.log(`compiled ${operations} into ${shortPath(options.out)} in ${Math.round(time)} ms`)
  if (differing.length > 0) console.log(`written: ${differing.join(', ')}`)
  if (options.isOwn) tellHandlers(compiled.operations, options.stubs, toOutput)
  const silent = differing.length > 0 && changes.size === 0
  console.log(
    toOutput('bold', silent ? 'nothing that the contract says has changed' : formatChanges(changes))
  )
  return true
}

function tellCheck({ differing, changes }: Generated, { out }: Options): boolean {
  if (differing.length === 0) {
    console.log(`${shortPath(out)} is up to date`)
    return true
  }
  for (const name of differing) {
    console.error(`${shortPath(resolve(out, name))} is not what the contract compiles to`)
  }
  console.error(`run "npm run generate"\n${formatChanges(changes)}`)
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
  } else if (error instanceof FileMistake) console.error(error.message)
  else if (isFileError(error)) console.error(`nothing was written: ${error.message}`)
  else throw error
}

function isFileError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'path' in error
}
