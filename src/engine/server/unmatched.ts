/** Answers paths and methods that are not in the contract (RFC 9110, sections 15.5.5 and 15.5.6). */
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Contract } from '../model/compiled-contract.ts'
import type { ErrorHandler } from './errors/error-handler.ts'
import { FailureError } from './errors/failure.ts'
import { joinPaths, normalizePath, pathMatcher, pathOf } from './parameters/request-path.ts'

/** Returns 405 with `Allow` for a path of the contract or of a route beside it, and 404 for any other. */
export type FindFailure = (request: FastifyRequest) => FailureError

/** Prefix of the routes of a contract. */
export interface Prefix {
  /** In the syntax of Fastify's router: `/:tenant`. */
  readonly pattern: string
  /** In the syntax of OpenAPI: `/{tenant}`. */
  readonly template: string
}

export function unmatchedFinder(app: FastifyInstance, { operations }: Contract, prefix: Prefix): FindFailure {
  const others = routesBeside(app)
  const urlsOf = urlFinder(operations, prefix)
  const methodsOf = (url: string) => app.supportedMethods.filter((method) => app.hasRoute({ method, url }))
  return ({ method, raw }) => {
    const path = normalizePath(pathOf(String(raw.url)))
    const allowed = new Set([...[...urlsOf(path)].flatMap(methodsOf), ...(others.get(path) ?? [])])
    return allowed.size === 0 ? new FailureError('not-found') : notAllowed(method, allowed)
  }
}

/** Returns a function from a normalised path to the URLs of the routes of operations that it matches. */
export function urlFinder(
  operations: Contract['operations'],
  { pattern, template }: Prefix
): (path: string) => ReadonlySet<string> {
  const routes = operations.map(({ path, url }) => ({
    matches: pathMatcher(joinPaths(template, path)),
    url: joinPaths(pattern, url)
  }))
  return (path) => new Set(routes.flatMap(({ matches, url }) => (matches(path) === undefined ? [] : [url])))
}

/** Returns the 405 of a CONNECT: its target is another server, so that it lists all methods of the contract. */
export function connectRefusal({ operations }: Contract): FailureError {
  return notAllowed('CONNECT', new Set(operations.map(({ method }) => method)))
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

type Check = (request: FastifyRequest) => void

/** Answers of a contract to requests without a route. */
export interface Unmatched {
  readonly find: FindFailure
  readonly handleError: ErrorHandler
}

/** Contracts of an application by prefix: Fastify allows one not-found handler for each. */
const contracts = new WeakMap<FastifyInstance, Map<string, Unmatched[]>>()

/**
 * Refuses every unmatched request of an instance, in onRequest, before Fastify handles the body: an unknown path is 404
 * for any body. Where contracts share a prefix, a 405 is that of the contract with the path, a 404 that of the first.
 */
export function refuseUnmatched(app: FastifyInstance, guard: Check, own: Unmatched): void {
  const others = sharingPrefix(app)
  if (others.push(own) > 1) return
  const refuse = (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const failed = own.find(request)
    const found = isUnknownPath(failed) ? ownerOf(request, others) : undefined
    // Not thrown: the application may have an error handler of its own.
    return found === undefined
      ? own.handleError(failed, request, reply)
      : found.handleError(found.failed, request, reply)
  }
  const hooks = {
    preHandler: [],
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      guard(request)
      return refuse(request, reply)
    }
  }
  app.setNotFoundHandler(hooks, refuse)
}

function sharingPrefix(app: FastifyInstance): Unmatched[] {
  const root = rootOf(app)
  const byPrefix = contracts.get(root) ?? new Map<string, Unmatched[]>()
  contracts.set(root, byPrefix)
  const prefix = app.prefix.replace(/\/$/, '')
  const sharing = byPrefix.get(prefix) ?? []
  byPrefix.set(prefix, sharing)
  return sharing
}

/** Returns the first contract that has the path of a request, and its 405. */
function ownerOf(
  request: FastifyRequest,
  others: readonly Unmatched[]
): (Unmatched & { readonly failed: FailureError }) | undefined {
  for (const other of others) {
    const failed = other.find(request)
    if (!isUnknownPath(failed)) return { ...other, failed }
  }
  return undefined
}

const isUnknownPath = ({ failure }: FailureError): boolean => failure.code === 'not-found'

/**
 * Answers unmatched requests for paths of the contract, and leaves all others to the application. Only hooks of the root
 * instance see a request without a route.
 */
export function answerUnmatched(app: FastifyInstance, { find, handleError }: Unmatched): void {
  const hook: onRequestHookHandler = (request, reply, done) => {
    const failed = request.is404 ? find(request) : undefined
    if (failed !== undefined && !isUnknownPath(failed)) handleError(failed, request, reply)
    else done()
  }
  rootOf(app).addHook('onRequest', hook)
}

/** Returns the outermost instance: Fastify makes an encapsulated one with its parent as the prototype. */
function rootOf(app: FastifyInstance): FastifyInstance {
  const parent: FastifyInstance = Object.getPrototypeOf(app)
  return 'addHook' in parent ? rootOf(parent) : app
}
