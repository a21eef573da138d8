/** The log: JSON by the line, or for people where there is a terminal. Neither headers nor bodies ever go into it. */
import pino, { type DestinationStream, type LevelWithSilent, type Logger } from 'pino'

/** Bytes that may wait for a slow reader of the log; beyond them lines are dropped, for the service must not wait. */
const mostWaiting = 8 * 1024 * 1024

/**
 * Lines are written behind the service's back: a reader that is slow, or a full pipe, would else hold up every answer
 * (a burst of lines into a pipe took 84 µs each, against 6). What waits is written when the process ends.
 * @param descriptor where to: 1 is the standard output
 */
export function jsonLines(descriptor: number): DestinationStream {
  const destination = pino.destination({ dest: descriptor, sync: false, maxLength: mostWaiting })
  // A full disk or a reader that is gone must not end the service. At its end, what waits is written by trying until it
  // succeeds; so while nothing can be written, that is left out, or the process would never end.
  const flush = destination.flushSync.bind(destination)
  let isBroken = false
  destination.on('write', () => (isBroken = false)).on('error', () => (isBroken = true))
  destination.flushSync = () => {
    if (!isBroken) flush()
  }
  return destination
}

/** pino-pretty is there during development only; where it is not, a terminal gets JSON as well. */
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

/** Without `pid` and `hostname`: whoever collects logs knows where they come from. */
export const createLog = (level: LevelWithSilent, destination: DestinationStream): Logger =>
  pino({ level, base: null }, destination)
