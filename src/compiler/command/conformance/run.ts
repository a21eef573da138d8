/** Runs the conformance check once: compiles the contract, checks the server, formats the report. */
import { relative } from 'node:path'
import { Mistake } from '@contract-first/cli/command'
import type { Paint } from '@contract-first/cli/format'
import { printable } from '@contract-first/cli/printable'
import { compileInMemory, contractError, type InMemory } from '../../compiler.ts'
import { checkConformance, NoAnswer, type Progress } from '../../conformance.ts'
import { formatReport } from '../generate/report.ts'
import { assertIsFile, fileProblem } from '../project/file-problems.ts'
import { jsonReport, junitReport, textReport } from './reports.ts'

export type Format = 'text' | 'json' | 'junit'

export interface Options {
  readonly url: URL
  /** Absolute path. */
  readonly contract: string
  /** Folder whose files the contract may refer to; the folder of the contract by default. */
  readonly root?: string
  readonly token: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly seed: number
  /** Number of requests per operation. */
  readonly requests: number
  readonly format: Format
}

interface Terminal {
  readonly paints: { readonly output: Paint; readonly errors: Paint }
  /** Writes to a terminal; undefined without a terminal. */
  readonly progress: ((text: string) => void) | undefined
}

/** Erases the line (ECMA-48, section 8.3.41). */
const eraseLine = '\r\u001b[2K'
const reports = { text: textReport, json: jsonReport, junit: junitReport }

/** @throws {Mistake} when the contract cannot be compiled, or no server answers */
export async function runConformance(
  options: Options,
  { paints, progress }: Terminal
): Promise<{ readonly text: string; readonly findings: number }> {
  const { contract, document } = await compiled(options, paints.errors)
  try {
    const onProgress = (now: Progress) => progress?.(`${eraseLine}${progressText(now)}`)
    const checked = await checkConformance({ ...options, contract, document, onProgress })
    return { text: reports[options.format](checked, paints.output), findings: checked.report.findings.length }
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    throw new Mistake([error.message], { exitCode: 2, next: 'start the server, or give another --url' })
  } finally {
    progress?.(eraseLine)
  }
}

function progressText({ operation, index, operations, requests, findings }: Progress): string {
  const found = findings === 0 ? '' : `, ${findings} found`
  return `${index + 1}/${operations}  ${printable(operation)}  ${requests} requests${found}`
}

async function compiled({ contract: path, root }: Options, paint: Paint): Promise<InMemory> {
  try {
    await assertIsFile(path)
    return await compileInMemory(path, { root })
  } catch (error) {
    const folder = process.cwd()
    const problem = fileProblem(error, (file) => relative(folder, file))
    if (problem !== undefined) throw new Mistake([problem], { exitCode: 2 })
    const errors = contractError(error).problems.filter(({ severity }) => severity === 'error')
    throw new Mistake([formatReport(errors, { folder, paint })], { exitCode: 2 })
  }
}
