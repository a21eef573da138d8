/** The log: a line of JSON for each event, or pretty lines on a terminal. It never holds headers or bodies. */
import { register } from 'on-exit-leak-free'
import pino, { type DestinationStream, type LevelWithSilent, type Logger, stdSerializers } from 'pino'
import { LineWriter } from './line-writer.ts'

export interface LogDestination extends DestinationStream {
  /** Writes what is buffered, within a second. Absent where every line is written at once. */
  readonly flushSync?: () => void
}

/**
 * Returns a destination of JSON lines. Buffered lines are written when the process ends.
 * @param descriptor file descriptor; 1 is the standard output
 */
export function jsonLines(descriptor: number): LogDestination {
  const writer = new LineWriter(descriptor)
  register(writer, (ended) => ended.flushSync())
  return writer
}

/** @throws when pino-pretty, a development dependency, is not installed */
export async function prettyLines(descriptor: number, colorize: boolean): Promise<LogDestination> {
  const { default: pretty } = await import('pino-pretty')
  return pretty({
    colorize,
    destination: descriptor,
    sync: true,
    ignore: 'pid,hostname',
    translateTime: 'HH:MM:ss.l'
  })
}

/** Creates a log without `pid` and `hostname`, which log collectors add themselves. */
export const createLog = (level: LevelWithSilent, destination: DestinationStream): Logger =>
  pino({ level, base: null, serializers: { err: errorFields } }, destination)

/** Errors of a database hold rows and parameters in further properties (libpq: detail, where), which are data of clients. */
function errorFields(error: Error): object {
  if (!('severity' in error)) return stdSerializers.err(error)
  const { name: type, message, severity } = error
  return { type, message, severity, code: Reflect.get(error, 'code') }
}
