/** The entry: arguments, environment, signals, exit code. The only file of src/ that touches `process`. */
import { existsSync } from 'node:fs'
import { isatty } from 'node:tty'
import { setFlagsFromString } from 'node:v8'
import manifest from '../package.json' with { type: 'json' }
import { BootError } from './contract/errors.ts'
import { type Config, readConfig } from './service/config/config.ts'
import { renderHelp } from './service/config/help.ts'
import { createShutdown } from './service/lifecycle/shutdown.ts'
import { StartError } from './service/lifecycle/start-error.ts'
import type { createLog } from './service/observability/log.ts'
import type { Service } from './service/run.ts'
import { formatProblems, isColourful, paintFor } from './service/terminal/format.ts'
import { welcome } from './service/terminal/welcome.ts'
import { StoreOpenError } from './store/batch-store.ts'

type Log = ReturnType<typeof createLog>

const standardOutput = 1
/**
 * Per cent by which the heap may outgrow what is alive: with V8's own choice an overload takes half as much memory again.
 * And no guess at what will live long: made in a burst, while much waits for the store, it holds for good, and what is made
 * for a request fills the old generation from then on. After a burst that cost 40 % of the throughput.
 */
const heapFlags = ['--heap-growing-percent=25', '--no-allocation-site-pretenuring']

async function main([option]: readonly string[]): Promise<void> {
  if (option === '--help') return write(renderHelp(manifest.version))
  if (option === '--version') return write(`${manifest.version}\n`)
  if (option !== undefined) return fail([`${option} is not an option; expected --help, --version or nothing`])
  loadEnvironmentFile()
  const read = readConfig(process.env)
  if ('problems' in read) return fail(read.problems)
  await run(read.config)
}

/** Loaded only when they are needed, so that --help and a list of problems come at once. */
async function run(config: Config): Promise<void> {
  const [{ createLog, jsonLines, prettyLines }, { startService }] = await Promise.all([
    import('./service/observability/log.ts'),
    import('./service/run.ts')
  ])
  for (const flag of heapFlags) setFlagsFromString(flag)
  const colourful = isColourful(process.stdout, process.env)
  // For people where there are people and pino-pretty is installed, else JSON.
  const pretty = process.stdout.isTTY
    ? await prettyLines(standardOutput, colourful).catch(() => undefined)
    : undefined
  const log = createLog(config.logLevel, pretty ?? jsonLines(standardOutput))
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'unhandled: the process ends')
    process.exit(1)
  })
  const service = await startService(config, log)
  onSignals(service, config, log)
  tell(service, config)
}

/** Who has started this process with a channel to it is told there; a person is welcomed. */
function tell(service: Service, { production }: Config): void {
  if (process.send !== undefined) process.send({ url: service.url })
  else if (!production) write(welcome(service, paintFor(process.stdout, process.env)))
}

function onSignals({ drain, left, reload }: Service, { shutdownTimeout }: Config, log: Log): void {
  const exit = (code: number) => process.exit(code)
  const shutdown = createShutdown({ timeout: shutdownTimeout, drain, left, log, exit })
  process.on('SIGTERM', shutdown)
  process.on('SIGINT', shutdown)
  process.on('SIGHUP', async () => {
    if (isTerminalGone()) return shutdown('SIGHUP')
    const problems = await reload()
    if (problems.length === 0) log.info('SIGHUP: tokens are read again')
    else log.error({ problems }, 'SIGHUP: tokens stay as they were')
  })
}

/** SIGHUP is sent by hand, or by a terminal that was closed: that must not leave a service behind which nobody sees. */
const isTerminalGone = (): boolean => process.stdout.isTTY && !isatty(standardOutput)

function write(text: string): void {
  process.stdout.write(text)
}

function loadEnvironmentFile(): void {
  if (!existsSync('.env')) return
  try {
    process.loadEnvFile('.env')
  } catch {
    throw new StartError(['.env can not be read: it must be a file of NAME=value lines'])
  }
}

/**
 * A mistake of the user is told in a sentence each, without a stack. What was opened before it would hold the process, and so
 * would the channel to whoever has started it.
 */
function fail(problems: readonly string[]): never {
  process.stderr.write(formatProblems(problems, paintFor(process.stderr, process.env)))
  process.exit(1)
}

/** Not of a file of our own: such a mistake is made while editing, and is found by where it was made. */
function missingPackage(error: unknown): string | undefined {
  return /^Cannot find package '(.*?)'/.exec(String(Object(error).message))?.[1]
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (error instanceof StartError) fail(error.problems)
  if (error instanceof BootError || error instanceof StoreOpenError) fail([error.message])
  const missing = missingPackage(error)
  if (missing !== undefined) fail([`the package ${missing} is not installed: run "npm ci"`])
  throw error
}
