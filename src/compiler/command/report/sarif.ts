/** Report as SARIF 2.1.0, which code scanning shows at its place in the contract. */
import { pathToFileURL } from 'node:url'
import { printable, printableJson } from '@contract-first/cli/printable'
import { type Report, type ReportItem, sentenceOf } from './report.ts'

export function sarifReport({ tool, items, rules = [], properties }: Report): string {
  const ids = [...new Set([...rules, ...items.map(({ rule }) => rule)])]
  const run = {
    tool: { driver: { name: tool, rules: ids.map((id) => ({ id })) } },
    results: items.map((item) => resultOf(item, ids)),
    ...(properties && { properties })
  }
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }
  return `${printableJson(JSON.stringify(log, null, 2))}\n`
}

/** @returns a result; a suppressed one for a finding that a review has accepted (section 3.27.23) */
function resultOf(item: ReportItem, ids: readonly string[]): object {
  const { level, rule, operation, file, line, column, evidence, accepted } = item
  const message = sentenceOf(item)
  return {
    ruleId: rule,
    ruleIndex: ids.indexOf(rule),
    level,
    message: { text: printable(message) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(file) },
          region: { startLine: line, startColumn: column }
        },
        ...(operation !== null && { logicalLocations: [{ name: operation, kind: 'function' }] })
      }
    ],
    // Equal findings of two runs are one alert.
    partialFingerprints: { 'finding/v1': `${rule} ${message}` },
    ...(evidence && { properties: { evidence } }),
    ...(accepted !== undefined && {
      suppressions: [{ kind: 'external', status: 'accepted', justification: accepted }]
    })
  }
}

/** Returns a relative reference for a relative path. */
const uriOf = (path: string): string =>
  path.startsWith('/') ? pathToFileURL(path).href : path.split('/').map(encodeURIComponent).join('/')
