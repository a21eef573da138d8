/** The parameters of one request: the texts they are read from, and the values they become. */
import type { Problem } from '../errors/failure.ts'

export interface ParameterSource {
  /** Raw, still percent-encoded texts by `spec.name`. */
  readonly path: Readonly<Record<string, string | undefined>>
  /** Raw, without the question mark. */
  readonly query: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly cookie: string | undefined
}

/** Values by parameter name. */
export type Members = Readonly<Record<string, unknown>>

/** As a handler receives them. */
export interface Parameters {
  readonly params: Members
  readonly query: Members
  readonly headers: Members
  readonly cookies: Members
}

const none: Members = Object.freeze(emptyObject())

export const noParameters: Parameters = { params: none, query: none, headers: none, cookies: none }

/** All four are objects without a prototype. */
export interface DecodedParameters extends Parameters {
  readonly problems: readonly Problem[]
}

/** Reports a text that cannot be decoded at all; the message completes the sentence that the problem's place begins. */
export class UndecodableParameter extends Error {}

/** Returns an object without a prototype, in which `__proto__` is a name like any other. */
export function emptyObject(): Record<string, unknown> {
  return Object.create(null)
}
