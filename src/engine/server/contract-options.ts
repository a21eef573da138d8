/** Options of a contract; among them `around` and `errorResponse`, which concern every handler. */
import type { FastifyInstance } from 'fastify'
import type { Contract, ContractTypes } from '../model/compiled-contract.ts'
import type { OnFailure } from './errors/error-handler.ts'
import type { ErrorBody as AnyErrorBody } from './errors/error-response.ts'
import type { Inferred, InlineHandlers, InlineSecurity, TypesOf } from './handler-types.ts'
import type { HandlerRequest } from './handlers/handler-request.ts'
import type { HandlerResponse, OnErrorResponse } from './responses/body.ts'
import type { CrossSiteRules } from './security/cross-site.ts'

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

/**
 * Options of a contract. `security` stands before `handlers`, because TypeScript infers in this order: the principals of
 * inline handlers are what the security handlers return.
 */
export interface ContractRoutesOptions<Types extends ContractTypes, Security = Types['security']> {
  /** Default export of generated/contract.ts. */
  readonly contract: Contract<Types>
  /** `{ [schemeName]: async (credential, { scopes, request }) => principal | undefined }` */
  readonly security: InlineSecurity<Types, Security>
  /** `{ [operationId]: async (request) => ({ status, body, headers? }) }` */
  readonly handlers: InlineHandlers<Types, Security>
  /**
   * Returns the body of every failure, in the contract's own error shape. Called for each failure at boot, too: where it
   * throws or returns a promise for a request, the client gets the body that it has made at boot.
   */
  readonly errorBody: AnyErrorBody
  /**
   * Returns the response to what a handler, or `around`, threw or rejected with: any value but a FailureError. Undefined
   * gives the 500, which is logged with the error. The response is checked like that of a handler.
   */
  readonly errorResponse?: InlineErrorResponse<Types, Security>
  /**
   * Wraps every handler, for a transaction or a trace: `(request, handle) => handle()`. Its result is the response; what
   * it throws is treated like what a handler throws. `handle` may be called again only when the handler has failed.
   */
  readonly around?: InlineAround<Types, Security>
  /** Called for every failure; has no request when none was parsed or the connection is closed. */
  readonly onFailure?: OnFailure
  /** Called for every error response of a handler, when it is sent. */
  readonly onErrorResponse?: OnErrorResponse
  /** Returns the file of an operation's handler, which the log names when the handler breaks the contract. */
  readonly handlerFile?: (operationId: string) => string
  /**
   * True when the build has compared the generated code with the contract (`npm run generate -- --check`), as for a
   * bundled server: the boot then reads no file of the contract.
   */
  readonly checkedAtBuild?: boolean
  /**
   * Refuses requests of unsafe methods (POST, PUT, PATCH, DELETE) with 403 that a page of another origin makes and that
   * only credentials authenticate which a browser adds by itself: a cookie, Basic, a client certificate. Decided by
   * `Sec-Fetch-Site`, without it by `Origin`. Pages of `origins` are accepted; `true`: no others than our own.
   */
  readonly refuseCrossSite?: boolean | CrossSiteRules
  /**
   * Bytes of all bodies in flight; at least the body limit, 64 MiB by default. Further bodies are refused with 503
   * before they are read. Up to 16 KiB of each body are not counted. What sequences and forms with `x-stream` hold in
   * memory has as many bytes of its own.
   */
  readonly maxBodyBytes?: number
  /** Folder for large files of forms with `x-stream`; by default the temporary folder of the system (`TMPDIR`). */
  readonly uploadFolder?: string
  /**
   * Bytes of all responses that clients have not read; 256 MiB by default. Beyond that, the connections whose clients
   * have read nothing for the longest time are closed. Up to 1 KiB of each response is not counted.
   */
  readonly maxUnreadBytes?: number
  /**
   * Milliseconds of silence after which a stream of events sends a comment, and one of `application/json-seq` a line feed;
   * 15,000 by default, 0 for none. The first also sends the status of a stream that has no item yet, in every format.
   */
  readonly heartbeat?: number
  /** Counts what the requests see of the contract, for tests: `contractCoverage` of `@contract-first/engine/coverage`. */
  readonly coverage?: CoverageWatch
}

/** Part of `ContractCoverage` that adds its hook to the instance of the routes. */
interface CoverageWatch {
  readonly watch: (app: FastifyInstance) => void
}
