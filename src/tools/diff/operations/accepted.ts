/** Changes that a review has accepted: they are reported, but do not count as breaking. */
import { own, resembles } from '@contract-first/contract'
import { type Reviewed, readReviewed } from '@contract-first/contract/load'
import { type Change, isRule, type Report, rules } from './rules.ts'

export interface Accepted extends Reviewed {
  readonly rule: string
  /** Place of a change, its operation, or both: `POST /pets body/name`. */
  readonly place: string
}

/**
 * Parses a list of `{ rule, place, reason }`.
 * @param file absolute path, for the problems
 * @throws {ContractError} with every problem
 */
export function readAccepted(text: string, file: string): Accepted[] {
  const entries = readReviewed(text, file, {
    keys: ['rule', 'place', 'reason'],
    rule: 'every accepted change has a rule, a place and a reason',
    problemsOf: (entry) => ruleProblems(String(own(entry, 'rule')))
  })
  return entries.map((entry) => entry as unknown as Accepted)
}

function ruleProblems(rule: string): string[] {
  if (isRule(rule)) return []
  const near = rules.find(({ id }) => resembles(id, rule))
  return [
    `there is no rule ${rule}${near === undefined ? '; docs/diff-rules.md lists them' : `; did you mean ${near.id}?`}`
  ]
}

interface Filtered {
  readonly report: Report
  readonly unused: readonly Accepted[]
}

/** Moves accepted changes to the compatible ones. */
export function withoutAccepted(report: Report, accepted: readonly Accepted[]): Filtered {
  const entryOf = (change: Change) => accepted.find((entry) => matches(entry, change))
  const split = (changes: readonly Change[]) => Map.groupBy(changes, entryOf)
  const [breaking, undecided] = [split(report.breaking), split(report.undecided)]
  const moved = [...breaking, ...undecided].flatMap(([entry, changes]) =>
    entry === undefined
      ? []
      : changes.map((change) => ({ ...change, message: `${change.message} (accepted: ${entry.reason})` }))
  )
  const left = { breaking: breaking.get(undefined) ?? [], undecided: undecided.get(undefined) ?? [] }
  return {
    report: { ...left, compatible: [...report.compatible, ...moved] },
    unused: accepted.filter((entry) => !breaking.has(entry) && !undecided.has(entry))
  }
}

function matches({ rule, place }: Accepted, change: Change): boolean {
  if (rule !== change.rule) return false
  const names = [change.operation ?? '', change.place].filter((name) => name !== '')
  return [...names, names.join(' ')].includes(place.trim())
}
