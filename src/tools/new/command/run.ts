/** Runs `npm run new` once: compiles the contract, makes the project, formats the result for a terminal. */
import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Mistake, type Paints, type Result } from '@contract-first/cli/command'
import { formatProblems, type Paint } from '@contract-first/cli/format'
import { printable } from '@contract-first/cli/printable'
import type { ContractFile } from '../../../compiler/command/generate/read-project.ts'
import {
  assertIsFile,
  formatReport,
  problemText,
  shortPath
} from '../../../compiler/command/generate/report.ts'
import { byCause, compileInMemory, generate, type InMemory } from '../../../compiler/compiler.ts'
import { scaffoldOf } from '../scaffold.ts'
import { castExamples, fromRegistry, projectFiles } from './files.ts'
import { outcomeText } from './outcome-text.ts'
import { vendorPackages } from './pack.ts'
import { type CopiedFile, contractFiles, copiesFolder, planProject } from './plan.ts'
import { assertIsFree, FolderTaken, install, makeRepository, writeFolder, writeTree } from './write.ts'

export interface NewCommand extends ContractFile {
  /** Absolute path of the folder to make. */
  readonly folder: string
  /** True when handlers answer the examples of the contract. */
  readonly mock: boolean
  /** True for packages of the npm registry instead of tarballs in `vendor/`. */
  readonly registry?: boolean
}

export interface NewSurroundings {
  readonly paints: Paints
  /** Called at the beginning of each step, which may take a while. */
  readonly onStep?: (step: string) => void
  /** Writes the packages of the engine into `vendor/` of a folder. */
  readonly vendor?: (folder: string) => Promise<void>
  readonly install?: typeof install
  readonly makeRepository?: typeof makeRepository
}

/** @throws {Mistake} when the folder is taken or the contract is wrong; nothing was written then */
export async function runNew(options: NewCommand, surroundings: NewSurroundings): Promise<Result> {
  try {
    await assertIsFree(options.folder)
    await assertIsFile(options.contract)
    surroundings.onStep?.(`compiling ${printable(shortPath(options.contract))}`)
    const compiled = await compileInMemory(options.contract, { root: options.root })
    return await make(options, compiled, surroundings)
  } catch (error) {
    throw mistakeOf(error, options, surroundings.paints.errors)
  }
}

async function make(
  { folder, mock, registry }: NewCommand,
  compiled: InMemory,
  surroundings: NewSurroundings
): Promise<Result> {
  const { paints, onStep = () => {}, vendor = vendorPackages } = surroundings
  const { install: installIn = install, makeRepository: commitIn = makeRepository } = surroundings
  const contract = contractFiles(compiled)
  const scaffold = await scaffoldOf(compiled)
  const plan = planProject(compiled, scaffold, {
    folder: basename(folder),
    contract: contract[0].to,
    isMock: mock
  })
  let unfit: readonly string[] = []
  if (!registry) onStep('packing the engine, the service and the compiler')
  await writeFolder(folder, async (staging) => {
    await writeTree(staging, await Promise.all(contract.map(copyOf)))
    if (!registry) await vendor(staging)
    await writeTree(staging, registry ? fromRegistry(projectFiles(plan)) : projectFiles(plan))
    onStep('writing the project')
    await generate({
      contract: join(staging, plan.contract),
      root: join(staging, copiesFolder(contract)),
      out: join(staging, 'generated')
    })
    if (mock) await castExamples(staging, plan)
    unfit = scaffold.unfit(await errorBodyIn(staging))
  })
  onStep('installing its packages with npm')
  const complaint = await installIn(folder)
  const isInstalled = complaint === undefined
  if (isInstalled) onStep('making its first commit')
  const repository = isInstalled ? await commitIn(folder) : undefined
  const problems = isInstalled ? [] : [`npm has not installed the packages:\n${complaint}`]
  return {
    output: outcomeText(plan, { shown: shortPath(folder), unfit, repository, paint: paints.output }),
    errors: warningsText(compiled, paints.errors) + formatProblems(problems, paints.errors),
    exitCode: isInstalled ? 0 : 1
  }
}

/** Returns a file with its mode: no other user may read a copy who may not read the original. */
const copyOf = async ({ from, to, text }: CopiedFile) => [to, text, (await stat(from)).mode & 0o666] as const

async function errorBodyIn(folder: string): Promise<(failure: object) => unknown> {
  const { errorBody } = await import(pathToFileURL(join(folder, 'src/failures.ts')).href)
  return errorBody
}

function warningsText({ problems }: InMemory, paint: Paint): string {
  const text = formatReport(byCause(problems), { paint, maxWarnings: 3 })
  return text === '' ? '' : `${text}\n`
}

/** @throws any error that the user cannot have caused: it is a defect, and keeps its stack */
function mistakeOf(error: unknown, { folder }: NewCommand, paint: Paint): Mistake {
  if (error instanceof FolderTaken)
    return new Mistake([
      `${shortPath(folder)} cannot be made: ${error.message}; name a folder that does not exist`
    ])
  const text = problemText(
    error,
    (problems) => `${formatReport(byCause(problems), { paint })}\n\nnothing was written`
  )
  return new Mistake([text])
}
