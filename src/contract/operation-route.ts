/** The way of a request through one operation: authenticate, expect, read, validate, handle, check, send. */
import type { FastifyReply, FastifyRequest, HTTPMethods, RouteOptions } from 'fastify'
import {
  bodyExpectation,
  type ExpectedBody,
  guardDepth,
  jsonBody,
  mismatch,
  textBody,
  validateBody
} from './body.ts'
import type { CompiledCode, Contract, Operation } from './contract.ts'
import { FailureError } from './failure.ts'
import { formBody, multipartBody } from './form.ts'
import { negotiate } from './media-type.ts'
import { sentence } from './messages.ts'
import { decodeParameters } from './parameters.ts'
import { pathMatcher, pathOf, queryOf, type RawPathParameters } from './path.ts'
import { HandlerRequest, noParameters, type Parameters } from './request.ts'
import { type Answer, answerSender } from './response.ts'
import { authenticator, type SecurityHandler } from './security.ts'
import { continueIfExpected, readBody, refusal } from './transport.ts'

export type Handler = (request: HandlerRequest) => Answer | Promise<Answer>

export interface RouteContext {
  readonly contract: Contract
  readonly handlers: Readonly<Record<string, Handler>>
  readonly security: Readonly<Record<string, SecurityHandler>>
  readonly basePath: string
  readonly bodyLimit: number
  /** Loads the compiled code once. */
  readonly code: () => CompiledCode | Promise<CompiledCode>
}

/** What the hook found out before the body was read. */
interface Admitted {
  readonly principal: unknown
  readonly body: ExpectedBody | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    admitted: Admitted | undefined
  }
  interface FastifyContextConfig {
    operation?: Operation
  }
}

export function operationRoute(operation: Operation, context: RouteContext): RouteOptions {
  const handler = context.handlers[operation.operationId]
  if (handler === undefined) throw new TypeError('an unchecked contract')
  const authenticate = authenticator(context.contract, operation, context.security)
  const expectBody = bodyExpectation(operation, context.bodyLimit)
  const checkAcceptable = acceptability(operation)
  const parametersOf = parameterReader(operation, context.basePath)
  const send = answerSender(operation)

  function admit(request: FastifyRequest, principal: unknown): void {
    checkAcceptable(request)
    request.admitted = { principal, body: expectBody(request.raw) }
  }

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const loaded = context.code()
    const code = loaded instanceof Promise ? await loaded : loaded
    const parameters = parametersOf(request, code)
    const { principal, body } = request.admitted as Admitted
    const value = body === undefined ? undefined : await bodyValue(body, request, reply, code)
    const mediaType = value === undefined ? undefined : body?.content.mediaType
    const answer = await answerOf(
      handler as Handler,
      new HandlerRequest(reply, parameters, { value, mediaType }, principal)
    )
    return send(answer, reply, code)
  }

  async function bodyValue(
    body: ExpectedBody,
    request: FastifyRequest,
    reply: FastifyReply,
    code: CompiledCode
  ): Promise<unknown> {
    continueIfExpected(request.raw, reply.raw)
    if (body.kind === 'multipart')
      return validatedForm(await multipartBody(request, body.content, context.bodyLimit), body, code)
    const bytes = await readBody(request.raw, context.bodyLimit)
    if (bytes.length === 0 && operation.requestBody?.required === true) throw new FailureError('missing-body')
    if (bytes.length === 0) return undefined
    if (body.kind === 'binary') return bytes
    if (body.kind === 'form') return validatedForm(formBody(bytes.toString('utf8'), body.content), body, code)
    return body.kind === 'text'
      ? textBody(bytes, body.content, code)
      : guardDepth(() => jsonBody(bytes, body.content, code))
  }

  return {
    method: operation.method as HTTPMethods,
    url: `${context.basePath}${operation.url}`,
    config: { operation },
    onRequest(request, _reply, done) {
      try {
        const refused = refusal(request.raw)
        if (refused !== undefined) throw refused
        const principal = authenticate?.(request)
        if (principal instanceof Promise)
          principal.then((value) => admit(request, value)).then(() => done(), done)
        else {
          admit(request, principal)
          done()
        }
      } catch (error) {
        done(error as Error)
      }
    },
    handler: handle
  }
}

function validatedForm(
  value: Record<string, unknown>,
  { content }: ExpectedBody,
  code: CompiledCode
): unknown {
  validateBody(value, { '': value }, { content, code, exactness: undefined })
  return value
}

/** Whatever a handler throws is our fault, unless it says what failed. */
async function answerOf(handler: Handler, request: HandlerRequest): Promise<Answer> {
  try {
    return await handler(request)
  } catch (error) {
    throw error instanceof FailureError ? error : new FailureError('internal', { cause: error })
  }
}

/** Refuses what no success of the operation could satisfy; where there is only one media type, there is no choice. */
function acceptability({ responses }: Operation): (request: FastifyRequest) => void {
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const choices = successes.map(([, { content }]) => content.map(({ mediaType }) => mediaType))
  const offered = [...new Set(choices.flat())]
  if (!choices.some((types) => types.length > 1)) return () => undefined
  return ({ headers }) => {
    if (negotiate(headers.accept, offered) >= 0) return
    throw new FailureError('not-acceptable', {
      message: `none of the media types in Accept is offered: ${offered.join(', ')}`
    })
  }
}

function parameterReader(
  operation: Operation,
  basePath: string
): (request: FastifyRequest, code: CompiledCode) => Parameters {
  if (operation.parameters.length === 0) return () => noParameters
  const match = pathMatcher(operation.path)
  return (request, code) => {
    const target = request.raw.url ?? ''
    const { problems, ...parameters } = decodeParameters(operation.parameters, {
      path: match(pathOf(target).slice(basePath.length)) ?? encodedParameters(request, operation),
      query: queryOf(target),
      headers: request.headers,
      cookie: request.headers.cookie
    })
    if (problems.length > 0) throw new FailureError('mismatch', { message: sentence(problems, 0), problems })
    const validator = code.validators[operation.validateParameters ?? '']
    if (validator !== undefined && !validator.call(undefined, parameters)) throw mismatch(validator, '')
    return parameters
  }
}

/** Where the path is spelled another way than in the contract, what the router has decoded is encoded again. */
function encodedParameters(request: FastifyRequest, { path }: Operation): RawPathParameters {
  const names = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name ?? '')
  const decoded = request.params as Readonly<Record<string, string>>
  return Object.fromEntries(
    names.map((name, index) => [name, encodeURIComponent(decoded[`p${index}`] ?? '')])
  )
}
