/** Warns of operations that a cookie alone authenticates: browsers add it to requests of any page. */
import { type JsonObject, objectOf, own } from '../document/json-value.ts'
import { type OperationNode, securityOf } from '../document/operation-objects.ts'
import { resolved } from '../document/reference.ts'
import type { Reporter } from './reporter.ts'

/** Methods that change nothing (RFC 9110, section 9.2.1), and QUERY. */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY'])

/**
 * Warns once for each unsafe operation. A further scheme that browsers do not add by themselves, such as a key in a
 * header, is a defence. Basic and client certificates are not named: clients that use them are rarely pages.
 */
export function checkCookies(
  document: JsonObject,
  operations: readonly OperationNode[],
  { warn }: Reporter
): void {
  const schemes = objectOf(own(objectOf(own(document, 'components')), 'securitySchemes'))
  for (const { path, method, node } of operations) {
    if (safeMethods.has(method)) continue
    const alternatives = securityOf(own(node, 'security') ?? own(document, 'security'))
    const cookie = alternatives
      .map((all) => all.map(({ scheme }) => resolved(document, own(schemes, scheme))))
      .find((all) => all.some(isCookie) && all.every(isAmbient))
      ?.find(isCookie)
    if (cookie === undefined) continue
    warn(
      `operation ${String(own(node, 'operationId'))} (${method} ${path}) is open to requests of other sites: browsers add the cookie ${String(own(cookie, 'name'))} to them; serve it with refuseCrossSite, or require a second scheme beside the cookie, such as an apiKey in a header`,
      node,
      'security'
    )
  }
}

const isCookie = (scheme: JsonObject): boolean =>
  own(scheme, 'type') === 'apiKey' && own(scheme, 'in') === 'cookie'

/** Returns true for credentials that browsers add by themselves. */
function isAmbient(scheme: JsonObject): boolean {
  const [type, name] = [own(scheme, 'type'), String(own(scheme, 'scheme')).toLowerCase()]
  return isCookie(scheme) || type === 'mutualTLS' || (type === 'http' && name !== 'bearer')
}
