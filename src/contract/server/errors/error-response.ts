/**
 * Turns a failure into the bytes of its response: the contract's own error body. The body never changes the status: one
 * that does not fit what the contract declares is sent as it is, because a mistake of a client must not look like ours.
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

/** A complete response, ready to be written. */
export interface ErrorResponse {
  readonly status: number
  readonly headers: Record<string, string | string[]>
  readonly body: string
}

export interface ErrorContext {
  readonly errorBody: ErrorBody
  readonly log: Pick<FastifyBaseLogger, 'warn' | 'error'>
  /** What the contract declares for its errors everywhere; failures that no operation declares are written as this. */
  readonly common: ResponseContent | undefined
  /** Undefined until it is loaded. */
  readonly code: CompiledCode | undefined
}

/** Serves failures that belong to no operation. Never throws: without a body only the status is sent. */
export function plainErrorResponse(failure: Failure, context: ErrorContext): ErrorResponse {
  return errorResponse(failure, undefined, context)
}

/** Serves failures of an operation. Never throws: without a body only the status is sent. */
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

/** @throws whatever `errorBody` throws, and an error for a body that is not JSON */
export function writtenError(
  failure: Failure,
  operation: Operation | undefined,
  { errorBody, common, code }: Omit<ErrorContext, 'log'>
): ErrorText {
  const body = errorBody({ ...failure, operationId: operation?.operationId })
  const response = operation === undefined ? undefined : declaredResponse(operation, failure.status)
  return errorText(body, errorContent(response?.content ?? []) ?? common, code)
}
