/** The log on the standard output. */
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import {
  createLog,
  jsonLines,
  type LogDestination,
  prettyLines,
  terminalDescriptor
} from '../observability/log.ts'
import { terminal } from './print.ts'
import { standardOutput } from './signals.ts'

export interface OpenedLog {
  readonly log: Logger
  /** Takes text as it is. */
  readonly output: LogDestination
  /** Writes what is buffered. */
  readonly flush: () => void
}

/** Pretty lines on a terminal where pino-pretty is installed, otherwise JSON. */
export async function openLog({ logLevel }: Config): Promise<OpenedLog> {
  const { isTTY } = process.stdout
  const output = jsonLines(isTTY ? terminalDescriptor(standardOutput) : standardOutput)
  const pretty = async () => prettyLines(output, (await terminal()).isColourful(process.stdout, process.env))
  const lines = isTTY ? await pretty().catch(() => output) : output
  return { log: createLog(logLevel, lines), output, flush: () => lines.flushSync() }
}
