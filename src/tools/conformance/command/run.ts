/** Runs the conformance check once: compiles the contract, checks the server, formats the report. */
import { dirname, resolve } from 'node:path'
import { Mistake, type Paints } from '@contract-first/cli/command'
import { formatProblems, type Paint } from '@contract-first/cli/format'
import { printable, printableJson } from '@contract-first/cli/printable'
import type { ContractFile } from '../../../compiler/command/generate/read-project.ts'
import {
  assertIsFile,
  formatReport,
  problemText,
  shortPath
} from '../../../compiler/command/generate/report.ts'
import { type Format, reportFormats } from '../../../compiler/command/generate/report-formats.ts'
import { ContractFolder, compileInMemory, type InMemory } from '../../../compiler/compiler.ts'
import {
  type AcceptedEntry,
  checkConformance,
  NoAnswer,
  type Progress,
  readAcceptedFindings,
  type Selection,
  unknownNames,
  withoutAcceptedFindings
} from '../conformance.ts'
import { operationPlaces, type Reported, reportOf, textReport } from './reported.ts'

export interface Options extends ContractFile, Selection {
  readonly url: URL
  readonly token: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly seed: number
  /** Number of valid requests by chance per operation. */
  readonly requests: number
  readonly format: Format
}

interface Terminal {
  readonly paints: Paints
  /** Writes to a terminal; undefined without a terminal. */
  readonly progress: ((text: string) => void) | undefined
}

interface Ended {
  readonly text: string
  /** Warnings about the list of what is accepted, and about operations that are not checked. */
  readonly warnings: string
  readonly findings: number
  /** Number of operations without a valid request. */
  readonly unmade: number
}

/** Erases the line (ECMA-48, section 8.3.41). */
const eraseLine = '\r\u001b[2K'

/** @throws {Mistake} when the contract cannot be compiled, or no server answers */
export async function runConformance(options: Options, { paints, progress }: Terminal): Promise<Ended> {
  const { contract, model } = await compiled(options, paints.errors)
  const unknown = unknownNames(contract.operations, options)
  if (unknown.length > 0) throw unknownOperations(unknown)
  const entries = await acceptedBeside(options, paints.errors)
  try {
    const onProgress = (now: Progress) => progress?.(`${eraseLine}${progressText(now)}`)
    const checked = await checkConformance({ ...options, contract, model, onProgress })
    const { findings, accepted, unused } = withoutAcceptedFindings(checked.report.findings, entries)
    const reported = {
      ...checked,
      report: { ...checked.report, findings },
      accepted,
      place: operationPlaces(model)
    }
    return {
      text: formatted(reported, options.format, paints.output),
      warnings: formatProblems([...unused.map(unusedText), ...checked.unmade], (_style, text) =>
        paints.errors('yellow', text)
      ),
      findings: findings.length,
      unmade: checked.unmade.length
    }
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

const unknownOperations = (names: readonly string[]): Mistake =>
  new Mistake(
    names.map((name) => `no operation is named ${name}`),
    { exitCode: 2, next: 'name an operationId, METHOD /path or a path; * stands for any characters' }
  )

const unusedText = ({ file, line, column, check, operation }: AcceptedEntry): string =>
  `${shortPath(file)}:${line}:${column} matches no finding: ${check} ${operation}; remove the entry`

async function compiled({ contract: path, root, formats }: Options, paint: Paint): Promise<InMemory> {
  try {
    await assertIsFile(path)
    return await compileInMemory(path, { root, formats })
  } catch (error) {
    throw unreadable(error, paint)
  }
}

/** Returns the entries of `conformance-accepted.yaml`, which lies beside the contract. */
async function acceptedBeside({ contract, root }: Options, paint: Paint): Promise<readonly AcceptedEntry[]> {
  const path = resolve(dirname(contract), 'conformance-accepted.yaml')
  try {
    const files = new ContractFolder(root ?? dirname(contract))
    const real = files.find(path)
    return real === undefined ? [] : readAcceptedFindings(await files.read(real), path)
  } catch (error) {
    throw unreadable(error, paint)
  }
}

function unreadable(error: unknown, paint: Paint): Mistake {
  const text = problemText(error, (problems) =>
    formatReport(
      problems.filter(({ severity }) => severity === 'error'),
      { paint }
    )
  )
  return new Mistake([text], { exitCode: 2 })
}

function formatted(reported: Reported, format: Format, paint: Paint): string {
  if (format === 'text') return textReport(reported, paint)
  return format === 'json' ? jsonReport(reported) : reportFormats[format](reportOf(reported))
}

function jsonReport({ report, accepted }: Reported): string {
  const { seed, operations, requests, findings, coverage } = report
  const shown = { seed, operations, requests, findings, accepted, coverage }
  return `${printableJson(JSON.stringify(shown, null, 2))}\n`
}
