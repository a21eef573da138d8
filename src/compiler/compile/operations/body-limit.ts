/** Reads the largest body of an operation from the extension `x-body-limit`. */
import { type Json, type JsonObject, own } from '../document/json-value.ts'

export const bodyLimitKey = 'x-body-limit'

export interface BodyLimit {
  readonly value: Json
  /** Object that sets the limit. */
  readonly node: JsonObject
}

/** @param nodes objects that may set the limit, the most specific one first */
export function bodyLimitOf(nodes: readonly JsonObject[]): BodyLimit | undefined {
  const node = nodes.find((candidate) => own(candidate, bodyLimitKey) !== undefined)
  return node === undefined ? undefined : { value: own(node, bodyLimitKey) ?? null, node }
}

export function isBodyLimit(value: Json): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0
}
