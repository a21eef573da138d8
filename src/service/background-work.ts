/** Background work of a service: `start` and `stop` of its definition. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { AnyService, StoreOrNone, StoreSetting } from './definition.ts'
import { StartError } from './start-error.ts'

export interface BackgroundWork {
  /**
   * Resolves when `start` has.
   * @throws {StartError} for an error of `start`, which the log has with its stack
   */
  readonly started: Promise<void>
  /** Aborts the signal, waits for `start`, then for `stop`, at most SHUTDOWN_TIMEOUT. Logs an error of `stop`. */
  readonly end: () => Promise<void>
}

/** @param ending tells `start` that the work has to end */
export function startWork(
  definition: AnyService,
  setting: StoreSetting<StoreOrNone>,
  ending: AbortController
): BackgroundWork {
  const { log, config } = setting
  const { signal } = ending
  const begun = Promise.try(() => definition.start?.({ ...setting, signal }))
  const started = begun.then(
    () => undefined,
    (error: unknown) => {
      if (!signal.aborted) log.fatal({ err: error }, 'start failed')
      if (error instanceof StartError) throw error
      throw new StartError([`start: ${error instanceof Error ? error.message : String(error)}`])
    }
  )

  async function stop(): Promise<void> {
    // What start did not complete has nothing to stop.
    const stopped = begun.then(
      (value) => definition.stop?.(value),
      () => undefined
    )
    const timer = new AbortController()
    const { shutdownTimeout } = config
    const tooLong = sleep(shutdownTimeout, undefined, timer).then(() => {
      throw new Error(`SHUTDOWN_TIMEOUT of ${shutdownTimeout} ms`)
    })
    await Promise.race([stopped, tooLong]).finally(() => timer.abort())
  }

  return {
    started,
    end: async () => {
      ending.abort()
      await stop().catch((error: unknown) => log.error({ err: error }, 'stop failed'))
    }
  }
}
