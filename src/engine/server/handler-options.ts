/** Types of the options that concern every handler: `around` and `errorResponse`. */
import type { ContractTypes } from '../model/compiled-contract.ts'
import type { ErrorBody as AnyErrorBody } from './errors/error-response.ts'
import type { Inferred, InlineHandlers, TypesOf } from './handler-types.ts'
import type { HandlerRequest } from './handlers/handler-request.ts'
import type { HandlerResponse } from './responses/checks.ts'

/** Any handler; that of no contract for one without types, such as one that is compiled at run time. */
type HandlerOf<Types extends ContractTypes, Security> = keyof Types['handlers'] extends never
  ? (request: HandlerRequest) => HandlerResponse
  : InlineHandlers<Types, Security>[keyof Types['handlers']]

/** Request of any operation. */
type RequestOf<Types extends ContractTypes, Security> = ArgumentOf<HandlerOf<Types, Security>>
type ArgumentOf<Handler> = Handler extends (request: infer Request) => unknown ? Request : never

/** Response that any operation declares. */
type ResponseOf<Types extends ContractTypes> = keyof Types['handlers'] extends never
  ? HandlerResponse
  : ResultOf<Types['handlers'][keyof Types['handlers']]>
type ResultOf<Handler> = Handler extends (request: never) => infer Result ? Awaited<Result> : never

/**
 * Returns the response to what a handler or `around` threw, a FailureError excepted; undefined for an error that is
 * answered with a 500. The response is checked like that of a handler.
 */
export type ErrorResponseOption<Types extends ContractTypes, Security = Types['security']> = (
  error: unknown,
  request: RequestOf<Types, Security>
) => ResponseOf<Types> | undefined

/**
 * Wraps the handler of every operation, and returns its response, or another one. `handle` calls the handler. It may be
 * called again only when the handler has failed, so that a transaction can be tried again.
 * @typeParam More types of further arguments, which a service passes
 */
export type AroundOption<
  Types extends ContractTypes,
  Security = Types['security'],
  More extends readonly unknown[] = []
> = (
  request: RequestOf<Types, Security>,
  handle: () => Promise<ResponseOf<Types>>,
  ...more: More
) => ResponseOf<Types> | Promise<ResponseOf<Types>>

/** A function that may be written inline, as an argument; see `InlineHandlers`. */
export type InlineErrorResponse<Types extends ContractTypes, Security = Types['security']> = (
  ...values: Parameters<ErrorResponseOption<Types, Security>>
) => Inferred<ResponseOf<Types> | undefined>
/** See `InlineErrorResponse`. */
export type InlineAround<
  Types extends ContractTypes,
  Security = Types['security'],
  More extends readonly unknown[] = []
> = (
  ...values: Parameters<AroundOption<Types, Security, More>>
) => Inferred<ResponseOf<Types> | Promise<ResponseOf<Types>>>

/**
 * Option `errorResponse` of a contract: `const errorResponse: ErrorResponse<typeof contract> = …`.
 * @typeParam Security type of the security handlers, whose results are the principals
 */
export type ErrorResponse<C, Security = TypesOf<C>['security']> = ErrorResponseOption<TypesOf<C>, Security>
/** Option `around` of a contract. */
export type Around<C, Security = TypesOf<C>['security']> = AroundOption<TypesOf<C>, Security>

/** Body of a response whose status may be that of an error. */
type ErrorBodyIn<Response> = Response extends {
  readonly status: infer Status extends number
  readonly body: infer Body
}
  ? [Extract<`${Status}`, `4${string}` | `5${string}`>] extends [never]
    ? never
    : Body
  : never

/**
 * Option `errorBody`: `const errorBody: ErrorBody<typeof contract> = …` returns the body of an error that the contract
 * declares. Without a contract, any body.
 */
export type ErrorBody<C = unknown> = (
  ...values: Parameters<AnyErrorBody>
) => unknown extends C ? unknown : ErrorBodyIn<ResponseOf<TypesOf<C>>> | undefined
