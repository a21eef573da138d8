/** Parameters of one request: their texts and their decoded values. */
import type { Problem } from '../errors/failure.ts'

export interface ParameterSource {
  /** Percent-encoded texts by `spec.name`. */
  readonly path: Readonly<Record<string, string | undefined>>
  /** Percent-encoded query without the question mark. */
  readonly query: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly cookie: string | undefined
}

/** Values by parameter name. */
export type Members = Readonly<Record<string, unknown>>

/** Parameters as a handler receives them. */
export interface Parameters {
  readonly params: Members
  /** Members; of an operation with one parameter for the whole query its value, undefined without a query. */
  readonly query: Members
  readonly headers: Members
  readonly cookies: Members
}

const none: Members = Object.freeze(emptyObject())

export const noParameters: Parameters = { params: none, query: none, headers: none, cookies: none }

/** Decoded parameters; all four objects have no prototype. */
export interface DecodedParameters extends Parameters {
  readonly problems: readonly Problem[]
}

/** Error for a text that cannot be decoded; the message is the predicate to the place of the problem. */
export class UndecodableParameter extends Error {}

/** Returns an object without a prototype, in which `__proto__` is a name like any other. */
export function emptyObject(): Record<string, unknown> {
  return Object.create(null)
}
