/** What an answer of a handler is held against: the compiled code of its contract. */
import type { CompiledCode } from '../../model/compiled-contract.ts'
import { problemsOf, sentence } from '../errors/validation-problems.ts'

/** Every JSON content of a compiled contract has one. */
type Serializer = CompiledCode['serializers'][string]

export interface Checks {
  /** @throws with what is wrong */
  readonly check: (validator: string | undefined, value: unknown, what: string) => void
  readonly accepts: (validator: string | undefined, value: unknown) => boolean
  /** JSON, with only what the schema declares. @throws where the value can not be written */
  readonly serialize: (serializer: string | undefined, value: unknown) => string
}

export function checks({ validators, serializers }: CompiledCode): Checks {
  const accepts: Checks['accepts'] = (name, value) =>
    validators[String(name)]?.call(undefined, value) !== false
  return {
    accepts,
    check(name, value, what) {
      if (accepts(name, value)) return
      throw new Error(`${what}: ${sentence(problemsOf(validators[String(name)]?.errors, 'body'), 0)}`)
    },
    serialize: (name, value) => (serializers[String(name)] as Serializer)(value)
  }
}
