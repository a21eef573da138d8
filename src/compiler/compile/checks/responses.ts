/** Checks the responses that an operation declares (OpenAPI 3.1.0, section 4.8.16). */
import { objectOf, own } from '../document/json-value.ts'
import { isStatus, type OperationNode } from '../document/operation-objects.ts'
import type { Reporter } from './reporter.ts'

/** Fields of a Response Object: among the statuses they indicate a wrongly indented response. */
const fields: ReadonlySet<string> = new Set(['description', 'headers', 'content', 'links'])

export function checkResponses({ method, path, node }: OperationNode, { error, warn }: Reporter): void {
  const responses = own(node, 'responses')
  const names = Object.keys(objectOf(responses)).filter((name) => !name.startsWith('x-'))
  for (const name of names.filter((other) => !isStatus(other))) {
    if (fields.has(name))
      error(`${name} stands among the statuses; it belongs into a response`, responses, name)
    else warn(`${method} ${path} cannot answer with status ${name}`, responses, name)
  }
  const message = `${method} ${path} declares no response: whatever its handler returns, the answer is 500`
  if (!names.some(isStatus)) warn(message, node, 'responses')
}
