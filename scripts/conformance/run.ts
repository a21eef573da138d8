/** Runs the conformance check once: compiles the contract, checks the server, formats what was found. */
import { checkConformance, NoAnswer, type Progress } from '../../src/contract/conformance.ts'
import type { Paint } from '../../src/service/terminal/format.ts'
import { Mistake } from '../cli/command.ts'
import { jsonReport } from './json-report.ts'
import { junitReport } from './junit-report.ts'
import type { Options } from './options.ts'
import { textReport } from './text-report.ts'
import { withCompiled } from './with-compiled.ts'

interface Terminal {
  readonly paint: Paint
  /** Writes to a terminal; undefined where there is none. */
  readonly progress: ((text: string) => void) | undefined
}

/** Erases the line (ECMA-48, section 8.3.41). */
const eraseLine = '\r\u001b[2K'

/** @throws {Mistake} for a contract that cannot be compiled, and where nobody answers */
export async function runConformance(
  options: Options,
  { paint, progress }: Terminal
): Promise<{ readonly text: string; readonly findings: number }> {
  try {
    const onProgress = (now: Progress) => progress?.(`${eraseLine}${progressText(now)}`)
    const checked = await withCompiled(options.contract, (contract) =>
      checkConformance({ ...options, contract, onProgress })
    )
    progress?.(eraseLine)
    const { report } = checked
    const text = { text: textReport, json: jsonReport, junit: junitReport }[options.format](checked, paint)
    return { text, findings: report.findings.length }
  } catch (error) {
    progress?.(eraseLine)
    throw error instanceof NoAnswer
      ? new Mistake([error.message], { exitCode: 2, next: 'start the server, or give another --url' })
      : error
  }
}

function progressText({ operation, index, operations, requests, findings }: Progress): string {
  const found = findings === 0 ? '' : `, ${findings} found`
  return `${index + 1}/${operations}  ${operation}  ${requests} requests${found}`
}
