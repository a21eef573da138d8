/** Checks that every security requirement names a declared scheme (OpenAPI 3.1.0, section 4.8.30). */
import { arrayOf, type Json, type JsonObject, objectOf, own } from '../document/json-value.ts'
import type { OperationNode } from '../document/operation-objects.ts'
import { dereference } from '../document/reference.ts'
import { contractNodes } from '../document/walk.ts'
import type { Reporter } from './reporter.ts'

/** Reports an error where the requirement is enforced, a warning in webhooks and callbacks, which are not served. */
export function checkSecurity(
  document: JsonObject,
  operations: readonly OperationNode[],
  { error, warn }: Reporter
): void {
  const served = new Set([document, ...operations.map(({ node }) => node)])
  for (const node of served) checkRequirements(own(node, 'security'), document, error)
  for (const { node, names } of contractNodes(document))
    if (names === undefined && !served.has(node)) checkRequirements(own(node, 'security'), document, warn)
}

function checkRequirements(value: Json | undefined, document: JsonObject, report: Reporter['error']): void {
  const schemes = objectOf(own(objectOf(own(document, 'components')), 'securitySchemes'))
  for (const requirement of arrayOf(value))
    for (const name of Object.keys(objectOf(requirement)))
      if (dereference(document, own(schemes, name)) === undefined)
        report(`security scheme ${name} is not declared in components/securitySchemes`, requirement, name)
}
