/** Handlers that keep what they are given, and return what a test has set. */

import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Contract } from '../../src/engine/model/compiled-contract.ts'

/** Response of a handler, and answer of a client. */
export interface Given {
  readonly status: number
  readonly headers?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** Arguments of a handler; streams are read. */
export interface Seen {
  readonly params: object
  readonly query: unknown
  readonly headers: object
  readonly cookies: object
  readonly body: unknown
}

export class Recorder {
  seen: Seen | undefined
  next: Given | undefined

  serverOptions(contract: Contract) {
    const handler = async ({ params, query, headers, cookies, body }: Seen) => {
      this.seen = { params, query, headers, cookies, body: await read(body) }
      return this.next ?? { status: 599 }
    }
    const ids = contract.operations.map(({ operationId }) => operationId)
    const accept = () => ({})
    return {
      contract,
      handlers: named(ids, () => handler) as never,
      security: named(Object.keys(contract.securitySchemes), () => accept) as never,
      errorBody: ({ code, message }: { code: string; message: string }) => ({ code, message })
    }
  }

  credentials({ securitySchemes }: Contract): object {
    const names = Object.keys(securitySchemes)
    return named(names, (name) => {
      const scheme = securitySchemes[name]
      const isBasic = scheme?.type === 'http' && scheme.scheme === 'basic'
      return isBasic ? { username: 'good', password: 'good' } : 'good'
    })
  }
}

/** Returns an object with these own members, `__proto__` included. */
function named<T>(names: readonly string[], make: (name: string) => T): Record<string, T> {
  const members: Record<string, T> = {}
  for (const name of names) Object.defineProperty(members, name, { value: make(name), enumerable: true })
  return members
}

/** Reads streams of bytes, sequences of items and uploaded files. */
export async function read(body: unknown): Promise<unknown> {
  if (body instanceof Readable) return buffer(body)
  if (typeof body !== 'object' || body === null || ArrayBuffer.isView(body)) return body
  if (Symbol.asyncIterator in body) return Array.fromAsync(body as AsyncIterable<unknown>)
  if ('bytes' in body && typeof body.bytes === 'function') return body.bytes()
  if (Array.isArray(body)) return Promise.all(body.map(read))
  const members = await Promise.all(
    Object.entries(body).map(async ([name, value]) => [name, await read(value)])
  )
  return Object.fromEntries(members)
}
