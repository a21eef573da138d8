/** Calls functions of the user, whose errors must neither change a response nor end the process. */
import type { FastifyBaseLogger } from 'fastify'

/** Log of the user. */
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
  log?.error({ err, callback }, `${callback} failed`)
}

/** Returns the text of any value; some have none, and some cannot be read. */
export function readableText(read: () => unknown): string {
  try {
    return String(read())
  } catch {
    return 'an error without a text'
  }
}
