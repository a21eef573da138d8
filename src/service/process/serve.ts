/** Starts a service in this process, with its log, signals and announcement. */

import { setTimeout as sleep } from 'node:timers/promises'
import { openTracing } from '@contract-first/engine/tracing'
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { AnyService } from '../definition.ts'
import { LineWriter } from '../observability/line-writer.ts'
import { createLog, type LogDestination, prettyLines, terminalDescriptor } from '../observability/log.ts'
import { type Service, startService } from '../run.ts'
import { holdHangup, onSignals, standardOutput } from './signals.ts'
import type { Welcome } from './welcome.ts'

interface Start {
  readonly config: Config
  readonly version: string
}

/** Starts the service; resolves when it accepts requests. */
export async function serve(definition: AnyService, { config, version }: Start): Promise<void> {
  const handHangupOn = holdHangup()
  const { log, output } = await openLog(config)
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'unhandled: the process ends')
    process.exit(1)
  })
  const service = await startService(definition, config, log, (controls) => {
    onSignals(controls, { config, log, exit: process.exit })
    handHangupOn()
  })
  log.info({ version, node: process.version, pid: process.pid, ...service.summary }, 'started')
  const { url, token } = service
  const { contract } = definition
  await announce({ url, token, contract }, config, (text) => output.write(text)).catch((error: unknown) =>
    log.warn({ err: error }, 'the service runs, but its start could not be announced')
  )
}

interface OpenedLog {
  readonly log: Logger
  /** Destination of plain text. */
  readonly output: LogDestination
}

/** Opens a log of pretty lines on a terminal where pino-pretty is installed, otherwise of JSON. */
async function openLog({ logLevel }: Config): Promise<OpenedLog> {
  const { isTTY } = process.stdout
  const output = new LineWriter(isTTY ? terminalDescriptor(standardOutput) : standardOutput)
  const lines = isTTY ? await pretty(output).catch(() => output) : output
  process.on('exit', () => lines.flushSync())
  return { log: createLog(logLevel, lines, await openTracing()), output }
}

async function pretty(output: LogDestination): Promise<LogDestination> {
  const { isColourful } = await import('@contract-first/cli/format')
  return prettyLines(output, isColourful(process.stdout, process.env))
}

/** Delay of the welcome text, in which waiting requests are answered; the text costs 12 of 180 ms of CPU. */
const answeringMs = 20

interface Announced extends Pick<Service, 'url' | 'token'>, Pick<Welcome, 'contract'> {}

/** Sends the URL to a parent process over IPC, or prints the welcome text. */
async function announce(
  { url, token, contract }: Announced,
  { production, usesTokens }: Config,
  print: (text: string) => void
): Promise<void> {
  // With a callback, a parent that has gone is no `error` event, which would end the process.
  process.send?.({ url, usesTokens: usesTokens === true }, undefined, undefined, () => undefined)
  if (process.send !== undefined || production) return
  await sleep(answeringMs)
  const [{ welcome }, { paintFor }] = await Promise.all([
    import('./welcome.ts'),
    import('@contract-first/cli/format')
  ])
  print(welcome({ url, token, contract }, paintFor(process.stdout, process.env)))
}
