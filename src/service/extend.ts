/** Adds what the definition of a service adds to its application. */
import { type Contract, literalRoute, type Operation } from '@contract-first/engine/server'
import type { FastifyInstance } from 'fastify'
import { docsPaths } from './docs/register.ts'
import { healthPaths } from './http/health.ts'
import { addRoutesBeside, type RouteBeside } from './http/routes-beside.ts'
import { explained, StartError } from './start-error.ts'

interface Surroundings {
  readonly contract: Pick<Contract, 'operations'>
  /** Path before all routes: `''` or `/api`. */
  readonly basePath: string
}

/**
 * Runs `extend`, and waits for its plugins.
 * @returns the routes that it has added
 * @throws {StartError} for a route that exists already, and for what Fastify refuses
 */
export async function extendApp(
  app: FastifyInstance,
  extend: () => unknown,
  { contract, basePath }: Surroundings
): Promise<readonly RouteBeside[]> {
  const base = literalRoute(basePath)
  const routes = await addRoutesBeside(app, base, () =>
    explained(async () => {
      await extend()
      await app.after()
    })
  )
  refuseCollisions(routes, contract, base)
  return routes
}

type Route = Pick<RouteBeside, 'method' | 'url'>

/**
 * Refuses routes that the contract or every service has.
 * @param base base path, in the syntax of Fastify's router
 * @throws {StartError} that names each of them
 */
function refuseCollisions(
  routes: readonly Route[],
  { operations }: Pick<Contract, 'operations'>,
  base: string
): void {
  const taken = new Map<string, string>()
  for (const path of [...docsPaths(base), ...healthPaths(base)])
    for (const method of ['GET', 'HEAD']) taken.set(keyOf({ method, url: path }), 'a route of every service')
  for (const operation of operations)
    for (const method of methodsOf(operation))
      taken.set(keyOf({ method, url: `${base}${operation.url}` }), ownerOf(operation))
  const colliding = routes.filter((route) => taken.has(keyOf(route)))
  // Fastify adds HEAD to a route of GET.
  const problems = colliding.filter((route) => !isHeadOfGet(route, colliding)).map(sentence)
  if (problems.length > 0) throw new StartError(problems)

  function sentence(route: Route): string {
    const owner = taken.get(keyOf(route))
    return `extend adds ${route.method} ${route.url}, which is ${owner}: remove it, or give it another path`
  }
}

const methodsOf = ({ method }: Operation): readonly string[] =>
  method === 'GET' ? ['GET', 'HEAD'] : [method]

const ownerOf = ({ operationId, method, path }: Operation): string =>
  `the operation ${operationId} of the contract (${method} ${path})`

const isHeadOfGet = ({ method, url }: Route, routes: readonly Route[]): boolean =>
  method === 'HEAD' && routes.some((route) => route.method === 'GET' && route.url === url)

/** Parameter of a route with its pattern and its mark of an optional one, or an escaped colon. */
const parameter = /::|:\w+(?:\((?:[^()\\]|\\.|\([^()]*\))*\))?\??/g

/** Returns the same text for routes that differ in the names or patterns of their parameters, or in constraints. */
function keyOf({ method, url }: Route): string {
  return `${method} ${url.replaceAll(parameter, (text) => (text === '::' ? text : ':'))}`
}
