/** Reads one variable of the environment and words the problem of a wrong one. */
import { Unexpected } from './parse.ts'
import { defaultOf, hasVariable, type ProjectVariables, type Variable } from './variables.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Returns the trimmed text. An empty variable counts as unset, as `NAME=` in a file and `${NAME:-}` in a compose file mean it. */
export const textOf = (name: string, environment: Environment): string => environment[name]?.trim() ?? ''

export interface Source {
  readonly environment: Environment
  readonly project: ProjectVariables
  readonly report: (problem: string) => void
}

/**
 * Returns the value. After a problem it returns that of the default, so that one start reports every problem. A variable that
 * the project does not have is not read: the handlers of the project may have one of that name.
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

/** Quotes and cuts a text. One that may hold a password (user information, a query) keeps only its scheme. */
function quoted(text: string): string {
  const safe = /[@?]/.test(text) ? text.replace(/^([a-z]+:\/\/)?.*$/is, '$1…') : text
  return JSON.stringify(safe.length > maxShown ? `${safe.slice(0, maxShown)}…` : safe)
}
