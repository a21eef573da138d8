/** Releases what a response holds that is not sent. */
import { Readable } from 'node:stream'
import { isThenable } from '../errors/callbacks.ts'

/**
 * Destroys streams, calls `return` of iterators, and ignores the rejections of promises, which would end the process. No
 * other iterable is searched, because its members may be in use: a cursor refers to the sockets of its database.
 */
export function discard(response: unknown, seen = new Set<unknown>()): void {
  if (typeof response !== 'object' || response === null || seen.has(response)) return
  seen.add(response)
  try {
    if (response instanceof Readable) response.on('error', () => undefined).destroy()
    else if (isThenable(response)) Promise.resolve(response).catch(() => undefined)
    else if (isIterator(response)) discard(response.return(), seen)
    else if (!isOtherIterable(response)) for (const part of Object.values(response)) discard(part, seen)
  } catch {
    // What cannot be read is logged.
  }
}

function isIterator(value: object): value is { readonly return: () => unknown } {
  return 'next' in value && 'return' in value && typeof value.return === 'function'
}

function isOtherIterable(value: object): boolean {
  return !Array.isArray(value) && (Symbol.asyncIterator in value || Symbol.iterator in value)
}
