/** Variables that a service declares beside those of every service: `environment` of its definition. */
import { Unexpected } from './parse.ts'
import { type Environment, textOf } from './read.ts'
import type { OwnVariable, OwnVariables, Values } from './variables.ts'

type Report = (problem: string) => void

/** Returns the values; those with a problem are left out, so that one start reports all problems. */
export function readOwn(own: OwnVariables, environment: Environment, report: Report): Values {
  const entries = Object.entries(own).flatMap(([name, variable]) => {
    const text = textOf(name, environment)
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
