/** Headers of a failure as they can be sent: a handler may throw a failure with any headers. */
import { type ErrorLog, logSafely } from './callbacks.ts'
import type { Failure } from './failure.ts'

type Headers = Record<string, string | string[]>

/** Headers of message framing, which Node sets. */
const framing = new Set(['content-length', 'transfer-encoding', 'trailer', 'upgrade', 'keep-alive'])
/** Syntax of a name and of a value (RFC 9110, sections 5.1 and 5.5). */
const token = /^[!#$%&'*+.^_`|~\w-]+$/
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/

/** Returns a copy without the headers that Node would refuse; names them in the log. */
export function sendableHeaders({ headers }: Failure, log: ErrorLog): Headers {
  const sendable: Headers = {}
  for (const [name, value] of Object.entries(headers)) {
    if (isSendable(name, value)) sendable[name] = typeof value === 'string' ? value : [...value]
    else logSafely(log, 'error', { header: name }, 'a header of a failure cannot be sent')
  }
  return sendable
}

function isSendable(name: string, value: string | string[]): boolean {
  const lines: readonly unknown[] = [value].flat()
  const isText = lines.every((line) => typeof line === 'string' && fieldValue.test(line))
  return isText && token.test(name) && !framing.has(name.toLowerCase())
}
