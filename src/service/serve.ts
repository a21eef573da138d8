/**
 * Starts a service in this process, with its log, announcement and signals: SIGTERM and SIGINT drain, SIGHUP reads the
 * tokens again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isatty } from 'node:tty'
import { openTracing } from '@contract-first/engine/tracing'
import type { Config } from './config/config.ts'
import { StartError } from './config/start-error.ts'
import type { Welcome } from './curl.ts'
import type { AnyService, Setting } from './definition.ts'
import { createLog, LineWriter, prettyLines, terminalDescriptor } from './observability/log.ts'
import { type Controls, startService } from './run.ts'

/** Starts the service; resolves when it accepts requests. */
export async function serve(definition: AnyService, config: Config, version: string): Promise<void> {
  const onHangup = holdHangup()
  const { log, output } = await openLog(config)
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'unhandled: the process ends')
    process.exit(1)
  })
  const service = await startService(definition, config, log, (controls) => {
    onHangup(onSignals(controls, { config, log, exit: process.exit }))
  })
  log.info({ version, node: process.version, pid: process.pid, ...service.summary }, 'started')
  const { url, token } = service
  const { contract } = definition
  await announce({ url, token, contract }, config, (text) => output.write(text)).catch((error: unknown) =>
    log.warn({ err: error }, 'the service runs, but its start could not be announced')
  )
}

/**
 * Opens a log of pretty lines on a terminal where pino-pretty is installed, otherwise of JSON.
 * @returns the log, and the destination of plain text beside it
 */
async function openLog({ logLevel }: Config) {
  const { isTTY } = process.stdout
  const output = new LineWriter(isTTY ? terminalDescriptor(standardOutput) : standardOutput)
  const pretty = async () => {
    const { isColourful } = await import('@contract-first/cli/format')
    return prettyLines(output, isColourful(process.stdout, process.env))
  }
  const lines = isTTY ? await pretty().catch(() => output) : output
  process.on('exit', () => lines.flushSync())
  return { log: createLog(logLevel, lines, await openTracing()), output }
}

/** Delay of the welcome text, in which waiting requests are answered; the text costs 12 of 180 ms of CPU. */
const answeringMs = 20

/** Sends the URL to a parent process over IPC, or prints the welcome text. */
async function announce(
  announced: Welcome,
  { production, usesTokens }: Config,
  print: (text: string) => void
): Promise<void> {
  // With a callback, a parent that has gone is no `error` event, which would end the process.
  const message = { url: announced.url, usesTokens: usesTokens === true }
  process.send?.(message, () => undefined)
  if (process.send !== undefined || production) return
  await sleep(answeringMs)
  const { welcome } = await import('./curl.ts')
  const { paintFor } = await import('@contract-first/cli/format')
  print(welcome(announced, paintFor(process.stdout, process.env)))
}

interface Surroundings extends Setting {
  /** Ends the process; returns in tests only. */
  readonly exit: (code: number) => void
}

const standardOutput = 1

/** @returns the handler of SIGHUP */
export function onSignals(controls: Controls, surroundings: Surroundings): () => void {
  const { config, log } = surroundings
  const shutdown = createShutdown(controls, surroundings)
  process.on('SIGTERM', shutdown)
  process.on('SIGINT', shutdown)
  return () => {
    if (isTerminalGone()) return shutdown('SIGHUP')
    if (!config.usesTokens) return log.info('SIGHUP: there is nothing to read again')
    // A promise that nobody catches would end the process.
    controls.reload().then(
      (changes) => log.info(changes, 'SIGHUP: tokens are read again'),
      (err: unknown) =>
        log.error(
          err instanceof StartError ? { problems: err.problems } : { err },
          'SIGHUP: tokens stay as they were'
        )
    )
  }
}

/**
 * Holds a SIGHUP that arrives while the service starts: by default it would end the process.
 * @returns a function that sets the handler
 */
export function holdHangup(): (handle: () => void) => void {
  const { promise, resolve } = Promise.withResolvers<() => void>()
  process.on('SIGHUP', async () => (await promise)())
  return resolve
}

/** Returns true if the terminal was closed: the service then shuts down instead of running unattended. */
const isTerminalGone = (): boolean => process.stdout.isTTY && !isatty(standardOutput)

/** Time in ms in which a second signal counts as the first: npm forwards the signal that it got as well. */
const sameSignalMs = 100

/** Returns a function to call for each signal: the first drains and exits 0; a second one, or the time-out, exits 1. */
export function createShutdown(
  { drain, left }: Omit<Controls, 'reload'>,
  { config, log, exit }: Surroundings
): (signal: string) => void {
  const timeout = config.shutdownTimeout
  let began: number | undefined
  const giveUp = (reason: string) => {
    log.fatal({ left: left() }, `stopped before everything was done: ${reason}`)
    exit(1)
  }
  const stop = async (signal: string) => {
    const timer = setTimeout(giveUp, timeout, `SHUTDOWN_TIMEOUT of ${timeout} ms`)
    log.info({ left: left() }, `${signal}: draining`)
    await drain()
    clearTimeout(timer)
    log.info('stopped')
    exit(0)
  }
  return (signal) => {
    if (began !== undefined) {
      if (performance.now() - began > sameSignalMs) giveUp(`${signal} while draining`)
      return
    }
    began = performance.now()
    stop(signal).catch((error: unknown) => {
      log.fatal({ err: error }, 'stopped before everything was done')
      exit(1)
    })
  }
}
