/** Paths and methods that are not in the contract (RFC 9110, sections 15.5.5 and 15.5.6). */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Contract } from './contract.ts'
import { FailureError } from './failure.ts'
import { pathMatcher, pathOf } from './path.ts'

/** A path that is there with a method that is not is 405 with `Allow`, any other path 404. */
export function notFound(
  app: FastifyInstance,
  { operations }: Contract,
  basePath: string
): (request: FastifyRequest) => never {
  const matchers = operations.map(({ method, path }) => ({ method, matches: pathMatcher(path) }))
  return ({ method, raw }) => {
    const path = decoded(pathOf(raw.url ?? ''))
    const inside = path.startsWith(basePath) ? path.slice(basePath.length) : ''
    const allowed = new Set(
      matchers.filter(({ matches }) => matches(inside) !== undefined).map((matcher) => matcher.method)
    )
    // Beside the contract: the service's own pages.
    if (app.hasRoute({ method: 'GET', url: path })) allowed.add('GET')
    if (allowed.size === 0) throw new FailureError('not-found')
    if (allowed.has('GET')) allowed.add('HEAD')
    const allow = [...allowed].sort().join(', ')
    throw new FailureError('method-not-allowed', {
      message: `method ${method} is not allowed here; allowed: ${allow}`,
      headers: { allow }
    })
  }
}

/** As the router does: `%70` is a letter, `%2F` is no slash (RFC 3986, section 6.2.2.2). */
function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
