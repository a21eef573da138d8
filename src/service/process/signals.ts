/** Handles the signals of the process: SIGTERM and SIGINT drain, SIGHUP reads the tokens again. */
import { isatty } from 'node:tty'
import type { FastifyBaseLogger } from 'fastify'
import type { Setting } from '../definition.ts'
import type { Controls, Reloaded } from '../run.ts'

interface Surroundings extends Setting {
  readonly exit: (code: number) => void
}

export const standardOutput = 1

export function onSignals({ drain, left, reload }: Controls, { config, log, exit }: Surroundings): void {
  const shutdown = createShutdown({ timeout: config.shutdownTimeout, drain, left, log, exit })
  process.on('SIGTERM', shutdown)
  process.on('SIGINT', shutdown)
  process.on('SIGHUP', () => {
    if (isTerminalGone()) return shutdown('SIGHUP')
    if (!config.usesTokens) return log.info('SIGHUP: there is nothing to read again')
    // A promise that nobody catches would end the process.
    reload().then(
      (reloaded) => report(reloaded, log),
      (err: unknown) => log.error({ err }, unchanged)
    )
  })
}

/**
 * Holds a SIGHUP that arrives while the service starts: by default it would end the process.
 * @returns a function that hands it on, to the handler of `onSignals`
 */
export function holdHangup(): () => void {
  let isPending = false
  const hold = () => {
    isPending = true
  }
  process.on('SIGHUP', hold)
  return () => {
    process.off('SIGHUP', hold)
    if (isPending) process.emit('SIGHUP')
  }
}

const unchanged = 'SIGHUP: tokens stay as they were'

function report({ problems, ...changes }: Reloaded, log: FastifyBaseLogger): void {
  if (problems.length === 0) log.info(changes, 'SIGHUP: tokens are read again')
  else log.error({ problems }, unchanged)
}

/** Returns true if the terminal was closed: the service then shuts down instead of running unattended. */
const isTerminalGone = (): boolean => process.stdout.isTTY && !isatty(standardOutput)

interface ShutdownOptions extends Pick<Controls, 'drain' | 'left'> {
  /** Longest time for `drain`, in ms. */
  readonly timeout: number
  readonly log: Pick<FastifyBaseLogger, 'info' | 'fatal'>
  /** Ends the process; returns in tests only. */
  readonly exit: (code: number) => void
}

/** Time in ms in which a second signal counts as the first: npm forwards the signal that it got as well. */
const sameSignalMs = 100

/** Returns a function to call for each signal: the first drains and exits 0; a second one, or the time-out, exits 1. */
export function createShutdown({
  timeout,
  drain,
  left,
  log,
  exit
}: ShutdownOptions): (signal: string) => void {
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
