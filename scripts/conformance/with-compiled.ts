/** Compiles a contract into a folder of its own, for one piece of work, and removes the folder. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ContractError, compileContract, writeFiles } from '../../src/contract/compiler.ts'
import type { Contract } from '../../src/contract/conformance.ts'
import { Mistake, toErrors } from '../cli/command.ts'
import { assertIsFile, fileProblem } from '../generate/file-problems.ts'
import { formatReport } from '../generate/report.ts'

/** @throws {Mistake} for a contract that cannot be read or compiled */
export async function withCompiled<T>(path: string, work: (contract: Contract) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'contract-'))
  try {
    return await work(await compiled(path, folder))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function compiled(path: string, folder: string): Promise<Contract> {
  try {
    await assertIsFile(path)
    await writeFiles((await compileContract(path, folder)).files, folder)
  } catch (error) {
    const problem = fileProblem(error, (file) => relative(process.cwd(), file))
    if (problem !== undefined) throw new Mistake([problem], { exitCode: 2 })
    if (!(error instanceof ContractError)) throw error
    const errors = error.problems.filter(({ severity }) => severity === 'error')
    throw new Mistake([formatReport(errors, { folder: process.cwd(), paint: toErrors })], { exitCode: 2 })
  }
  return (await import(pathToFileURL(join(folder, 'contract.ts')).href)).default
}
