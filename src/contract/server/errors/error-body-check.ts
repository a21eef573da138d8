/** Checks at boot which failures `errorBody` cannot express in the shape that an operation declares. */
import type { CompiledCode, Operation } from '../../model/compiled-contract.ts'
import { type ErrorBody, fittingResponse } from './error-response.ts'
import { type FailureCode, FailureError, failureStatus } from './failure.ts'

/** @returns operation and status of each, as `getThing 404` */
export function unfitErrorBodies(
  operations: readonly Operation[],
  code: CompiledCode,
  errorBody: ErrorBody
): string[] {
  const codes = Object.keys(failureStatus) as FailureCode[]
  const failures = codes.map((name) => new FailureError(name).failure)
  return operations.flatMap((operation) => {
    const unfit = failures.filter(
      (failure) => fittingResponse(failure, operation, code, errorBody) instanceof Error
    )
    const statuses = [...new Set(unfit.map(({ status }) => status))]
    return statuses.map((status) => `${operation.operationId} ${status}`)
  })
}
