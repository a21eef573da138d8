/** Calls functions of the user, whose errors must neither change a response nor end the process. */
import type { FastifyBaseLogger } from 'fastify'

/** Log of the user; writing a line may throw, because its serializers and its destination are the user's, too. */
export type ErrorLog = Pick<FastifyBaseLogger, 'warn' | 'error'>

/** Calls a callback that returns nothing. Logs its error, or the rejection of its promise, under its name. */
export function notify(name: string, log: ErrorLog | undefined, call: () => unknown): void {
  try {
    const result = call()
    if (isThenable(result)) Promise.resolve(result).catch((error: unknown) => report(name, log, error))
  } catch (error) {
    report(name, log, error)
  }
}

/**
 * Returns the value of a callback.
 * @param accepts returns true for the values that the callback may return
 * @returns undefined, after a line in the log, for an error, a promise, or any other value
 */
export function resultOf<T>(
  name: string,
  log: ErrorLog | undefined,
  { call, accepts }: { readonly call: () => T; readonly accepts: (value: unknown) => boolean }
): T | undefined {
  try {
    const value = immediate(name, call())
    if (accepts(value)) return value
    throw new TypeError(`${name} returned a value of type ${typeof value}`)
  } catch (error) {
    report(name, log, error)
    return undefined
  }
}

/**
 * Returns a value that is not a promise.
 * @throws {TypeError} for a promise, whose own error is ignored
 */
export function immediate<T>(name: string, value: T): T {
  if (!isThenable(value)) return value
  Promise.resolve(value).catch(() => undefined)
  throw new TypeError(`${name} returned a promise`)
}

export function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

function report(callback: string, log: ErrorLog | undefined, err: unknown): void {
  if (log !== undefined) logSafely(log, 'error', { err, callback }, `${callback} failed`)
}

/** Writes a line; see `writeSafely`. */
export function logSafely(
  log: ErrorLog,
  level: 'warn' | 'error',
  fields: Readonly<Record<string, unknown>>,
  message: string
): void {
  writeSafely((...line) => log[level](...line), [fields, message])
}

/** Arguments of a method of a log: fields, text, or both. */
export type Line = [fields: unknown, text?: string, ...values: unknown[]]

/** Writes a line; where its fields cannot be written, its texts alone; nothing where the log takes no line at all. */
export function writeSafely(write: (...line: Line) => void, line: Line): void {
  try {
    write(...line)
  } catch (error) {
    const texts = line.filter((part) => typeof part === 'string')
    const cause = textOf(() => Object(line[0]).err)
    const reason = textOf(() => error)
    ignoreErrors(() => write(`${texts.join(' ')}: ${cause} (its fields cannot be logged: ${reason})`))
  }
}

/** Returns the text of any value; some have none, and some cannot be read. */
export function textOf(read: () => unknown): string {
  let text = 'an error without a text'
  ignoreErrors(() => {
    text = String(read())
  })
  return text
}

function ignoreErrors(run: () => void): void {
  try {
    run()
  } catch {
    // Nothing is left to report it to.
  }
}
