/** Compares a value that was sent with the one that was received, place by place. */
import { isSameValue, stringify } from '../../src/engine/json.ts'
import type { Items } from '../../src/engine/model/value-plans.ts'

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
