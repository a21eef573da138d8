/** Turns a failure into the bytes of its response: the contract's own error body, checked against the contract. */
import type { FastifyBaseLogger } from 'fastify'
import {
  type CompiledCode,
  declaredResponse,
  type Operation,
  type ResponseContent
} from '../../model/compiled-contract.ts'
import { type Failure, FailureError } from './failure.ts'

export type ErrorBody = (failure: Failure & { readonly operationId: string | undefined }) => unknown

/** A complete response, ready to be written. */
export interface ErrorResponse {
  readonly status: number
  readonly headers: Record<string, string | string[]>
  readonly body: string
}

interface Context {
  readonly errorBody: ErrorBody
  readonly log: Pick<FastifyBaseLogger, 'error'>
}

/**
 * Serves failures that belong to no operation, so no schema checks the result of `errorBody`. Never throws: without a
 * body only the status is sent.
 */
export function plainErrorResponse(failure: Failure, { errorBody, log }: Context): ErrorResponse {
  try {
    const body = JSON.stringify(errorBody({ ...failure, operationId: undefined }))
    if (body !== undefined) return responseOf(failure, body, 'application/json')
    log.error({ failure: failure.code }, 'errorBody made no body')
  } catch (error) {
    log.error({ err: error, failure: failure.code }, 'errorBody failed')
  }
  return { status: failure.status, headers: failure.headers, body: '' }
}

function responseOf(failure: Failure, body: string, mediaType: string): ErrorResponse {
  const headers = { ...failure.headers, 'content-type': mediaType }
  return { status: failure.status, headers, body }
}

/**
 * An error body that breaks what the operation declares for its status becomes a 500; if that breaks the contract, too,
 * only the status is sent. Never throws.
 */
export function operationErrorResponse(
  failure: Failure,
  operation: Operation,
  code: CompiledCode,
  { errorBody, log }: Context
): ErrorResponse {
  const fitting = fittingResponse(failure, operation, code, errorBody)
  if (!(fitting instanceof Error)) return fitting
  const details = { err: fitting, failure: failure.code, operationId: operation.operationId }
  log.error(details, 'the error body breaks the contract')
  const second = fittingResponse(mismatch, operation, code, errorBody)
  return second instanceof Error ? { status: 500, headers: {}, body: '' } : second
}

const mismatch = new FailureError('response-mismatch').failure

/** @returns an Error that says why there is no body that fits */
export function fittingResponse(
  failure: Failure,
  operation: Operation,
  code: CompiledCode,
  errorBody: ErrorBody
): ErrorResponse | Error {
  const content = errorContent(operation, failure.status)
  try {
    const body = errorBody({ ...failure, operationId: operation.operationId })
    const text = content === undefined ? JSON.stringify(body) : textOf(body, content, code)
    if (text !== undefined) return responseOf(failure, text, content?.mediaType ?? 'application/json')
    return new Error(`status ${failure.status} wants another body`)
  } catch (cause) {
    return new Error('errorBody failed', { cause })
  }
}

function textOf(body: unknown, content: ResponseContent, code: CompiledCode): string | undefined {
  if (code.validators[String(content.validate)]?.call(undefined, body) !== true) return undefined
  if (content.kind === 'text') return typeof body === 'string' ? body : undefined
  return code.serializers[String(content.serialize)]?.(body)
}

/** Returns what the operation declares for the status: the first JSON content, or the first of any kind. */
function errorContent(operation: Operation, status: number): ResponseContent | undefined {
  const contents = declaredResponse(operation, status)?.content ?? []
  return contents.find(({ kind }) => kind === 'json') ?? contents[0]
}
