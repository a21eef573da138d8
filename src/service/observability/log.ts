/** Log of JSON lines, or of pretty lines on a terminal. It never contains headers or bodies. */
import { constants, openSync } from 'node:fs'
import { type Tracing, traceFields } from '@contract-first/engine/tracing'
import pino, { type DestinationStream, type LevelWithSilent, type Logger, stdSerializers } from 'pino'
import type { LineWriter } from './line-writer.ts'

export type LogDestination = Pick<LineWriter, 'write' | 'flushSync' | 'onDropped'>

/**
 * Returns a non-blocking descriptor of the same terminal, because a terminal that hangs or is paused must not stop the
 * service. Returns the given one where the system has no other.
 */
export function terminalDescriptor(descriptor: number): number {
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants
  try {
    return openSync(`/dev/fd/${descriptor}`, O_WRONLY | O_NONBLOCK | O_NOCTTY)
  } catch {
    return descriptor
  }
}

/**
 * Returns a destination that turns lines of JSON into pretty ones.
 * @throws {Error} when pino-pretty, a development dependency, is not installed
 */
export async function prettyLines(lines: LogDestination, colorize: boolean): Promise<LogDestination> {
  const { prettyFactory } = await import('pino-pretty')
  const format = prettyFactory({ colorize, ignore: 'pid,hostname', translateTime: 'HH:MM:ss.l' })
  return {
    write: (line) => lines.write(format(line)),
    flushSync: () => lines.flushSync(),
    onDropped: (report) => lines.onDropped(report)
  }
}

/**
 * Creates a log without `pid` and `hostname`, which log collectors add themselves.
 * @param tracing adds the ids of the active span to each line
 */
export function createLog(
  level: LevelWithSilent,
  destination: DestinationStream & Partial<LogDestination>,
  tracing?: Tracing
): Logger {
  const mixin = tracing && { mixin: () => traceFields(tracing) }
  const log = pino({ level, base: null, serializers: { err: errorFields }, ...mixin }, destination)
  destination.onDropped?.((dropped) =>
    log.error({ dropped }, 'lines of the log were dropped here, because its reader was too slow')
  )
  return log
}

/** Returns a log that writes nothing. */
export const silentLog = (): Logger => createLog('silent', { write: () => undefined })

/** Creates a log of defects, for a test: without handlers that are not written, and clients that leave a stream. */
export function defectLog(report: (text: string) => unknown): Logger {
  const write = (line: string) => {
    const { err, failure, msg } = JSON.parse(line)
    const isLeft = String(err?.stack).startsWith('AbortError:')
    if (err !== undefined && failure !== 'not-implemented' && !isLeft) report(`${msg}: ${err.stack}`)
  }
  return createLog('error', { write })
}

/** Selects the fields of an error. Others may hold data of clients: rows and parameters (detail and where of libpq). */
function errorFields(error: unknown): unknown {
  try {
    if (!(error instanceof Error && 'severity' in error)) return stdSerializers.err(error as Error)
    const { name: type, message, severity } = error
    return { type, message, severity, code: Reflect.get(error, 'code') }
  } catch {
    return { message: 'an error that cannot be read' }
  }
}
