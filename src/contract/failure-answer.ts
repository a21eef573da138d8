/** From a failure to the bytes of its answer: the contract's own error body, checked against the contract like any other. */
import type { FastifyBaseLogger } from 'fastify'
import type { CompiledCode, Operation, ResponseContent } from './contract.ts'
import { type Failure, type FailureCode, FailureError, failureStatus } from './failure.ts'
import { declaredResponse } from './response.ts'

export type ErrorBody = (failure: Failure & { readonly operationId: string | undefined }) => unknown

export interface FailureAnswer {
  readonly status: number
  readonly headers: Record<string, string | string[]>
  readonly body: string
}

/** Failures below the routes have no operation, and nothing to be checked against but `errorBody` itself. */
export function plainAnswer(failure: Failure, errorBody: ErrorBody): FailureAnswer {
  return answer(
    failure,
    JSON.stringify(errorBody({ ...failure, operationId: undefined })),
    'application/json'
  )
}

function answer(failure: Failure, body: string, mediaType: string): FailureAnswer {
  const headers = { ...failure.headers, 'content-type': mediaType }
  return { status: failure.status, headers, body }
}

/**
 * An error body that does not fit what the operation declares for its status becomes a 500; where that does not fit
 * either, only the status is sent.
 */
export function operationAnswer(
  failure: Failure,
  operation: Operation,
  code: CompiledCode,
  { errorBody, log }: { readonly errorBody: ErrorBody; readonly log: FastifyBaseLogger }
): FailureAnswer {
  const fitting = fittingAnswer(failure, operation, code, errorBody)
  if (fitting !== undefined) return fitting
  log.error(
    { failure: failure.code, operationId: operation.operationId },
    'the error body breaks the contract'
  )
  const second = new FailureError('response-mismatch').failure
  return fittingAnswer(second, operation, code, errorBody) ?? { status: 500, headers: {}, body: '' }
}

function fittingAnswer(
  failure: Failure,
  operation: Operation,
  code: CompiledCode,
  errorBody: ErrorBody
): FailureAnswer | undefined {
  const body = errorBody({ ...failure, operationId: operation.operationId })
  const content = errorContent(operation, failure.status)
  if (content === undefined) return answer(failure, JSON.stringify(body), 'application/json')
  if (content.validate === undefined || content.serialize === undefined) return undefined
  if (code.validators[content.validate]?.call(undefined, body) !== true) return undefined
  return answer(failure, code.serializers[content.serialize]?.(body) ?? '', content.mediaType)
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
      (failure) => fittingAnswer(failure, operation, code, errorBody) === undefined
    )
    const statuses = [...new Set(failing.map(({ status }) => status))]
    return statuses.map((status) => `${operation.operationId} ${status}`)
  })
}
