/** Reads the environment: `.env`, one variable, names that are misspelt. */

import { existsSync } from 'node:fs'
import { Unexpected } from './parse.ts'
import { type DescribedVariables, defaultOf, hasVariable, type Variable } from './variables.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Returns the trimmed text. An empty variable counts as unset: `NAME=` in a file, `${NAME:-}` in a compose file. */
export const textOf = (name: string, environment: Environment): string => environment[name]?.trim() ?? ''

export interface Source {
  readonly environment: Environment
  readonly project: DescribedVariables
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

/**
 * Loads `.env` if it exists.
 * @param load `process.loadEnvFile`, which keeps variables that are already set
 * @returns the problems of the file
 */
export function loadEnvFile(load: (path: string) => void): readonly string[] {
  if (!existsSync('.env')) return []
  try {
    load('.env')
    return []
  } catch {
    return ['.env cannot be read: it must be a file of NAME=value lines']
  }
}

interface Known {
  readonly name: string
  readonly edits: ReadonlySet<string>
}

/**
 * Finds names that differ from a variable by one edit. They stop the start: otherwise a misspelt limit would not be in
 * force, and a misspelt credential would not be accepted.
 */
export function misspelt(
  names: readonly string[],
  variables: readonly string[],
  own: readonly string[] = []
): string[] {
  // A single word may resemble a variable of the system: USERS and USER, MODE and npm's NODE.
  const compared = [...variables, ...own.filter((name) => name.includes('_'))]
  const known = compared.map((name) => ({ name, edits: withoutOneLetter(name) }))
  return names.flatMap((name) => {
    if (own.includes(name)) return []
    const meant = nearest(name, known)
    return meant === undefined || meant === name
      ? []
      : [`${name} is not a variable of this service; did you mean ${meant}?`]
  })
}

/**
 * Returns the variable whose name differs by one wrong, missing, additional or misplaced letter: after removing at most
 * one letter of each the names are equal.
 */
function nearest(name: string, known: readonly Known[]): string | undefined {
  const edits = withoutOneLetter(name.toUpperCase())
  const exact = known.find((each) => each.name === name)
  return (exact ?? known.find((each) => !edits.isDisjointFrom(each.edits)))?.name
}

function withoutOneLetter(name: string): Set<string> {
  return new Set([name, ...Array.from(name, (_, index) => name.slice(0, index) + name.slice(index + 1))])
}
