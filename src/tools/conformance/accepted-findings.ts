/** Findings that a review has accepted: they are reported with the reason, but do not count. */
import { own } from '@contract-first/contract'
import { type Reviewed, readReviewed } from '@contract-first/contract/load'
import { checks, type Finding } from './finding.ts'

export interface AcceptedEntry extends Reviewed {
  readonly check: string
  /** Operation of the finding: `POST /pets`. */
  readonly operation: string
  /** Part of its message; any message without it. */
  readonly message?: string
}

export interface AcceptedFinding extends Finding {
  readonly reason: string
}

/**
 * Parses a list of `{ check, operation, reason }`, with `message` where one of several is meant.
 * @param file absolute path, for the problems
 * @throws {ContractError} with every problem
 */
export function readAcceptedFindings(text: string, file: string): readonly AcceptedEntry[] {
  const entries = readReviewed(text, file, {
    keys: ['check', 'operation', 'reason'],
    optional: ['message'],
    rule: 'every accepted finding has a check, an operation and a reason',
    problemsOf: (entry) => checkProblems(String(own(entry, 'check')))
  })
  return entries.map((entry) => entry as unknown as AcceptedEntry)
}

const checkProblems = (check: string): string[] =>
  checks.some((name) => name === check) ? [] : [`there is no check ${check}; expected ${checks.join(', ')}`]

interface Split {
  readonly findings: readonly Finding[]
  readonly accepted: readonly AcceptedFinding[]
  readonly unused: readonly AcceptedEntry[]
}

export function withoutAcceptedFindings(
  findings: readonly Finding[],
  entries: readonly AcceptedEntry[]
): Split {
  const judged = findings.map((finding) => ({
    finding,
    entry: entries.find((each) => matches(each, finding))
  }))
  const used = new Set(judged.map(({ entry }) => entry))
  return {
    findings: judged.flatMap(({ finding, entry }) => (entry === undefined ? [finding] : [])),
    accepted: judged.flatMap(({ finding, entry }) => (entry ? [{ ...finding, reason: entry.reason }] : [])),
    unused: entries.filter((entry) => !used.has(entry))
  }
}

const matches = ({ check, operation, message = '' }: AcceptedEntry, finding: Finding): boolean =>
  check === finding.check && operation.trim() === finding.operation && finding.message.includes(message)
