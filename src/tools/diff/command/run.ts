/** One run of `npm run contract:diff`: loads both contracts, compares them, and formats the report. */
import { stat } from 'node:fs/promises'
import { dirname, relative, resolve, sep } from 'node:path'
import { Mistake, type Paints, type Result } from '@contract-first/cli/command'
import { formatProblems } from '@contract-first/cli/format'
import {
  ContractError,
  type ContractProblem,
  contractError,
  contractProblem,
  hasErrors
} from '@contract-first/contract'
import { ContractFolder, type LoadedContract, loadContract, NotReadable } from '@contract-first/contract/load'
import {
  type Accepted,
  type Change,
  compareLoaded,
  type Report,
  readAccepted,
  withoutAccepted
} from '../diff.ts'
import { type Base, findBase, type Options } from './base.ts'
import { formatReport } from './format.ts'

/** @throws {Mistake} with exit code 2 when the contracts cannot be compared */
export async function runDiff(options: Options, paints: Paints): Promise<Result> {
  const { contract, folder, format, failing = ['breaking'] } = options
  await assertIsFile(contract, folder)
  const base = await findBase(options)
  const old = await load(base, folder)
  const now = await load({ path: contract, root: options.root }, folder)
  const accepted = await acceptedBeside(options)
  const compared = placed(compareLoaded(old, now, new Date()), folder)
  const { report, unused } = withoutAccepted(compared, accepted)
  const warnings = unused.map((entry) => unusedText(entry, folder))
  return {
    output: formatReport(format, report, { paint: paints.output, base: options.base, failing }),
    errors: formatProblems(warnings, (_style, text) => paints.errors('yellow', text)),
    exitCode: failing.some((list) => report[list].length > 0) ? 1 : 0
  }
}

async function assertIsFile(path: string, folder: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() === true) return
  const reason = found === undefined ? 'there is no such file' : 'it is not a file'
  throw new Mistake([`${shortPath(path, folder)} cannot be read: ${reason}; --contract names the contract`], {
    exitCode: 2
  })
}

async function load({ path, root, revision, tree }: Base, folder: string): Promise<LoadedContract> {
  const subject = `${shortPath(path, folder)}${revision === undefined ? '' : ` of ${revision}`}`
  try {
    const loaded = await loadContract(path, () => {}, { root, tree })
    // The model has schemas that apply themselves without what makes them endless.
    const endless = loaded.model.problems.filter(({ rule }) => rule === 'schema').map(contractProblem)
    const problems = [...loaded.problems, ...endless]
    if (hasErrors(problems)) throw new ContractError(problems)
    return loaded
  } catch (error) {
    throw mistakeOf(error, `${subject} cannot be compared`, folder)
  }
}

function mistakeOf(error: unknown, subject: string, folder: string): Mistake {
  const errors = contractError(error).problems.filter(({ severity }) => severity === 'error')
  const lines = errors.map((problem) => `${subject}: ${placeText(problem, folder)} ${problem.message}`)
  return new Mistake(lines.slice(0, maxErrors), {
    exitCode: 2,
    next: 'Next: correct it, or compare with another BASE'
  })
}

const maxErrors = 10

const placeText = (
  { file, line, column }: Pick<ContractProblem, 'file' | 'line' | 'column'>,
  folder: string
): string => `${shortPath(file, folder)}:${line}:${column}`

/** Returns the entries of `contract-accepted.yaml`, which lies beside the contract. */
async function acceptedBeside({ contract, root, folder }: Options): Promise<Accepted[]> {
  const path = resolve(dirname(contract), 'contract-accepted.yaml')
  const files = new ContractFolder(root ?? dirname(contract))
  try {
    const real = files.find(path)
    return real === undefined ? [] : readAccepted(await files.read(real), path)
  } catch (error) {
    if (error instanceof NotReadable)
      throw new Mistake([`${shortPath(path, folder)} cannot be read: ${error.message}`], { exitCode: 2 })
    throw mistakeOf(error, 'what is accepted cannot be read', folder)
  }
}

const unusedText = (entry: Accepted, folder: string): string =>
  `${placeText(entry, folder)} matches no change: ${entry.rule} ${entry.place}; remove the entry`

function placed(report: Report, folder: string): Report {
  const short = (changes: readonly Change[]) =>
    changes.map((change) => ({ ...change, file: shortPath(change.file, folder) }))
  const { breaking, undecided, compatible } = report
  return { breaking: short(breaking), undecided: short(undecided), compatible: short(compatible) }
}

/** Returns a path relative to the folder, with slashes. */
const shortPath = (path: string, folder: string): string => relative(folder, path).split(sep).join('/')
