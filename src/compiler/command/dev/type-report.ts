/** Formats the errors of the type checker for the screen. */
import type { ContractProblem } from '../../compiler.ts'
import { formatReport } from '../generate/report.ts'
import { paint } from './screen.ts'

interface Check {
  /** Folder that paths in messages are relative to. */
  readonly folder: string
  /** Duration of the check in milliseconds. */
  readonly time: number
}

export function typeReport(problems: readonly ContractProblem[], { folder, time }: Check): string[] {
  const seconds = `${(time / 1000).toFixed(1)} s`
  if (problems.length === 0) return [paint('dim', `types are right (${seconds})`)]
  const report = formatReport(problems, { folder, paint, maxErrors: 3 })
  return ['', ...report.split('\n'), paint('dim', `types are wrong (${seconds})`)]
}
