/** From a failure to the bytes of its answer: the contract's own error body, checked against the contract like any other. */
import type { FastifyBaseLogger } from 'fastify'
import type { CompiledCode, Operation, ResponseContent } from '../../model/compiled-contract.ts'
import { declaredResponse } from '../responses/send.ts'
import { type Failure, type FailureCode, FailureError, failureStatus } from './failure.ts'

export type ErrorBody = (failure: Failure & { readonly operationId: string | undefined }) => unknown

export interface FailureAnswer {
  readonly status: number
  readonly headers: Record<string, string | string[]>
  readonly body: string
}

interface Context {
  readonly errorBody: ErrorBody
  readonly log: Pick<FastifyBaseLogger, 'error'>
}

/**
 * Failures below the routes have no operation, and nothing to be checked against but `errorBody` itself. Never throws:
 * where there is no body to be had, the status is all that is sent.
 */
export function plainAnswer(failure: Failure, { errorBody, log }: Context): FailureAnswer {
  try {
    const body = JSON.stringify(errorBody({ ...failure, operationId: undefined }))
    if (body !== undefined) return answer(failure, body, 'application/json')
    log.error({ failure: failure.code }, 'errorBody made no body')
  } catch (error) {
    log.error({ err: error, failure: failure.code }, 'errorBody failed')
  }
  return { status: failure.status, headers: failure.headers, body: '' }
}

function answer(failure: Failure, body: string, mediaType: string): FailureAnswer {
  const headers = { ...failure.headers, 'content-type': mediaType }
  return { status: failure.status, headers, body }
}

/**
 * An error body that does not fit what the operation declares for its status becomes a 500; where that does not fit
 * either, only the status is sent. Never throws.
 */
export function operationAnswer(
  failure: Failure,
  operation: Operation,
  code: CompiledCode,
  { errorBody, log }: Context
): FailureAnswer {
  const fitting = fittingAnswer(failure, operation, code, errorBody)
  if (!(fitting instanceof Error)) return fitting
  const details = { err: fitting, failure: failure.code, operationId: operation.operationId }
  log.error(details, 'the error body breaks the contract')
  const second = fittingAnswer(mismatch, operation, code, errorBody)
  return second instanceof Error ? { status: 500, headers: {}, body: '' } : second
}

const mismatch = new FailureError('response-mismatch').failure

/** @returns why there is none, where there is none */
function fittingAnswer(
  failure: Failure,
  operation: Operation,
  code: CompiledCode,
  errorBody: ErrorBody
): FailureAnswer | Error {
  const content = errorContent(operation, failure.status)
  try {
    const body = errorBody({ ...failure, operationId: operation.operationId })
    const text = content === undefined ? JSON.stringify(body) : textOf(body, content, code)
    if (text !== undefined) return answer(failure, text, content?.mediaType ?? 'application/json')
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

/** What the operation declares for the status; the first that is JSON, as error bodies are. */
function errorContent(operation: Operation, status: number): ResponseContent | undefined {
  const contents = declaredResponse(operation, status)?.content ?? []
  return contents.find(({ kind }) => kind === 'json') ?? contents[0]
}

/** Which failures could not be told in the shape that an operation declares; for a warning at boot. */
export function misfits(
  operations: readonly Operation[],
  code: CompiledCode,
  errorBody: ErrorBody
): string[] {
  const codes = Object.keys(failureStatus) as FailureCode[]
  const failures = codes.map((name) => new FailureError(name).failure)
  return operations.flatMap((operation) => {
    const failing = failures.filter(
      (failure) => fittingAnswer(failure, operation, code, errorBody) instanceof Error
    )
    const statuses = [...new Set(failing.map(({ status }) => status))]
    return statuses.map((status) => `${operation.operationId} ${status}`)
  })
}
