/** Entry of every service: arguments, environment, start, and the report of its problems. */

import { globSync, readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { printable } from '@contract-first/cli/printable'
import { BootError } from '@contract-first/engine/errors'
import { loadEnvFile, readConfig } from './config/config.ts'
import { StartError } from './config/start-error.ts'
import type { ProjectVariables } from './config/variables.ts'
import type { AnyService } from './definition.ts'

/** Description of a project for the process of its service. Large parts are loaded on demand. */
export interface Project extends ProjectVariables {
  /** Content of package.json; `--version` prints its version. */
  readonly manifest: {
    readonly version: string
    readonly contract?: { readonly out?: string; readonly [name: string]: unknown }
  }
  readonly contract: () => Promise<{ readonly title: string }>
  readonly service: () => Promise<AnyService>
}

/**
 * Runs a service in this process until a signal ends it. Prints mistakes of the user as sentences and exits 1.
 * @throws {unknown} every error that is not a mistake of the user
 */
export async function runMain(project: Project): Promise<void> {
  try {
    await main(project, process.argv.slice(2))
  } catch (error) {
    if (error instanceof StartError) await fail(error.problems)
    if (error instanceof BootError) await fail([error.message])
    // For a missing file of the project the stack trace is more useful.
    const [, missing] = /^Cannot find package '(.*?)'/.exec(String(Object(error).message)) ?? []
    if (missing !== undefined) await fail([`the package ${missing} is not installed: run "npm ci"`])
    throw error
  }
}

async function main(project: Project, [option]: readonly string[]): Promise<void> {
  if (option === '--help') return help(project)
  if (option === '--version') return void process.stdout.write(`${project.manifest.version}\n`)
  if (option !== undefined) return fail([`${option} is not an option; expected --help, --version or nothing`])
  loadEnvFile(process.loadEnvFile)
  const definition = await definitionOf(project)
  const { environment: own, contract } = definition
  const config = readConfig(process.env, { ...project, own, basePath: contract.basePath })
  // Imported late, so that --help and a list of problems do not wait for Fastify and the log.
  const { serve } = await import('./serve.ts')
  await serve(definition, config, project.manifest.version)
}

/** Loads the definition. Where that fails, the contract is loaded alone, to learn if it is the cause. */
async function definitionOf(project: Project): Promise<AnyService> {
  return project.service().catch(async (error) => {
    await contractOf(project)
    throw error
  })
}

/** @throws {StartError} when the generated code cannot be loaded */
async function contractOf({ contract, manifest }: Project): ReturnType<Project['contract']> {
  return contract().catch(async (error) => {
    throw new StartError([generatedCodeProblem(error, manifest.contract?.out ?? 'generated')])
  })
}

async function help(project: Project): Promise<void> {
  const { title } = await contractOf(project)
  const { environment: own } = await definitionOf(project)
  const { renderHelp } = await import('./config/help.ts')
  const heading = printable(`${title} ${project.manifest.version}`)
  process.stdout.write(renderHelp(heading, { ...project, own }, entry()))
}

/** Returns the main file relative to the working directory; outside of it, its last folder and name. */
function entry(): string {
  const [, path = ''] = process.argv
  const below = relative('', path)
  return below.startsWith('..') ? path.split(sep).slice(-2).join('/') : below
}

/** Prints mistakes of the user without a stack. Exits, because an IPC channel would keep the process alive. */
async function fail(problems: readonly string[]): Promise<never> {
  const { formatProblems, paintFor } = await import('@contract-first/cli/format')
  process.stderr.write(formatProblems(problems, paintFor(process.stderr, process.env)))
  process.exit(1)
}

/**
 * Explains why generated code cannot be loaded: a file is missing, or a merge left its conflict in it.
 * @param error thrown by the import of generated code
 * @param folder folder of the generated code, as far as it is known
 */
function generatedCodeProblem(error: unknown, folder: string): string {
  const { url, stack } = Object(error)
  const message = printable(String(Object(error).message))
  const [, place, line] = /^(file:\/\/\S+):(\d+)\n/.exec(String(stack)) ?? []
  const remedy = 'run "npm run generate"'
  if (place !== undefined) return `${shown(place)}:${line} cannot be read: ${message}: ${remedy}`
  if (url !== undefined) return `${shown(url)} is missing: ${remedy}`
  // Node names no file for a syntax error in an imported module.
  return `${conflicts(folder).join(', ') || 'the generated code'} cannot be read: ${message}: ${remedy}`
}

const conflicts = (folder: string): readonly string[] =>
  globSync(`${folder}/*.{js,ts}`).filter((file) => /^<{7} /m.test(readFileSync(file, 'utf8')))

const shown = (url: string): string => printable(relative('', fileURLToPath(url)))
