/** Changes that a review has accepted: they are reported, but do not count as breaking. */
import { parseYaml, Source, YamlParseError } from '@redocly/openapi-core'
import {
  ContractError,
  isObject,
  type Json,
  own,
  positionOf,
  reasonOf,
  resembles
} from '../compile/documents.ts'
import { type Change, isRule, type Report, rules } from './operations/rules.ts'

export interface Accepted {
  readonly rule: string
  /** Place of a change, its operation, or both: `POST /pets body/name`. */
  readonly place: string
  readonly reason: string
  /** Absolute path. */
  readonly file: string
  readonly line: number
  readonly column: number
}

const keys = ['rule', 'place', 'reason'] as const

/**
 * Parses a list of `{ rule, place, reason }`.
 * @param file absolute path, for the problems
 * @throws {ContractError} with every problem
 */
export function readAccepted(text: string, file: string): Accepted[] {
  const source = new Source(file, text)
  const list = parsed(text, file)
  const problem = (path: readonly string[], message: string) =>
    ({ severity: 'error', file, ...positionOf(source, path), message }) as const
  if (list === undefined || list === null) return []
  if (!Array.isArray(list))
    throw new ContractError([problem([], `expected a list of { ${keys.join(', ')} }`)])
  const problems = list.flatMap((entry: Json, index) =>
    entryProblems(entry).map((message) => problem([String(index)], message))
  )
  if (problems.length > 0) throw new ContractError(problems)
  return list.map((entry, index) => ({
    ...(entry as unknown as Accepted),
    file,
    ...positionOf(source, [String(index)])
  }))
}

function parsed(text: string, file: string): Json | undefined {
  try {
    return parseYaml(text) as Json | undefined
  } catch (error) {
    const { line, col } = new YamlParseError(error as Error, new Source(file, text))
    throw new ContractError([
      { severity: 'error', file, line: Math.max(1, line), column: Math.max(1, col), message: reasonOf(error) }
    ])
  }
}

function entryProblems(entry: Json): string[] {
  if (!isObject(entry)) return [`expected { ${keys.join(', ')} }`]
  const missing = keys.filter((key) => {
    const value = own(entry, key)
    return typeof value !== 'string' || value.trim() === ''
  })
  if (missing.length > 0)
    return missing.map((key) => `${key} is missing: every accepted change has a rule, a place and a reason`)
  const rule = String(own(entry, 'rule'))
  if (isRule(rule)) return []
  const near = rules.find(({ id }) => resembles(id, rule))
  return [
    `there is no rule ${rule}${near === undefined ? '; docs/contract-life.md lists them' : `; did you mean ${near.id}?`}`
  ]
}

interface Filtered {
  readonly report: Report
  readonly unused: readonly Accepted[]
}

/** Moves accepted changes to the compatible ones. */
export function withoutAccepted(report: Report, accepted: readonly Accepted[]): Filtered {
  const used = new Set<Accepted>()
  const entryOf = (change: Change) => {
    const entry = accepted.find((each) => matches(each, change))
    if (entry !== undefined) used.add(entry)
    return entry
  }
  const split = (changes: readonly Change[]) => Map.groupBy(changes, (change) => entryOf(change))
  const [breaking, undecided] = [split(report.breaking), split(report.undecided)]
  const moved = [...breaking, ...undecided].flatMap(([entry, changes]) =>
    entry === undefined
      ? []
      : changes.map((change) => ({ ...change, message: `${change.message} (accepted: ${entry.reason})` }))
  )
  const left = { breaking: breaking.get(undefined) ?? [], undecided: undecided.get(undefined) ?? [] }
  return {
    report: { ...left, compatible: [...report.compatible, ...moved] },
    unused: accepted.filter((entry) => !used.has(entry))
  }
}

function matches({ rule, place }: Accepted, change: Change): boolean {
  if (rule !== change.rule) return false
  const names = [change.operation ?? '', change.place].filter((name) => name !== '')
  return [...names, names.join(' ')].includes(place.trim())
}
