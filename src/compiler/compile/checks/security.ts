/**
 * Checks that every security requirement names a declared scheme (OpenAPI 3.1.0, section 4.8.30), and names operations
 * that a cookie alone authenticates: browsers add it to requests of any page.
 */
import { arrayOf, type Json, type JsonObject, objectOf, own } from '../document/json-value.ts'
import { type OperationNode, securityOf } from '../document/operation-objects.ts'
import { componentsOf, dereference, resolved } from '../document/reference.ts'
import { contractNodes } from '../document/walk.ts'
import { didYouMean } from '../load/near-miss.ts'
import type { Reporter } from './reporter.ts'

/** Reports an error when the requirement is enforced, a warning in webhooks and callbacks, which are not served. */
export function checkSecurity(
  document: JsonObject,
  operations: readonly OperationNode[],
  { error, warn }: Reporter
): void {
  const served = new Set([document, ...operations.map(({ node }) => node)])
  const others = [...contractNodes(document)].filter(
    ({ node, names }) => names === undefined && !served.has(node)
  )
  const missing = undeclared([...served], document)
  const schemes = Object.keys(componentsOf(document, 'securitySchemes'))
  for (const found of missing.values()) reportOnce(found, schemes, error)
  for (const [name, found] of undeclared(
    others.map(({ node }) => node),
    document
  ))
    if (!missing.has(name)) reportOnce(found, schemes, warn)
  if (missing.size === 0) checkUnused(document, served, warn)
}

/** Warns about schemes that no operation requires, because an undeclared name may be a misspelling of one. */
function checkUnused(document: JsonObject, served: ReadonlySet<JsonObject>, warn: Reporter['warn']): void {
  const schemes = componentsOf(document, 'securitySchemes')
  const requirements = [...served].flatMap((owner) => arrayOf(own(owner, 'security')))
  const required = new Set(requirements.flatMap((requirement) => Object.keys(objectOf(requirement))))
  for (const name of Object.keys(schemes).filter((scheme) => !required.has(scheme)))
    warn(`security scheme ${name} is required by no operation: it has no handler`, schemes, name)
}

interface Undeclared {
  readonly name: string
  readonly requirement: Json
}

/** Returns the requirements of undeclared schemes by the scheme's name. */
function undeclared(owners: readonly JsonObject[], document: JsonObject): Map<string, Undeclared[]> {
  const schemes = componentsOf(document, 'securitySchemes')
  const named = owners
    .flatMap((owner) => arrayOf(own(owner, 'security')))
    .flatMap((requirement) => Object.keys(objectOf(requirement)).map((name) => ({ name, requirement })))
  const isMissing = (name: string) => dereference(document, own(schemes, name)) === undefined
  return Map.groupBy(
    named.filter(({ name }) => isMissing(name)),
    ({ name }) => name
  )
}

/** Reports a scheme at the first requirement that names it. */
function reportOnce(
  found: readonly Undeclared[],
  schemes: readonly string[],
  report: Reporter['error']
): void {
  for (const { name, requirement } of found.slice(0, 1)) {
    const others = found.length === 1 ? '' : `; ${found.length} requirements name it`
    report(
      `security scheme ${name} is not declared in components/securitySchemes${others}${didYouMean(name, schemes)}`,
      requirement,
      name
    )
  }
}

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
  const schemes = componentsOf(document, 'securitySchemes')
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
