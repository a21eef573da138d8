/** The operation of a request, as handlers see it. */
import type { Operation } from '../../model/compiled-contract.ts'
import type { DeclaredOperation } from '../../model/contract-types.ts'

export type HandlerOperation = DeclaredOperation<string, string, string>

const known = new WeakMap<Operation, HandlerOperation>()

/** Returns one object for all requests of an operation; it is frozen with all that it holds. */
export function handlerOperation(operation: Operation): HandlerOperation {
  const made = known.get(operation) ?? frozen(described(operation))
  known.set(operation, made)
  return made
}

function described({ operationId, method, path, tags = [], extensions = {} }: Operation): HandlerOperation {
  return { operationId, method, path, tags, extensions }
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  Object.values(value).forEach(frozen)
  return Object.freeze(value)
}
