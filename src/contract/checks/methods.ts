/** Checks the operations of further methods (OpenAPI 3.2.0, section 4.9): those that no server on Node can receive. */
import { METHODS } from 'node:http'
import { methods } from '../build/operations.ts'
import { additional, type OperationNode } from '../document/operation-objects.ts'
import type { Reporter } from './reporter.ts'

export function checkMethods(operations: readonly OperationNode[], { error, nodes }: Reporter): void {
  for (const { node, names } of nodes)
    for (const method of names === additional ? Object.keys(node) : []) {
      const field = fieldOf(method)
      if (field !== undefined)
        error(`${method} is no additional operation: write it as \`${field}\` of the path`, node, method)
    }
  for (const { at, method, path, node } of operations) {
    const reason = at[0] === additional && fieldOf(method) === undefined ? unreadable(method) : undefined
    if (reason !== undefined) error(`${method} ${path} cannot be served: ${reason}`, node)
  }
}

const fieldOf = (method: string) => methods.find((field) => field === method.toLowerCase())

/** Returns the reason for which Node gives no request of the method to a route. */
function unreadable(method: string): string | undefined {
  if (method === 'CONNECT') return 'it asks for a tunnel to another server, which is no route'
  if (METHODS.includes(method)) return undefined
  const meant = METHODS.find((known) => known === method.toUpperCase())
  return meant === undefined
    ? 'the HTTP parser of Node refuses this method'
    : `methods are case-sensitive, and the HTTP parser of Node reads ${meant} only`
}
