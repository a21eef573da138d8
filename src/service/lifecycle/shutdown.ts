/** Graceful shutdown: drains once, within a time-out, and logs what is left when it expires. */
import type { FastifyBaseLogger } from 'fastify'

export interface ShutdownOptions {
  /** Longest time for `drain`, in ms. */
  readonly timeout: number
  /** Responds to the accepted requests, then closes everything. */
  readonly drain: () => Promise<void>
  /** Returns the numbers of requests, connections and writes that `drain` waits for, for the log. */
  readonly left: () => object
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
