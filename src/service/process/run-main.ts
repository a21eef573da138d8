/** The entry of every service: arguments, environment, start, and the sentences for what prevents it. */
import { BootError } from '../../contract/errors.ts'
import type { ContractTypes } from '../../contract/server.ts'
import { type Config, readConfig } from '../config/config.ts'
import { loadEnvFile } from '../config/env-file.ts'
import { renderHelp } from '../config/help.ts'
import type { ProjectVariables } from '../config/variables.ts'
import type { ServiceDefinition, StoreOrNone } from '../definition.ts'
import { StartError } from '../lifecycle/start-error.ts'
import { announce } from './announce.ts'
import { exitWith } from './exit.ts'
import { fail, write } from './print.ts'
import { onSignals } from './signals.ts'

/** All that the process of a service needs to know of its project. What is large is loaded when it is needed. */
export interface Project<Types extends ContractTypes, Store extends StoreOrNone> extends ProjectVariables {
  /** package.json: `--version` prints its version. */
  readonly manifest: { readonly version: string }
  /** Loads the contract, whose title `--help` shows. */
  readonly contract: () => Promise<{ readonly title: string }>
  /** Loads the definition of the service. */
  readonly service: () => Promise<ServiceDefinition<Types, Store>>
}

/**
 * Runs a service in this process until a signal ends it. Prints mistakes of the user as sentences and exits 1.
 * @throws what is no mistake of the user
 */
export async function runMain<Types extends ContractTypes, Store extends StoreOrNone>(
  project: Project<Types, Store>
): Promise<void> {
  try {
    await main(project, process.argv.slice(2))
  } catch (error) {
    if (error instanceof StartError) await fail(error.problems)
    if (error instanceof BootError) await fail([error.message])
    const missing = missingPackage(error)
    if (missing !== undefined) await fail([`the package ${missing} is not installed: run "npm ci"`])
    throw error
  }
}

async function main<Types extends ContractTypes, Store extends StoreOrNone>(
  project: Project<Types, Store>,
  [option]: readonly string[]
): Promise<void> {
  const { manifest, contract } = project
  if (option === '--help')
    return write(renderHelp(`${(await contract()).title} ${manifest.version}`, project))
  if (option === '--version') return write(`${manifest.version}\n`)
  if (option !== undefined) return fail([`${option} is not an option; expected --help, --version or nothing`])
  const unread = loadEnvFile(process.loadEnvFile)
  if (unread.length > 0) return fail(unread)
  const read = readConfig(process.env, project)
  if ('problems' in read) return fail(read.problems)
  await run(project, read.config)
}

/** Imports the service here, so that --help and a list of problems do not wait for it. */
async function run<Types extends ContractTypes, Store extends StoreOrNone>(
  { manifest, service: load }: Project<Types, Store>,
  config: Config
): Promise<void> {
  const [{ openLog }, { startService }, definition] = await Promise.all([
    import('./log.ts'),
    import('../run.ts'),
    load()
  ])
  const { log, output, flush } = await openLog(config)
  const exit = exitWith(flush)
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'unhandled: the process ends')
    exit(1)
  })
  const service = await startService(definition, config, log)
  onSignals(service, { config, log, exit })
  log.info(
    { version: manifest.version, node: process.version, pid: process.pid, ...service.summary },
    'started'
  )
  const { url, token } = service
  await announce({ url, token, document: definition.contract.document }, config, (text) => output.write(text))
  const { settle } = await import('../lifecycle/settle.ts')
  settle()
}

/** npm packages only; for a missing project file the stack trace is more useful. */
function missingPackage(error: unknown): string | undefined {
  return /^Cannot find package '(.*?)'/.exec(String(Object(error).message))?.[1]
}
