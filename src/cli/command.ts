/** Frame of every command: its command line, its colours, and the report of a user's mistake. */
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { type CommandLine, type EarlyExit, type Grammar, readCommandLine } from './command-line.ts'
import { formatProblems, paintFor } from './format.ts'

export const toOutput = paintFor(process.stdout, process.env)
export const toErrors = paintFor(process.stderr, process.env)

/** Error of the user or of the machine, reported as sentences without a stack. */
export class Mistake extends Error {
  readonly problems: readonly string[]
  /** Remedy, if the problems do not name it. */
  readonly next: string | undefined
  readonly exitCode: 1 | 2

  constructor(problems: readonly string[], { next, exitCode = 1 }: { next?: string; exitCode?: 1 | 2 } = {}) {
    super(problems.join('\n'))
    this.problems = problems
    this.next = next
    this.exitCode = exitCode
  }
}

/** Reads the command line, runs the command, reports a mistake and sets the exit code. */
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

/** @throws {Mistake} for options that were refused */
export function accepted<Options extends object>(options: Options | EarlyExit): Options {
  if (isRefused(options)) throw new Mistake([options.text], { exitCode: 2 })
  return options
}

const isRefused = (options: object): options is EarlyExit => 'exitCode' in options

/** @throws {unknown} every other error: it is a defect, and keeps its stack */
function mistakeOf(error: unknown): Mistake {
  if (error instanceof Mistake) return error
  throw error
}

/** Result of a command, each text with its line feeds. */
export interface Result {
  readonly output: string
  readonly errors: string
  readonly exitCode: 0 | 1
}

/** Prints the result of a command, and sets its exit code. */
export function finish({ output, errors, exitCode }: Result): void {
  process.stderr.write(errors)
  process.stdout.write(output)
  process.exitCode = exitCode
}

/** Returns a writer to standard error where that is a terminal. */
export function terminal(): ((text: string) => void) | undefined {
  return process.stderr.isTTY ? (text) => process.stderr.write(text) : undefined
}

/** Writes to a stream, and waits for a slow reader. */
export async function writeLines(out: Writable, lines: readonly string[]): Promise<void> {
  if (lines.length > 0 && !out.write(lines.join(''))) await once(out, 'drain')
}
