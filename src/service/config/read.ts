/** Reads one variable of the environment, and reports a wrong value. */
import { Unexpected } from './parse.ts'
import { defaultOf, hasVariable, type ProjectVariables, type Variable } from './variables.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Returns the trimmed text. An empty variable counts as unset: `NAME=` in a file, `${NAME:-}` in a compose file. */
export const textOf = (name: string, environment: Environment): string => environment[name]?.trim() ?? ''

export interface Source {
  readonly environment: Environment
  readonly project: ProjectVariables
  readonly report: (problem: string) => void
}

/**
 * Returns the value. Returns the default after a problem, so that one start reports all problems. Does not read a
 * variable that the project does not have, because its handlers may use one of that name.
 */
export function read<T>(variable: Variable<T>, { environment, project, report }: Source): T {
  if (!hasVariable(variable, project)) return variable.parse(variable.default)
  const text = textOf(variable.name, environment)
  const otherwise = defaultOf(variable, project)
  try {
    return variable.parse(text === '' ? otherwise : text)
  } catch (error) {
    if (!(error instanceof Unexpected)) throw error
    report(`${variable.name}${variable.secret ? '' : ` is ${quoted(text)}`}; expected ${error.message}`)
    return variable.parse(otherwise)
  }
}

const maxShown = 100

/** Quotes and truncates a text; quotes only the scheme of one that may contain a password (user information, query). */
function quoted(text: string): string {
  const safe = /[@?]/.test(text) ? text.replace(/^([a-z]+:\/\/)?.*$/is, '$1…') : text
  return JSON.stringify(safe.length > maxShown ? `${safe.slice(0, maxShown)}…` : safe)
}
