/** Log of JSON lines, or of pretty lines on a terminal. It never contains headers or bodies. */
import { constants, openSync, write, writeSync } from 'node:fs'
import { type Tracing, traceFields } from '@contract-first/engine/tracing'
import pino, { type DestinationStream, type LevelWithSilent, type Logger, stdSerializers } from 'pino'

type LogDestination = Pick<LineWriter, 'write' | 'flushSync' | 'onDropped'>

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

/** Maximum of buffered characters while the reader of the log is slow; further lines are dropped and counted. */
const maxBuffered = 8 * 1024 * 1024
/** Buffered characters at which lines are accepted again, so that a slow reader gets few gaps, and not many small ones. */
const resumeAt = maxBuffered / 2
/** Maximum of characters in one write; larger writes are not faster. */
const maxWrite = 64 * 1024
/** Pause after a failed write: the pipe is full, the disk is full, or the reader is gone. */
const retryMs = 100
/** Longest time that the end of the process waits for the reader. */
const maxFlushMs = 1_000
const retrySyncMs = 10
const noBytes = Buffer.alloc(0)

/**
 * Writes lines to a file descriptor, without waiting for their reader. sonic-boom never ends its flush on a full disk and
 * without a reader, and writes no count of what it drops. Writes asynchronously, because a slow reader or a full pipe
 * would otherwise delay every response (a burst of lines into a pipe took 84 µs each instead of 6).
 */
export class LineWriter implements DestinationStream {
  readonly #descriptor: number
  #lines: string[] = []
  #buffered = 0
  /** Bytes of the last write that are not written yet. */
  #rest: Buffer = noBytes
  /** True while the system has the bytes of a write. */
  #isWriting = false
  /** True while the next write waits for its turn, or for a reader that has failed to read. */
  #isScheduled = false
  /** Lines dropped since the last report; while there are any, all are. */
  #dropped = 0
  #report: (dropped: number) => void = () => {}

  constructor(descriptor: number) {
    this.#descriptor = descriptor
  }

  write(line: string): void {
    if (this.#dropped > 0 || this.#buffered + line.length > maxBuffered) this.#dropped += 1
    else {
      this.#lines.push(line)
      this.#buffered += line.length
    }
    if (this.#isWriting || this.#isScheduled) return
    // Deferred, so that flushSync can write a line that is logged immediately before the end.
    this.#isScheduled = true
    setImmediate(() => this.#writeNext())
  }

  /** @param report called with the number of dropped lines, in their place, when there is room again; logs a line */
  onDropped(report: (dropped: number) => void): void {
    this.#report = report
  }

  /**
   * Writes the buffered lines at the end of the process. Drops them at any error except a full pipe, and at the
   * deadline, because the reader may hang or be gone.
   */
  flushSync(): void {
    const deadline = performance.now() + maxFlushMs
    const lines = this.#take()
    this.#reportDropped()
    const last = Buffer.from(lines + this.#take())
    // A pending write has its bytes already.
    let bytes = this.#isWriting ? last : Buffer.concat([this.#rest, last])
    if (!this.#isWriting) this.#rest = noBytes
    while (bytes.length > 0 && performance.now() < deadline) {
      const written = this.#tryWrite(bytes)
      if (written === undefined) return
      bytes = bytes.subarray(written)
    }
  }

  /** @returns the number of bytes written; undefined when no further byte can be written */
  #tryWrite(bytes: Buffer): number | undefined {
    try {
      return writeSync(this.#descriptor, bytes)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return undefined
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retrySyncMs)
      return 0
    }
  }

  #take(max = Number.POSITIVE_INFINITY): string {
    let count = 0
    let length = 0
    for (const line of this.#lines) {
      if (count > 0 && length + line.length > max) break
      count += 1
      length += line.length
    }
    this.#buffered -= length
    return this.#lines.splice(0, count).join('')
  }

  #reportDropped(): void {
    const dropped = this.#dropped
    if (dropped === 0 || this.#buffered > resumeAt) return
    this.#dropped = 0
    this.#report(dropped)
  }

  #writeNext(): void {
    this.#reportDropped()
    this.#isScheduled = false
    if (this.#rest.length === 0) this.#rest = Buffer.from(this.#take(maxWrite))
    this.#isWriting = this.#rest.length > 0
    if (!this.#isWriting) return
    write(this.#descriptor, this.#rest, (error, written) => {
      this.#rest = this.#rest.subarray(error === null ? written : 0)
      this.#isWriting = false
      this.#isScheduled = true
      if (error === null) this.#writeNext()
      else setTimeout(() => this.#writeNext(), retryMs).unref()
    })
  }
}
