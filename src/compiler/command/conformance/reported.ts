/** Result of a run as its reports show it: what a review has accepted is apart, and operations have places. */
import { counted } from '@contract-first/cli/format'
import { coverageText } from '@contract-first/engine/coverage'
import { Source } from '@redocly/openapi-core'
import { positionOf, type SourcePosition } from '../../compiler.ts'
import { type AcceptedFinding, type Checked, checks, type Finding } from '../../conformance.ts'
import { shortPath } from '../generate/contract-problem.ts'
import type { Report, ReportItem } from '../report/report.ts'

export interface Reported extends Checked {
  readonly accepted: readonly AcceptedFinding[]
  readonly place: Place
}

/** Place of an operation in the contract; its file is relative to the working directory. */
export type Place = (operation: string) => SourcePosition & { readonly file: string }

/** Returns the status and the beginning of an answer. */
export function answerOf({ response }: Finding, max = Number.POSITIVE_INFINITY): string {
  if (response === null) return 'no answer'
  const { body } = response
  return `${response.status} ${body.length > max ? `${body.slice(0, max)}…` : body}`
}

/** Returns the report for other programs. */
export function reportOf({ report, accepted, checked, place }: Reported): Report {
  const { findings, seed, operations, requests, coverage } = report
  const itemOf = (finding: Finding | AcceptedFinding): ReportItem => ({
    ...{ level: 'error', rule: finding.check, operation: finding.operation, message: finding.message },
    ...place(finding.operation),
    evidence: [finding.curl, answerOf(finding)],
    ...('reason' in finding && { accepted: finding.reason })
  })
  return {
    tool: 'conformance',
    heading:
      findings.length === 0 ? 'The server does what its contract says' : counted(findings.length, 'finding'),
    summary: `${counted(operations, 'operation')}, ${counted(requests, 'request')}, seed ${seed}`,
    items: [...findings, ...accepted].map(itemOf),
    rules: checks,
    checked,
    properties: { operations, requests, seed },
    appendix: ['Seen of the contract', coverageText(coverage)]
  }
}

/** Returns the places of operations in the root file of a contract; that of its path or `paths` for what is elsewhere. */
export function operationPlaces({ path, text }: { readonly path: string; readonly text: string }): Place {
  const source = new Source(path, text)
  const file = shortPath(path)
  return (operation) => {
    const [method = '', ...rest] = operation.split(' ')
    return { file, ...positionOf(source, ['paths', rest.join(' '), method.toLowerCase()]) }
  }
}
