/** Handles the signals of the process: SIGTERM and SIGINT drain, SIGHUP reads the tokens again. */
import { isatty } from 'node:tty'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config/config.ts'
import { createShutdown } from '../lifecycle/shutdown.ts'
import type { Service } from '../run.ts'

export interface Surroundings {
  readonly config: Config
  readonly log: FastifyBaseLogger
  readonly exit: (code: number) => void
}

export const standardOutput = 1

export function onSignals({ drain, left, reload }: Service, { config, log, exit }: Surroundings): void {
  const shutdown = createShutdown({ timeout: config.shutdownTimeout, drain, left, log, exit })
  process.on('SIGTERM', shutdown)
  process.on('SIGINT', shutdown)
  process.on('SIGHUP', async () => {
    if (isTerminalGone()) return shutdown('SIGHUP')
    if (!config.usesTokens) return log.info('SIGHUP: there is nothing to read again')
    const { problems, ...changes } = await reload()
    if (problems.length === 0) log.info(changes, 'SIGHUP: tokens are read again')
    else log.error({ problems }, 'SIGHUP: tokens stay as they were')
  })
}

/** Returns true if the terminal was closed: the service then shuts down instead of running unattended. */
const isTerminalGone = (): boolean => process.stdout.isTTY && !isatty(standardOutput)
