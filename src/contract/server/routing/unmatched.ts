/** Paths and methods that are not in the contract (RFC 9110, sections 15.5.5 and 15.5.6). */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Contract } from '../../model/compiled-contract.ts'
import { FailureError } from '../errors/failure.ts'
import { pathMatcher, pathOf, uniform } from './path-matcher.ts'

/** A path that is there with a method that is not is 405 with `Allow`, any other path 404. */
export function notFound(
  app: FastifyInstance,
  { operations }: Contract,
  basePath: string
): (request: FastifyRequest) => never {
  const pages = pagesBeside(app)
  const matchers = operations.map(({ method, path }) => ({ method, matches: pathMatcher(path) }))
  return ({ method, raw }) => {
    const path = uniform(pathOf(String(raw.url)))
    const inside = path.startsWith(basePath) ? path.slice(basePath.length) : ''
    const allowed = new Set(
      matchers.filter(({ matches }) => matches(inside) !== undefined).map((matcher) => matcher.method)
    )
    for (const own of pages.get(path) ?? []) allowed.add(own)
    if (allowed.size === 0) throw new FailureError('not-found')
    if (allowed.has('GET')) allowed.add('HEAD')
    const allow = [...allowed].sort().join(', ')
    throw new FailureError('method-not-allowed', {
      message: `method ${method} is not allowed here; allowed: ${allow}`,
      headers: { allow }
    })
  }
}

/** Methods of the service's own pages by path: to be asked before they are registered. */
function pagesBeside(app: FastifyInstance): ReadonlyMap<string, ReadonlySet<string>> {
  const pages = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.operation === undefined)
      pages.set(url, new Set([...(pages.get(url) ?? []), ...[method].flat()]))
  })
  return pages
}
