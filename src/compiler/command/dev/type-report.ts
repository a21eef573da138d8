/** Formats the errors of the type checker for the screen. */
import type { ContractProblem } from '../../compiler.ts'
import { formatReport } from '../generate/report.ts'
import { paint } from './screen.ts'

interface Check {
  /** Files are named relative to it. */
  readonly folder: string
  /** Milliseconds. */
  readonly time: number
}

export function typeReport(problems: readonly ContractProblem[], { folder, time }: Check): string[] {
  const seconds = `${(time / 1000).toFixed(1)} s`
  if (problems.length === 0) return [paint('dim', `types are right (${seconds})`)]
  const report = formatReport(problems, { folder, paint, maxErrors: 3 })
  return ['', ...report.split('\n'), paint('dim', `types are wrong (${seconds})`)]
}
