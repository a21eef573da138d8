/** Handlers that keep what they are given, and the comparison of what was sent with what was received, place by place. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { isSameValue, stringify } from '../../src/engine/json.ts'
import type { Contract } from '../../src/engine/model/compiled-contract.ts'
import type { Items } from '../../src/engine/model/value-plans.ts'
import { named } from '../contracts/drive.ts'

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

interface Comparison {
  /** True for parameters: their numbers and booleans are texts, and nothing is sent of empty lists and objects. */
  readonly isText: boolean
}

/** @returns the places with another value */
export function differing(sent: unknown, received: unknown, { isText }: Comparison, place = ''): string[] {
  if (isText && (isSameText(sent, received) || (isEmpty(sent) && isEmpty(received)))) return []
  if (received instanceof Uint8Array)
    return Buffer.from(received).toString() === textOf(sent) ? [] : difference(sent, received, place)
  if (!isObject(sent) || !isObject(received) || Array.isArray(sent) !== Array.isArray(received))
    return isSameValue(sent, received) ? [] : difference(sent, received, place)
  const names = new Set([...Object.keys(sent), ...Object.keys(received)])
  return [...names].flatMap((name) =>
    differing(memberOf(sent, name), memberOf(received, name), { isText }, `${place}/${name}`)
  )
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** A schema that allows texts and numbers makes either of `1`. */
const isSameText = (sent: unknown, received: unknown): boolean =>
  !isObject(sent) && typeof received === 'string' && String(sent) === received

const isEmpty = (value: unknown): boolean =>
  value === undefined || (isObject(value) && Object.values(value).every((member) => member === undefined))

export const textOf = (sent: unknown): string => (typeof sent === 'string' ? sent : stringify(sent))

const difference = (sent: unknown, received: unknown, place: string): string[] => [
  `${place} sent ${typeof sent} ${shown(sent)}, received ${typeof received} ${shown(received)}`
]

const memberOf = (value: object, name: string): unknown =>
  Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined

export const shown = (value: unknown): string =>
  JSON.stringify(value, (_key, item) => (typeof item === 'bigint' ? `${item}n` : item))?.slice(0, 200) ??
  'undefined'

/** Leaves out events without data, which no reader gets (WHATWG HTML, section 9.2.6). */
export const dispatched = ({ isEvent }: Items, list: unknown): readonly unknown[] =>
  (list as readonly unknown[]).filter((item) => isEvent !== true || Object.hasOwn(Object(item), 'data'))
