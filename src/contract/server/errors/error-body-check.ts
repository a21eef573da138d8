/** Checks at boot which failures `errorBody` cannot express in the shape that an operation declares. */
import type { Operation } from '../../model/compiled-contract.ts'
import { type ErrorContext, writtenError } from './error-response.ts'
import { type Failure, type FailureCode, FailureError, failureStatus } from './failure.ts'

/** @returns operation, status and problem of each misfit: `getThing 404: body/code must be integer` */
export function unfitErrorBodies(
  operations: readonly Operation[],
  context: Omit<ErrorContext, 'log'>
): string[] {
  const codes = Object.keys(failureStatus) as FailureCode[]
  const failures = codes.map((name) => new FailureError(name).failure)
  return [...operations, undefined].flatMap((operation) => {
    const found = new Map<number, string>()
    for (const failure of failures) {
      const unfit = misfit(failure, operation, context)
      if (unfit !== undefined && !found.has(failure.status)) found.set(failure.status, unfit)
    }
    const name = operation?.operationId ?? 'no operation'
    return [...found].map(([status, unfit]) => `${name} ${status}: ${unfit}`)
  })
}

function misfit(
  failure: Failure,
  operation: Operation | undefined,
  context: Omit<ErrorContext, 'log'>
): string | undefined {
  try {
    const { text, unfit } = writtenError(failure, operation, context)
    return text === undefined ? 'errorBody makes no body' : unfit
  } catch {
    return 'errorBody fails'
  }
}
