/** Reads the environment: `.env`, variables of every service and of one, names that are misspelt. */

import { existsSync } from 'node:fs'
import { Unexpected } from './parse.ts'
import {
  type DescribedVariables,
  defaultOf,
  hasVariable,
  type OwnVariable,
  type OwnVariables,
  type Values,
  type Variable
} from './variables.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Returns the trimmed text. An empty variable counts as unset: `NAME=` in a file, `${NAME:-}` in a compose file. */
export const settingOf = (name: string, environment: Environment): string => environment[name]?.trim() ?? ''

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
  const text = settingOf(variable.name, environment)
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

/** Returns the values; those with a problem are left out, so that one start reports all problems. */
export function readOwn(own: OwnVariables, environment: Environment, report: Source['report']): Values {
  const entries = Object.entries(own).flatMap(([name, variable]) => {
    const text = settingOf(name, environment)
    try {
      return [[name, readValue(variable, text)] as const]
    } catch (error) {
      report(`${name}${text === '' ? ' is not set' : ''}: ${reasonOf(error, text)}`)
      return []
    }
  })
  return Object.freeze(Object.fromEntries(entries))
}

/** @param text of the environment; empty where the variable is not set */
function readValue(variable: OwnVariable<unknown>, text: string): unknown {
  if (text !== '') return variable.parse(text)
  if (!Object.hasOwn(variable, 'default')) throw new Unexpected(variable.help)
  return typeof variable.default === 'string' ? variable.parse(variable.default) : variable.default
}

/** Returns the message of a parser without the text, which may be a secret. */
function reasonOf(error: unknown, text: string): string {
  // The parsers of JavaScript quote what they read in this error.
  if (error instanceof SyntaxError) return 'it cannot be parsed'
  const { message = error } = Object(error)
  const sentence = String(message).replaceAll(/\s+/g, ' ')
  return text === '' ? sentence : sentence.replaceAll(wholly(text), '…')
}

/** Matches a text that is not a part of a word or a number. */
const wholly = (text: string): RegExp =>
  new RegExp(`(?<!\\w)${text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?!\\w)`, 'g')

/** Returns a problem for each name that a service has already. */
export const takenNames = (own: OwnVariables, taken: readonly string[]): string[] =>
  taken
    .filter((name) => Object.hasOwn(own, name))
    .map((name) => `${name} is a variable of every service: give the one in "environment" another name`)
