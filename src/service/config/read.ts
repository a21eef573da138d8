/** One variable of the environment: its text, its value, and how a wrong one is told. */
import { Unexpected } from './parse.ts'
import type { Variable } from './variables.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** An empty variable is an unset one: that is what `NAME=` in a file and `${NAME:-}` in a compose file mean by it. */
export const textOf = (name: string, environment: Environment): string => environment[name]?.trim() ?? ''

/** The value, or that of the default after the problem was reported: so that one start reports all problems. */
export function read<T>(
  variable: Variable<T>,
  environment: Environment,
  report: (problem: string) => void
): T {
  const text = textOf(variable.name, environment)
  try {
    return variable.parse(text === '' ? variable.default : text)
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error
    report(`${variable.name}${variable.secret ? '' : ` is ${shown(text)}`}; expected ${error.message}`)
    return variable.parse(variable.default)
  }
}

const longest = 100

/** Quoted and cut; a text that may hold a password (user information, a query) keeps only its scheme. */
function shown(text: string): string {
  const safe = /[@?]/.test(text) ? text.replace(/^([a-z]+:\/\/)?.*$/is, '$1…') : text
  return JSON.stringify(safe.length > longest ? `${safe.slice(0, longest)}…` : safe)
}
