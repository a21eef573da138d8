/** The report as JSON: the requests sent and the findings. */
import { printableJson } from '@contract-first/service/terminal/printable'
import type { Checked } from '../../conformance.ts'

export function jsonReport({ report }: Checked): string {
  const { seed, operations, requests, findings } = report
  return `${printableJson(JSON.stringify({ seed, operations, requests, findings }, null, 2))}\n`
}
