/** Frame of every command: its command line, its colours, and the report of a user's mistake. */
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { type CommandLine, type Grammar, helpText, Mistake, readCommandLine } from './command-line.ts'
import { formatProblems, type Paint, paintFor } from './format.ts'

export { Mistake } from './command-line.ts'

export const toOutput = paintFor(process.stdout, process.env)
export const toErrors = paintFor(process.stderr, process.env)

/** Colours for standard output and standard error. */
export interface Paints {
  readonly output: Paint
  readonly errors: Paint
}

export const paints: Paints = { output: toOutput, errors: toErrors }

/** Reads the command line, runs the command, reports a mistake and sets the exit code. */
export async function command(
  grammar: Grammar,
  run: (line: CommandLine) => Promise<void> | void
): Promise<void> {
  try {
    const line = readCommandLine(process.argv.slice(2), grammar)
    if (line.is('help')) process.stdout.write(`${helpText(grammar)}\n`)
    else await run(line)
  } catch (error) {
    // Every other error is a defect, and keeps its stack.
    if (!(error instanceof Mistake)) throw error
    process.stderr.write(formatProblems(error.problems, toErrors, error.next))
    process.exitCode = error.exitCode
  }
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
