/** Checks the statuses that an operation declares (OpenAPI 3.1.0, section 4.8.16). */
import { objectOf, own } from '../document/json-value.ts'
import { isStatus, type OperationNode } from '../document/operation-objects.ts'
import type { Reporter } from './reporter.ts'

export function checkStatuses({ method, path, node }: OperationNode, { warn }: Reporter): void {
  const responses = own(node, 'responses')
  for (const status of Object.keys(objectOf(responses)))
    if (!status.startsWith('x-') && !isStatus(status))
      warn(`${method} ${path} cannot answer with status ${status}`, responses, status)
}
