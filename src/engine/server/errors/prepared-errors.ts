/** Error bodies that are made at boot, and sent where `errorBody` fails for a request. */
import type { Operation } from '../../model/compiled-contract.ts'
import type { WrittenError } from './error-text.ts'
import type { Failure, FailureCode } from './failure.ts'

type Bodies = Map<FailureCode | number, WrittenError>

export class PreparedErrors {
  readonly #byOperation = new Map<Operation | undefined, Bodies>()
  /** Bodies by their texts: operations with the same errors share them. */
  readonly #byText = new Map<string, Bodies>()

  /** Keeps the bodies of an operation: one for each failure, and the first of each status for the others of it. */
  add(operation: Operation | undefined, made: readonly (readonly [Failure, WrittenError])[]): void {
    const bodies: Bodies = new Map()
    for (const [{ code, status }, written] of made) {
      bodies.set(code, written)
      if (!bodies.has(status)) bodies.set(status, written)
    }
    const text = made.map(([{ code }, { text, mediaType }]) => `${code} ${mediaType} ${text}`).join('\n')
    const known = this.#byText.get(text) ?? bodies
    this.#byText.set(text, known)
    this.#byOperation.set(operation, known)
  }

  /** Returns the body for a failure, or for another one of its status; undefined without one. */
  of({ code, status }: Failure, operation: Operation | undefined): WrittenError | undefined {
    const bodies = this.#byOperation.get(operation)
    return bodies?.get(code) ?? bodies?.get(status)
  }
}
