/**
 * Checks that every security requirement names a declared scheme (OpenAPI 3.1.0, section 4.8.30), and names operations
 * that a cookie alone authenticates: browsers add it to requests of any page.
 */
import { didYouMean } from '../diagnostics/spelling.ts'
import type { OperationNode } from '../document/operation-objects.ts'
import { componentsOf, dereference, resolved } from '../document/reference.ts'
import { arrayOf, type Json, type JsonObject, objectOf, own } from '../model/json.ts'
import type { Reporter } from './reporter.ts'

interface Requirement {
  readonly name: string
  readonly requirement: Json
}

/** Reports an error when the requirement is enforced, a warning in webhooks and callbacks, which are not served. */
export function checkSecurity(
  document: JsonObject,
  operations: readonly OperationNode[],
  { error, warn, nodes }: Reporter
): void {
  const schemes = componentsOf(document, 'securitySchemes')
  const names = Object.keys(schemes)
  const served = new Set([document, ...operations.map(({ node }) => node)])
  const isMissing = ({ name }: Requirement) => dereference(document, own(schemes, name)) === undefined
  const byName = (all: readonly Requirement[]) => Map.groupBy(all.filter(isMissing), ({ name }) => name)
  const required = requirementsOf([...served])
  const missing = byName(required)
  for (const found of missing.values()) reportOnce(found, names, error)
  for (const [name, found] of byName(
    requirementsOf(
      nodes.flatMap(({ node, names }) => (names === undefined && !served.has(node) ? [node] : []))
    )
  ))
    if (!missing.has(name)) reportOnce(found, names, warn)
  // An undeclared name may be a misspelling of a scheme that seems unused.
  if (missing.size > 0) return
  const used = new Set(required.map(({ name }) => name))
  for (const name of names.filter((scheme) => !used.has(scheme)))
    warn(`security scheme ${name} is required by no operation: it has no handler`, schemes, name)
}

const requirementsOf = (owners: readonly JsonObject[]): Requirement[] =>
  owners
    .flatMap((owner) => arrayOf(own(owner, 'security')))
    .flatMap((requirement) => Object.keys(objectOf(requirement)).map((name) => ({ name, requirement })))

/** Reports a scheme at the first requirement that names it. */
function reportOnce(
  found: readonly Requirement[],
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

/** Reports scopes that their scheme does not declare. */
export function checkScopes(document: JsonObject, { warn, nodes }: Reporter): void {
  const schemes = componentsOf(document, 'securitySchemes')
  const owners = nodes.flatMap(({ node, names }) => (names === undefined ? [node] : []))
  for (const { name, requirement } of requirementsOf(owners)) {
    const scheme = resolved(document, own(schemes, name))
    const flows = Object.values(objectOf(own(scheme, 'flows'))).map(objectOf)
    const declared = flows.flatMap((flow) => Object.keys(objectOf(own(flow, 'scopes'))))
    if (own(scheme, 'type') !== 'oauth2') continue
    const scopes = own(objectOf(requirement), name)
    for (const [index, scope] of arrayOf(scopes).map(String).entries())
      if (!declared.includes(scope))
        warn(
          `security scheme ${name} has no scope ${scope}${didYouMean(scope, declared)}`,
          scopes,
          String(index)
        )
  }
}

/** Warns of requirements that need several credentials in `Authorization`, which has one value (RFC 9110, section 11.6.2). */
export function checkSharedHeader(document: JsonObject, { warn, nodes }: Reporter): void {
  const schemes = componentsOf(document, 'securitySchemes')
  const isShared = (name: string) => isAuthorization(resolved(document, own(schemes, name)))
  const owners = nodes.flatMap(({ node, names }) => (names === undefined ? [node] : []))
  const requirements = owners.flatMap((owner) => arrayOf(own(owner, 'security'))).map(objectOf)
  for (const requirement of requirements) {
    const [first, ...others] = Object.keys(requirement).filter(isShared)
    if (first === undefined || others.length === 0) continue
    warn(
      `security schemes ${[first, ...others].join(' and ')} are required together, and each is the header Authorization: no request can carry both; make them alternatives, or move one to another header`,
      requirement,
      first
    )
  }
}

/** Returns true for a scheme whose credential is the header `Authorization`. */
function isAuthorization(scheme: JsonObject): boolean {
  if (own(scheme, 'type') !== 'apiKey')
    return ['http', 'oauth2', 'openIdConnect'].includes(String(own(scheme, 'type')))
  return own(scheme, 'in') === 'header' && String(own(scheme, 'name')).toLowerCase() === 'authorization'
}

/** Returns the alternatives of an operation, each a list of schemes that must all be satisfied. */
export function schemesOf(operation: JsonObject, document: JsonObject): JsonObject[][] {
  const schemes = componentsOf(document, 'securitySchemes')
  return arrayOf(own(operation, 'security') ?? own(document, 'security')).map((requirement) =>
    Object.keys(objectOf(requirement)).map((name) => resolved(document, own(schemes, name)))
  )
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
  for (const { path, method, node } of operations) {
    if (safeMethods.has(method)) continue
    const cookie = schemesOf(node, document)
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
