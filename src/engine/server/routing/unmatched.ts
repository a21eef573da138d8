/** Answers paths and methods that are not in the contract (RFC 9110, sections 15.5.5 and 15.5.6). */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Contract } from '../../model/compiled-contract.ts'
import { FailureError } from '../errors/failure.ts'
import { pathMatcher } from './path-matcher.ts'
import { normalizePath, pathOf } from './request-target.ts'

/**
 * The target of a CONNECT is another server, so that its 405 lists all methods of the contract.
 * @returns a function that throws 405 with `Allow` for a known path, and 404 for any other
 */
export function refuseUnmatched(
  app: FastifyInstance,
  { operations }: Contract,
  basePath: string
): (request: FastifyRequest) => never {
  const others = routesBeside(app)
  const matchers = operations.map(({ method, path }) => ({ method, matches: pathMatcher(path) }))
  return ({ method, raw }) => {
    if (method === 'CONNECT')
      throw notAllowed(method, new Set(operations.map((operation) => operation.method)))
    const path = normalizePath(pathOf(String(raw.url)))
    const relative = path.startsWith(basePath) ? path.slice(basePath.length) : ''
    const allowed = new Set(
      matchers.filter(({ matches }) => matches(relative) !== undefined).map((matcher) => matcher.method)
    )
    for (const other of others.get(path) ?? []) allowed.add(other)
    if (allowed.size === 0) throw new FailureError('not-found')
    throw notAllowed(method, allowed)
  }
}

function notAllowed(method: string, allowed: Set<string>): FailureError {
  if (allowed.has('GET')) allowed.add('HEAD')
  const allow = [...allowed].sort().join(', ')
  return new FailureError('method-not-allowed', {
    message: `method ${method} is not allowed here; allowed: ${allow}`,
    headers: { allow }
  })
}

/** Collects the methods of routes outside the contract by path; must be called before they are registered. */
function routesBeside(app: FastifyInstance): ReadonlyMap<string, ReadonlySet<string>> {
  const routes = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.operation === undefined)
      routes.set(url, new Set([...(routes.get(url) ?? []), ...[method].flat()]))
  })
  return routes
}
