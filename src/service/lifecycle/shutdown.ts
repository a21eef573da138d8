/** The end of the process: drained in order, once, within a time; said what is left where that can not be. */
import type { FastifyBaseLogger } from 'fastify'

export interface Ending {
  /** Milliseconds for `drain`. */
  readonly timeout: number
  /** Answers what was asked and writes what was promised. */
  readonly drain: () => Promise<void>
  /** What `drain` is still waiting for, for the log. */
  readonly left: () => object
  readonly log: Pick<FastifyBaseLogger, 'info' | 'fatal'>
  /** Does not return in the real process. */
  readonly exit: (code: number) => void
}

/** Milliseconds in which a second signal is the first again: npm passes on what the terminal has sent to both of us. */
const sameSignal = 100

/** To be called with each signal: the first drains and exits 0; a second, or the time-out, exits 1. */
export function createShutdown({ timeout, drain, left, log, exit }: Ending): (signal: string) => void {
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
      if (performance.now() - began > sameSignal) giveUp(`${signal} while draining`)
      return
    }
    began = performance.now()
    stop(signal).catch((error: unknown) => {
      log.fatal({ err: error }, 'stopped before everything was done')
      exit(1)
    })
  }
}
