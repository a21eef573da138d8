/** Serves a compiled contract: everything that a client can observe comes from it. */
import type { Server } from 'node:http'
import Fastify, {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest
} from 'fastify'
import { BootError, checkBoot } from './boot-checks.ts'
import type { CompiledCode, Contract, ContractTypes } from './contract.ts'
import { type Failure, type FailureCode, FailureError } from './failure.ts'
import { type ErrorBody, misfits, operationAnswer, plainAnswer } from './failure-answer.ts'
import { registerForms } from './form.ts'
import { type Handler, operationRoute } from './operation-route.ts'
import { pathMatcher, pathOf } from './path.ts'
import type { SecurityHandler } from './security.ts'
import { guardServer, refusal, transportOptions } from './transport.ts'

export type { Contract } from './contract.ts'
export { type Failure, type FailureCode, FailureError, failureStatus, type Problem } from './failure.ts'
export { BootError }

/** The handlers that a contract wants, no more and no less. */
export type Handlers<C> = C extends { readonly types?: infer Types }
  ? NonNullable<Types> extends ContractTypes
    ? NonNullable<Types>['handlers']
    : never
  : never
/** One per security scheme that the contract declares. */
export type SecurityHandlers<C> = C extends { readonly types?: infer Types }
  ? NonNullable<Types> extends ContractTypes
    ? NonNullable<Types>['security']
    : never
  : never

export interface ContractServerOptions<Types extends ContractTypes> {
  /** The default export of generated/contract.ts. */
  readonly contract: Contract<Types>
  /** `{ [operationId]: async (request) => ({ status, body, headers? }) }` */
  readonly handlers: Types['handlers']
  /** `{ [schemeName]: async (credential, { scopes, request }) => principal | undefined }` */
  readonly security: Types['security']
  /** Makes the body of every failure, in the contract's own error shape. Its result is sent; it must not throw. */
  readonly errorBody: ErrorBody
  /** Told of every failure that is answered; without a request where it never became one. It must not throw. */
  readonly onFailure?: OnFailure
  /** Before every path of the contract: `''` or `/api`. */
  readonly basePath?: string
  /** Further options of the Fastify server. */
  readonly fastify?: FastifyHttpOptions<Server>
}

type OnFailure = (failure: Failure, request: FastifyRequest | undefined) => void

/** @throws {BootError} when generated code, handlers and contract do not agree */
export async function createContractServer<Types extends ContractTypes>(
  options: ContractServerOptions<Types>
): Promise<FastifyInstance> {
  const { contract, errorBody, onFailure = () => undefined, basePath = '' } = options
  await checkBoot(contract, options.handlers, options.security)
  const code = await contract.load()
  const answer = (failure: Failure) => {
    onFailure(failure, undefined)
    return plainAnswer(failure, errorBody)
  }
  const app = Fastify(serverOptions(options.fastify, answer))
  guardServer(app.server, answer, [...new Set(contract.operations.map(({ method }) => method))].join(', '))
  app.decorateRequest('admitted', undefined)
  await readOwnBodies(app, contract, bodyLimitOf(app))
  app.setErrorHandler((error, request, reply) =>
    sendFailure(error, request, reply, { code, errorBody, onFailure })
  )
  app.setNotFoundHandler(notFound(app, contract, basePath))
  const context = {
    contract,
    basePath,
    bodyLimit: bodyLimitOf(app),
    handlers: options.handlers as Readonly<Record<string, Handler>>,
    security: options.security as Readonly<Record<string, SecurityHandler>>,
    code: () => code
  }
  // A HEAD route of its own must be there before the one that Fastify makes of the GET route.
  const operations = contract.operations.toSorted(
    (a, b) => Number(b.method === 'HEAD') - Number(a.method === 'HEAD')
  )
  for (const operation of operations) {
    if (!app.supportedMethods.includes(operation.method)) app.addHttpMethod(operation.method)
    app.route(operationRoute(operation, context))
  }
  warnOfMisfits(app, contract, code, errorBody)
  return app
}

/** What the engine relies on wins over what is given. */
function serverOptions(
  given: FastifyHttpOptions<Server> = {},
  answer: Parameters<typeof transportOptions>[0]
): FastifyHttpOptions<Server> {
  const transport = transportOptions(answer)
  return {
    ...given,
    ...transport,
    http: { ...given.http, ...transport.http },
    routerOptions: { maxParamLength: 16_384, ...given.routerOptions }
  }
}

function bodyLimitOf(app: FastifyInstance): number {
  return app.initialConfig.bodyLimit ?? 1_048_576
}

/** Bodies are read by the operation, after authentication and by its media types; Fastify's own parsers never run. */
async function readOwnBodies(app: FastifyInstance, { operations }: Contract, limit: number): Promise<void> {
  app.removeAllContentTypeParsers()
  await registerForms(app, operations, limit)
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

interface FailureContext {
  readonly code: CompiledCode
  readonly errorBody: ErrorBody
  readonly onFailure: OnFailure
}

function sendFailure(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  context: FailureContext
): void {
  const failed = asFailure(error)
  const { failure } = failed
  context.onFailure(failure, request)
  if (failure.status >= 500)
    request.log.error({ err: failed.cause ?? error, failure: failure.code }, failure.message)
  const { operation } = request.routeOptions.config
  const { status, headers, body } =
    operation === undefined
      ? plainAnswer(failure, context.errorBody)
      : operationAnswer(failure, operation, context.code, { errorBody: context.errorBody, log: request.log })
  reply.code(status).headers(headers).send(body)
}

/** Plugins say by a status what failed; anything that is not known to be the client's fault is ours. */
function asFailure(error: unknown): FailureError {
  if (error instanceof FailureError) return error
  const status: unknown = error instanceof Error ? Reflect.get(error, 'statusCode') : undefined
  const code = byStatus[String(status)] ?? 'internal'
  return new FailureError(code, { cause: error })
}

const byStatus: Readonly<Record<string, FailureCode>> = {
  400: 'malformed-body',
  413: 'body-too-large',
  415: 'unsupported-media-type',
  429: 'too-many-requests',
  503: 'overloaded'
}

/** A path that is there with a method that is not is 405 (RFC 9110, section 15.5.6), any other path 404. */
function notFound(
  app: FastifyInstance,
  contract: Contract,
  basePath: string
): (request: FastifyRequest) => never {
  const matchers = contract.operations.map(({ method, path }) => ({ method, matches: pathMatcher(path) }))
  return (request) => {
    const refused = refusal(request.raw)
    if (refused !== undefined) throw refused
    const path = pathOf(request.raw.url ?? '')
    const inside = path.startsWith(basePath) ? path.slice(basePath.length) : ''
    const allowed = new Set(
      matchers.filter(({ matches }) => matches(inside) !== undefined).map(({ method }) => method)
    )
    // Beside the contract: the service's own pages.
    if (app.hasRoute({ method: 'GET', url: path })) allowed.add('GET')
    if (allowed.size === 0) throw new FailureError('not-found')
    if (allowed.has('GET')) allowed.add('HEAD')
    const allow = [...allowed].sort().join(', ')
    throw new FailureError('method-not-allowed', {
      message: `method ${request.method} is not allowed here; allowed: ${allow}`,
      headers: { allow }
    })
  }
}

function warnOfMisfits(
  app: FastifyInstance,
  { operations }: Contract,
  code: CompiledCode,
  errorBody: ErrorBody
): void {
  const found = misfits(operations, code, errorBody)
  if (found.length === 0) return
  app.log.warn(
    { operations: found.slice(0, 20), count: found.length },
    'errorBody does not fit what these operations declare'
  )
}
