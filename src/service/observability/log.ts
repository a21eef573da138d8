/** The log: a line of JSON for each event, or pretty lines on a terminal. It never holds headers or bodies. */
import pino, { type DestinationStream, type LevelWithSilent, type Logger } from 'pino'

/** Buffered bytes while the reader of the log is slow; further lines are dropped, because the service must not wait. */
const maxBuffered = 8 * 1024 * 1024

/**
 * Writes asynchronously, because a slow reader or a full pipe would otherwise delay every answer (a burst of lines into a pipe
 * took 84 µs each, against 6). Buffered lines are written when the process ends.
 * @param descriptor file descriptor; 1 is the standard output
 */
export function jsonLines(descriptor: number): DestinationStream {
  const destination = pino.destination({ dest: descriptor, sync: false, maxLength: maxBuffered })
  // A full disk or a closed reader must not end the service. flushSync tries until it succeeds, so it is skipped while
  // writing fails; otherwise the process would never end.
  const flush = destination.flushSync.bind(destination)
  let isBroken = false
  destination.on('write', () => (isBroken = false)).on('error', () => (isBroken = true))
  destination.flushSync = () => {
    if (!isBroken) flush()
  }
  return destination
}

/** @throws when pino-pretty, a development dependency, is not installed */
export async function prettyLines(descriptor: number, colorize: boolean): Promise<DestinationStream> {
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
  pino({ level, base: null }, destination)
