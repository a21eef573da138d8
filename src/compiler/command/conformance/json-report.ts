/** The report as JSON: what was sent, and what was found. */
import type { Checked } from '../../conformance.ts'

export function jsonReport({ report }: Checked): string {
  const { seed, operations, requests, findings } = report
  return `${JSON.stringify({ seed, operations, requests, findings }, null, 2)}\n`
}
