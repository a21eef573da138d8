/**
 * Checks that every security requirement names a declared scheme (OpenAPI 3.1.0, section 4.8.30), and names operations
 * that a cookie alone authenticates: browsers add it to requests of any page.
 */
import { isHeaderName } from '@contract-first/engine/model'
import { didYouMean } from '../diagnostics/spelling.ts'
import type { Contract, Operation, Security, SecurityRequirement, SecurityScheme } from '../model/contract.ts'
import type { Reporter } from './reporter.ts'

export function checkSecurity(contract: Contract, reporter: Reporter): void {
  const { operations, security } = contract
  const served = new Set([...security, ...operations.flatMap((each) => each.security)])
  const sent = contract.sent.flatMap((each) => each.security)
  checkSchemes(contract, [...served].flat(), sent.flat(), reporter)
  for (const alternative of [...served, ...sent]) {
    for (const requirement of alternative) checkScopes(requirement, reporter)
    checkSharedHeader(alternative, reporter)
  }
  for (const operation of operations) checkCookie(operation, reporter)
}

function checkSchemes(
  { components, origin }: Contract,
  served: readonly SecurityRequirement[],
  sent: readonly SecurityRequirement[],
  { error, warn }: Reporter
): void {
  const declared = components.securitySchemes
  const isMissing = ({ scheme }: SecurityRequirement) => !declared.has(scheme.key)
  const missing = Map.groupBy([...served, ...sent].filter(isMissing), ({ scheme }) => scheme.key)
  const used = new Set(served.map(({ scheme }) => scheme.key))
  for (const [name, found] of missing) {
    // Webhooks and callbacks are not served: nothing enforces what they require.
    const [report, counted] = used.has(name)
      ? [error, found.filter((each) => served.includes(each))]
      : [warn, found]
    const count = counted.length === 1 ? '' : `; ${counted.length} requirements name it`
    const message = `security scheme ${name} is not declared in components/securitySchemes${count}`
    for (const first of counted.slice(0, 1)) report(message + didYouMean(name, declared.keys()), first.origin)
  }
  // An undeclared name may be a misspelling of a scheme that seems unused.
  if (used.isSubsetOf(declared))
    for (const name of new Set(declared.keys()).difference(used)) {
      const message = `security scheme ${name} is required by no operation: it has no handler`
      warn(message, origin.at('components', 'securitySchemes', name))
    }
  for (const { type, in: place, parameter = 'a', origin } of declared.values())
    if (type === 'apiKey' && place === 'header' && !isHeaderName(parameter))
      warn(`${parameter} is no name of a header: no request can carry this key`, origin.at('name'))
}

/** Reports scopes that their scheme does not declare. */
function checkScopes({ scheme, scopes, origin }: SecurityRequirement, { warn }: Reporter): void {
  if (scheme.type !== 'oauth2') return
  const declared = [...scheme.flows.values()].flatMap((flow) => [...flow.scopes.keys()])
  for (const [index, scope] of scopes.entries())
    if (!declared.includes(scope)) {
      const message = `security scheme ${scheme.key} has no scope ${scope}${didYouMean(scope, declared)}`
      warn(message, origin.at(String(index)))
    }
}

/** Warns of requirements that need several credentials in `Authorization`, which has one value (RFC 9110, section 11.6.2). */
function checkSharedHeader(alternative: Security[number], { warn }: Reporter): void {
  const [first, ...others] = alternative.filter(({ scheme }) => isAuthorization(scheme))
  if (first === undefined || others.length === 0) return
  const names = [first, ...others].map(({ scheme }) => scheme.key).join(' and ')
  warn(
    `security schemes ${names} are required together, and each is the header Authorization: no request can carry both; make them alternatives, or move one to another header`,
    first.origin
  )
}

/** Returns true for a scheme whose credential is the header `Authorization`. */
const isAuthorization = ({ type, in: place, parameter }: SecurityScheme): boolean =>
  ['http', 'oauth2', 'openIdConnect'].includes(type) ||
  (type === 'apiKey' && place === 'header' && parameter?.toLowerCase() === 'authorization')

/** Methods that change nothing (RFC 9110, section 9.2.1), and QUERY. */
const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY'])

/**
 * Warns of an unsafe operation. A further scheme that browsers do not add by themselves, such as a key in a header, is a
 * defence. Basic and client certificates are not named: clients that use them are rarely pages.
 */
function checkCookie({ id, method, path, security, origin }: Operation, { warn }: Reporter): void {
  if (safeMethods.has(method)) return
  const cookie = security
    .map((alternative) => alternative.map(({ scheme }) => scheme))
    .find((schemes) => schemes.some(isCookie) && schemes.every(isAmbient))
    ?.find(isCookie)
  if (cookie === undefined) return
  warn(
    `operation ${id} (${method} ${path}) is open to requests of other sites: browsers add the cookie ${cookie.parameter} to them; serve it with refuseCrossSite, or require a second scheme beside the cookie, such as an apiKey in a header`,
    origin.at('security')
  )
}

const isCookie = ({ type, in: place }: SecurityScheme): boolean => type === 'apiKey' && place === 'cookie'

/** Returns true for credentials that browsers add by themselves. */
const isAmbient = (each: SecurityScheme): boolean =>
  isCookie(each) ||
  each.type === 'mutualTLS' ||
  (each.type === 'http' && each.scheme?.toLowerCase() !== 'bearer')
