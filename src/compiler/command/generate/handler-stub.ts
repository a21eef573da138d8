/** Writes a handler that type-checks, boots and answers 501, to be replaced by the real one. */
import type { Operation } from '@contract-first/engine/server'
import { fileName, identifier, numberedFile, numberedIdentifier, UniqueNames } from '../../source/names.ts'
import { commentText, keyOf, quoted } from '../../source/values.ts'

export interface Stub {
  readonly operation: Operation
  /** File name in the folder of the handlers. */
  readonly file: string
  /** Name of the function that makes the handler. */
  readonly name: string
  /** The operationId as a property name in source code. */
  readonly key: string
  readonly text: string
}

/** Names that the wiring uses. */
export interface Taken {
  readonly identifiers: Iterable<string>
  /** Files of other handlers, without `.ts`. */
  readonly files: Iterable<string>
}

export function stubFor(operation: Operation, taken: Taken): Stub {
  const { operationId, method, path } = operation
  const name = new UniqueNames(taken.identifiers).take(
    identifier(operationId, 'operation'),
    numberedIdentifier
  )
  const file = new UniqueNames(taken.files).take(fileName(operationId, 'operation'), numberedFile)
  const text = `/** ${commentText(`${method} ${path}`)} */
import { FailureError } from '@contract-first/engine/errors'
import type { Handlers } from '../../generated/types.ts'

/** Answers 501 until it is written. */
export function ${name}(): Handlers[${quoted(operationId)}] {
  return async () => {
    throw new FailureError('not-implemented')
  }
}
`
  return { operation, file: `${file}.ts`, name, key: keyOf(operationId), text }
}
