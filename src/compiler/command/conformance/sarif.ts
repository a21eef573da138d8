/** Report of the conformance check as SARIF 2.1.0, which code scanning shows at the operation in the contract. */

import { pathToFileURL } from 'node:url'
import { printable } from '@contract-first/cli/printable'
import { type AcceptedFinding, checks, type Finding } from '../../conformance.ts'
import type { Place, Reported } from './reported.ts'

export function sarifReport({ report, accepted, place }: Reported): string {
  const results = [...report.findings, ...accepted].map((finding) => resultOf(finding, place))
  const run = {
    tool: { driver: { name: 'conformance', rules: checks.map((id) => ({ id })) } },
    results,
    properties: { seed: report.seed, requests: report.requests, operations: report.operations }
  }
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }
  return `${JSON.stringify(log, null, 2)}\n`
}

/** @returns a result; a suppressed one for a finding that a review has accepted (section 3.27.23) */
function resultOf(finding: Finding | AcceptedFinding, place: Place): object {
  const { check, operation, message, curl } = finding
  const { file, line, column } = place(operation)
  return {
    ruleId: check,
    ruleIndex: checks.indexOf(check),
    level: 'error',
    message: { text: printable(message) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(file) },
          region: { startLine: line, startColumn: column }
        },
        logicalLocations: [{ name: operation, kind: 'function' }]
      }
    ],
    // Equal findings of two runs are one alert.
    partialFingerprints: { 'finding/v1': `${check} ${message}` },
    properties: { curl },
    ...('reason' in finding && {
      suppressions: [{ kind: 'external', status: 'accepted', justification: finding.reason }]
    })
  }
}

/** Returns a relative reference for a relative path. */
const uriOf = (path: string): string =>
  path.startsWith('/') ? pathToFileURL(path).href : path.split('/').map(encodeURIComponent).join('/')
