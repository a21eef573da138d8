/** Checks operationIds: they name the handlers, so that each must be unique (load/ names operations without one). */
import { own } from '../document/json-value.ts'
import type { OperationNode } from '../document/operation-objects.ts'
import type { Reporter } from './reporter.ts'

export function checkOperationIds(operations: readonly OperationNode[], { error }: Reporter): void {
  const seen = new Map<string, OperationNode>()
  for (const operation of operations) {
    const { node } = operation
    const id = String(own(node, 'operationId'))
    const earlier = seen.get(id)
    if (earlier === undefined) seen.set(id, operation)
    else {
      const other = `${earlier.method} ${earlier.path}`
      error(`operationId ${id} is used twice: by ${other} too`, node, 'operationId')
    }
  }
}
