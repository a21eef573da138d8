/** The entry: arguments, environment, signals, exit code. The only file of src/ that touches `process`. */
import { setTimeout as sleep } from 'node:timers/promises'
import { isatty } from 'node:tty'
import manifest from '../package.json' with { type: 'json' }
import { BootError } from './contract/errors.ts'
import { defaults } from './plants/product.ts'
import { type Config, readConfig } from './service/config/config.ts'
import { loadEnvFile } from './service/config/env-file.ts'
import { renderHelp } from './service/config/help.ts'
import { createShutdown } from './service/lifecycle/shutdown.ts'
import { StartError } from './service/lifecycle/start-error.ts'
import type { createLog } from './service/observability/log.ts'
import type { Service } from './service/run.ts'
import { StoreOpenError } from './store/batch-store.ts'

type Log = ReturnType<typeof createLog>

const standardOutput = 1
/** Requests that wait for the start are answered in this time, before anything is shown: 12 of 180 ms of CPU. */
const answeringMs = 20
/** Loaded when something is shown: node:util, which it imports, would delay the start. */
const terminal = () => import('./service/terminal/format.ts')

async function main([option]: readonly string[]): Promise<void> {
  if (option === '--help') return help()
  if (option === '--version') return write(`${manifest.version}\n`)
  if (option !== undefined) return fail([`${option} is not an option; expected --help, --version or nothing`])
  const unread = loadEnvFile(process.loadEnvFile)
  if (unread.length > 0) return fail(unread)
  const read = readConfig(process.env, defaults)
  if ('problems' in read) return fail(read.problems)
  await run(read.config)
}

async function help(): Promise<void> {
  const { default: contract } = await import('../generated/contract.ts')
  write(renderHelp(`${contract.title} ${manifest.version}`, defaults))
}

/** Imports the service here, so that --help and a list of problems do not wait for it. */
async function run(config: Config): Promise<void> {
  const [{ createLog, jsonLines, prettyLines, terminalDescriptor }, { startService }, { plantStore }] =
    await Promise.all([
      import('./service/observability/log.ts'),
      import('./service/run.ts'),
      import('./app.ts')
    ])
  const { isTTY } = process.stdout
  const output = jsonLines(isTTY ? terminalDescriptor(standardOutput) : standardOutput)
  // Pretty lines on a terminal where pino-pretty is installed, otherwise JSON.
  const pretty = async () => prettyLines(output, (await terminal()).isColourful(process.stdout, process.env))
  const lines = isTTY ? await pretty().catch(() => output) : output
  const log = createLog(config.logLevel, lines)
  const exit = exitWith(() => lines.flushSync())
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'unhandled: the process ends')
    exit(1)
  })
  const service = await startService(plantStore, config, log)
  onSignals(service, { config, log, exit })
  log.info(
    { version: manifest.version, node: process.version, pid: process.pid, ...service.summary },
    'started'
  )
  await announce(service, config, (text) => output.write(text))
  const { settle } = await import('./service/lifecycle/settle.ts')
  settle()
}

/** Sends the URL to a parent process over IPC, or prints the welcome text. */
async function announce({ url, token }: Service, { production }: Config, print: (text: string) => void) {
  if (process.send !== undefined) process.send({ url })
  if (process.send !== undefined || production) return
  await sleep(answeringMs)
  const [{ welcome }, { paintFor }, { plantStore }] = await Promise.all([
    import('./service/terminal/welcome.ts'),
    terminal(),
    import('./app.ts')
  ])
  const document = await plantStore.contract.document()
  print(welcome({ url, token, document }, paintFor(process.stdout, process.env)))
}

/**
 * Returns a function that ends the process. `process.exit` waits for threads, and one that waits for a lock of the database, a
 * name server or a full pipe would delay it until it has an answer. `execve` ends all of them at once.
 * @param flush writes the last lines of the log
 */
function exitWith(flush: () => void): (code: number) => void {
  return (code) => {
    const { execve, execPath, platform } = process
    const isClean = code === 0 && !process.getActiveResourcesInfo().some(isThreadWork)
    if (isClean || execve === undefined || platform === 'win32') process.exit(code)
    flush()
    // Node writes the coverage of a test run in process.exit, which does not happen here.
    process.getBuiltinModule('node:v8').takeCoverage()
    execve(execPath, [execPath, '--eval', `process.exit(${code})`], {})
  }
}

/** Look-ups of names and calls of the file system run in threads. */
const isThreadWork = (resource: string): boolean => /AddrInfo|NameInfo|^FSReq/.test(resource)

interface Surroundings {
  readonly config: Config
  readonly log: Log
  readonly exit: (code: number) => void
}

function onSignals({ drain, left, reload }: Service, { config, log, exit }: Surroundings): void {
  const shutdown = createShutdown({ timeout: config.shutdownTimeout, drain, left, log, exit })
  process.on('SIGTERM', shutdown)
  process.on('SIGINT', shutdown)
  process.on('SIGHUP', async () => {
    if (isTerminalGone()) return shutdown('SIGHUP')
    const { problems, ...changes } = await reload()
    if (problems.length === 0) log.info(changes, 'SIGHUP: tokens are read again')
    else log.error({ problems }, 'SIGHUP: tokens stay as they were')
  })
}

/** SIGHUP also means that the terminal was closed: shut down then instead of running unattended. */
const isTerminalGone = (): boolean => process.stdout.isTTY && !isatty(standardOutput)

function write(text: string): void {
  process.stdout.write(text)
}

/** Prints mistakes of the user, one sentence each, without a stack. Exits because an IPC channel would keep the process alive. */
async function fail(problems: readonly string[]): Promise<never> {
  const { formatProblems, paintFor } = await terminal()
  process.stderr.write(formatProblems(problems, paintFor(process.stderr, process.env)))
  process.exit(1)
}

/** npm packages only; for a missing project file the stack trace is more useful. */
function missingPackage(error: unknown): string | undefined {
  return /^Cannot find package '(.*?)'/.exec(String(Object(error).message))?.[1]
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (error instanceof StartError) await fail(error.problems)
  if (error instanceof BootError || error instanceof StoreOpenError) await fail([error.message])
  const missing = missingPackage(error)
  if (missing !== undefined) await fail([`the package ${missing} is not installed: run "npm ci"`])
  throw error
}
