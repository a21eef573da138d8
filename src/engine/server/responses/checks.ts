/** Checks and serializers of responses, from the compiled code of a contract. */

import type { FastifyRequest } from 'fastify'
import type { CompiledCode } from '../../model/compiled-contract.ts'
import { wireValues } from '../../runtime/wire-values.ts'
import { problemsOf, sentence } from '../errors/validation-problems.ts'

/** Response that a handler returns. */
export interface HandlerResponse {
  readonly status: number
  /** Body: for JSON a value; for text a string; for every other media type a string, bytes, or a stream of bytes. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, unknown>>
}

/** Callback for every response of a handler with a status of 400 or above, when it is sent. Its errors are logged. */
export type OnErrorResponse = (response: HandlerResponse, request: FastifyRequest) => unknown

/** Serializer; every JSON content of a compiled contract has one. */
type Serializer = CompiledCode['serializers'][string]

export interface Checks {
  /**
   * Validates a value.
   * @throws {Error} that names `part` and lists the problems of the value
   */
  readonly check: (validator: string | undefined, value: unknown, part: string) => void
  /** Writes values of the classes of formats as texts. */
  readonly wire: (value: unknown) => unknown
  readonly accepts: (validator: string | undefined, value: unknown) => boolean
  /** Returns the problems of the value that a validator has refused last, as a sentence. */
  readonly problems: (validator: string | undefined, place: string) => string
  /**
   * Writes the declared properties of a value as JSON.
   * @throws {Error} for a value that JSON cannot represent
   */
  readonly serialize: (serializer: string | undefined, value: unknown) => string
}

/** Most problems of a response in the line of the log. */
const maxListed = 10

export function checks({ validators, serializers, formats }: CompiledCode): Checks {
  const wire = wireValues(formats) ?? ((value: unknown) => value)
  const accepts: Checks['accepts'] = (name, value) => validators[String(name)]?.(value) !== false
  const problems: Checks['problems'] = (name, place) => {
    const found = problemsOf(validators[String(name)]?.errors, place)
    return sentence(found.slice(0, maxListed), Math.max(0, found.length - maxListed))
  }
  return {
    wire,
    accepts,
    problems,
    check(name, value, part) {
      if (validators[String(name)]?.(value) !== false) return
      throw new Error(`${part}: ${problems(name, 'body')}`)
    },
    serialize: (name, value) => (serializers[String(name)] as Serializer)(value)
  }
}
