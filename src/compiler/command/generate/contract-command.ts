/** Parts of every command that reads a contract: its options and its frame, which loads before the compiler. */
import { enableCompileCache } from 'node:module'
import { dirname, resolve } from 'node:path'
import { command } from '@contract-first/cli/command'
import type { CommandLine, Grammar } from '@contract-first/cli/command-line'
import { compileCache, readProject } from './read-project.ts'
import { refuseUrl } from './refuse-url.ts'

export interface ContractFile {
  /** Absolute path. */
  readonly contract: string
  /** Folder whose files the contract may refer to; the folder of the contract by default. */
  readonly root?: string
  /** Module of the project's own formats. */
  readonly formats?: string
}

export const contractOptions = {
  '--contract FILE': 'the contract [openapi.yaml]',
  '--root DIR': 'its references may lead to files below DIR [the folder of the contract]'
} as const

/**
 * Reads the options of the contract.
 * @param otherwise path without `--contract`; by default that of the project
 */
export function contractFile(
  { value }: CommandLine,
  otherwise?: string,
  folder = process.cwd()
): Required<Omit<ContractFile, 'formats'>> & ContractFile {
  const named = value('contract')
  if (named !== undefined) refuseUrl('--contract', named)
  const contract = resolve(folder, named ?? otherwise ?? readProject().contract)
  const project = readProject(folder)
  const formats = contract === project.contract ? project.formats : undefined
  const root = contractRoot(contract, value('root'), folder)
  return { contract, root, ...(formats !== undefined && { formats }) }
}

/** @param option the option `--root` */
export function contractRoot(contract: string, option: string | undefined, folder: string): string {
  if (option !== undefined) return resolve(folder, option)
  const project = readProject(folder)
  return contract === project.contract ? project.root : dirname(contract)
}

/**
 * Runs the command of this process. Caches the compiled code of the bundler and TypeScript, megabytes of source: modules
 * that are loaded before it are not cached.
 */
export async function contractCommand(
  grammar: Grammar,
  run: (line: CommandLine) => Promise<void>
): Promise<void> {
  enableCompileCache(compileCache())
  await command(grammar, run)
}
