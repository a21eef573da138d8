/** Outcome of a command line: its options, or the text and the exit code of its help or of a mistake. */
import {
  type CommandLine,
  type Grammar,
  helpText,
  Mistake,
  readCommandLine
} from '../../src/cli/command-line.ts'

export function commandOutcome(
  args: readonly string[],
  grammar: Grammar,
  read: (line: CommandLine) => object = (line) => line
): object {
  try {
    const line = readCommandLine(args, grammar)
    return line.is('help') ? { exitCode: 0, text: helpText(grammar) } : read(line)
  } catch (error) {
    if (error instanceof Mistake) return { exitCode: error.exitCode, text: error.message }
    throw error
  }
}
