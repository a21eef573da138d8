/** Checks and serializers of responses, from the compiled code of a contract. */
import type { CompiledCode } from '../../model/compiled-contract.ts'
import { problemsOf, sentence } from '../errors/validation-problems.ts'

/** Serializer; every JSON content of a compiled contract has one. */
type Serializer = CompiledCode['serializers'][string]

export interface Checks {
  /**
   * Validates a value.
   * @throws {Error} that names `part` and lists the problems of the value
   */
  readonly check: (validator: string | undefined, value: unknown, part: string) => void
  readonly accepts: (validator: string | undefined, value: unknown) => boolean
  /**
   * Writes the declared properties of a value as JSON.
   * @throws {Error} for a value that JSON cannot represent
   */
  readonly serialize: (serializer: string | undefined, value: unknown) => string
}

export function checks({ validators, serializers }: CompiledCode): Checks {
  const accepts: Checks['accepts'] = (name, value) =>
    validators[String(name)]?.call(undefined, value) !== false
  return {
    accepts,
    check(name, value, part) {
      if (accepts(name, value)) return
      throw new Error(`${part}: ${sentence(problemsOf(validators[String(name)]?.errors, 'body'), 0)}`)
    },
    serialize: (name, value) => (serializers[String(name)] as Serializer)(value)
  }
}
