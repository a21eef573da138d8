/** What the commands share: how they speak, what they are told, and how a user's mistake ends them. */
import { existsSync } from 'node:fs'
import { formatProblems, paintFor } from '../../src/service/terminal/format.ts'
import { StoreOpenError } from '../../src/store/batch-store.ts'
import { type CommandLine, type Grammar, readCommandLine } from './command-line.ts'

export const toOutput = paintFor(process.stdout, process.env)
export const toErrors = paintFor(process.stderr, process.env)

/** A user's mistake, or what the machine does not grant: told in sentences, without a stack. */
export class Mistake extends Error {
  readonly problems: readonly string[]
  /** What is to be done, where the problems do not say it. */
  readonly next: string | undefined
  readonly exitCode: 1 | 2

  constructor(problems: readonly string[], { next, exitCode = 1 }: { next?: string; exitCode?: 1 | 2 } = {}) {
    super(problems.join('\n'))
    this.problems = problems
    this.next = next
    this.exitCode = exitCode
  }
}

/** Runs a command to its end, with what it was told on its command line. */
export async function command(
  grammar: Grammar,
  run: (line: CommandLine) => Promise<void> | void
): Promise<void> {
  try {
    const line = readCommandLine(process.argv.slice(2), grammar)
    if (!('exitCode' in line)) await run(line)
    else if (line.exitCode === 0) process.stdout.write(`${line.text}\n`)
    else throw new Mistake([line.text], { exitCode: line.exitCode })
  } catch (error) {
    const { problems, next, exitCode } = mistakeOf(error)
    process.stderr.write(formatProblems(problems, toErrors, next))
    process.exitCode = exitCode
  }
}

/** @throws what is nobody's mistake but ours, and keeps its stack */
function mistakeOf(error: unknown): Mistake {
  if (error instanceof Mistake) return error
  if (error instanceof StoreOpenError) return new Mistake([error.message])
  throw error
}

/** `DATABASE_URL` alone, from `.env` as well: a command that reads the store must not ask for what only a server needs. */
export function storeEnvironment(): Record<string, string | undefined> {
  loadEnvironmentFile()
  const { DATABASE_URL } = process.env
  return DATABASE_URL === undefined ? {} : { DATABASE_URL }
}

function loadEnvironmentFile(): void {
  if (!existsSync('.env')) return
  try {
    process.loadEnvFile('.env')
  } catch {
    throw new Mistake(['.env can not be read: it must be a file of NAME=value lines'])
  }
}

/** Where a person can see progress; not where it would end up in a log. */
export function terminal(): ((text: string) => void) | undefined {
  return process.stderr.isTTY ? (text) => process.stderr.write(text) : undefined
}
