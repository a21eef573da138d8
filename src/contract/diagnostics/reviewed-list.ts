/** Reads a list that a review keeps beside a contract: what it has accepted, each entry with the reason. */

import { isObject, type Json, type JsonObject, own } from '../model/json.ts'
import { ContractError } from './problem.ts'
import { SourceFile } from './source-file.ts'

export interface Reviewed {
  readonly reason: string
  /** Absolute path. */
  readonly file: string
  readonly line: number
  readonly column: number
}

interface Form {
  /** Keys that every entry has, each with a text; `reason` is one of them. */
  readonly keys: readonly string[]
  /** Keys that an entry may have. */
  readonly optional?: readonly string[]
  /** Says what is in the list, with its keys: `every accepted change has a rule, a place and a reason`. */
  readonly rule: string
  readonly problemsOf: (entry: JsonObject) => readonly string[]
}

/**
 * @param file absolute path, for the problems
 * @throws {ContractError} with every problem
 */
export function readReviewed(text: string, file: string, form: Form): readonly (JsonObject & Reviewed)[] {
  const source = new SourceFile(file, text)
  const list = source.value
  const problem = (path: readonly string[], message: string) =>
    ({ severity: 'error', file, ...source.positionOf(path), message }) as const
  const shape = `{ ${form.keys.join(', ')} }`
  if (list === undefined || list === null) return []
  if (!Array.isArray(list)) throw new ContractError([problem([], `expected a list of ${shape}`)])
  const problems = list.flatMap((entry: Json, index) =>
    (isObject(entry) ? entryProblems(entry, form) : [`expected ${shape}`]).map((message) =>
      problem([String(index)], message)
    )
  )
  if (problems.length > 0) throw new ContractError(problems)
  return list.map((entry, index) => ({
    ...(entry as JsonObject & Pick<Reviewed, 'reason'>),
    file,
    ...source.positionOf([String(index)])
  }))
}

function entryProblems(
  entry: JsonObject,
  { keys, optional = [], rule, problemsOf }: Form
): readonly string[] {
  const isText = (key: string) => {
    const value = own(entry, key)
    return typeof value === 'string' && value.trim() !== ''
  }
  const missing = keys.filter((key) => !isText(key))
  if (missing.length > 0) return missing.map((key) => `${key} is missing: ${rule}`)
  const wrong = optional.filter((key) => own(entry, key) !== undefined && !isText(key))
  return wrong.length > 0 ? wrong.map((key) => `${key} is not a text`) : problemsOf(entry)
}
