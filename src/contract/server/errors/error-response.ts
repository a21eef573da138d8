/**
 * Turns a failure into the bytes of its response, with the contract's own error body. A body that does not fit the
 * contract is sent as it is, without a change of status: otherwise an error of the client would become a 500.
 */
import type { FastifyBaseLogger } from 'fastify'
import {
  type CompiledCode,
  declaredResponse,
  type Operation,
  type ResponseContent
} from '../../model/compiled-contract.ts'
import { errorContent } from './error-content.ts'
import { type ErrorText, errorText } from './error-text.ts'
import type { Failure } from './failure.ts'

export type ErrorBody = (failure: Failure & { readonly operationId: string | undefined }) => unknown

/** Complete response, ready to be written. */
export interface ErrorResponse {
  readonly status: number
  readonly headers: Record<string, string | string[]>
  readonly body: string
}

export interface ErrorContext {
  readonly errorBody: ErrorBody
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'error'>
  /** Common content of all errors of the contract, for failures that no operation declares. */
  readonly common: ResponseContent | undefined
  /** Compiled code; undefined until it is loaded. */
  readonly code: CompiledCode | undefined
}

/** Responds to a failure outside of any operation. Never throws: without a body only the status is sent. */
export function plainErrorResponse(failure: Failure, context: ErrorContext): ErrorResponse {
  return errorResponse(failure, undefined, context)
}

/** Responds to a failure of an operation. Never throws: without a body only the status is sent. */
export function operationErrorResponse(
  failure: Failure,
  operation: Operation,
  context: ErrorContext
): ErrorResponse {
  return errorResponse(failure, operation, context)
}

function errorResponse(
  failure: Failure,
  operation: Operation | undefined,
  context: ErrorContext
): ErrorResponse {
  const { log } = context
  const details = { failure: failure.code, operationId: operation?.operationId }
  const { status, headers } = failure
  try {
    const { text, mediaType, unfit } = writtenError(failure, operation, context)
    if (unfit !== undefined) log.warn(details, `the error body breaks the contract: ${unfit}`)
    if (text !== undefined) return { status, headers: { ...headers, 'content-type': mediaType }, body: text }
    log.error(details, 'errorBody made no body')
  } catch (err) {
    log.error({ ...details, err }, 'errorBody failed')
  }
  return { status, headers, body: '' }
}

/** @throws {unknown} every error of `errorBody`, and an error for a body that is not JSON */
export function writtenError(
  failure: Failure,
  operation: Operation | undefined,
  { errorBody, common, code }: Omit<ErrorContext, 'log'>
): ErrorText {
  const body = errorBody({ ...failure, operationId: operation?.operationId })
  const response = operation === undefined ? undefined : declaredResponse(operation, failure.status)
  return errorText(body, errorContent(response?.content ?? []) ?? common, code)
}
