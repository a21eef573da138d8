/** Tries `errorBody` at boot: makes the body of each failure, and finds those that an operation does not declare. */
import type { Operation } from '../../model/compiled-contract.ts'
import { PreparedErrors, type WrittenError } from './error-content.ts'
import { type ErrorContext, writtenError } from './error-response.ts'
import { type Failure, type FailureCode, FailureError, failureStatus } from './failure.ts'

type Context = Pick<ErrorContext, 'errorBody' | 'common' | 'code'>

export interface TriedErrorBodies {
  /** Operation, status and problem of each misfit: `getThing 404: body/code must be integer`. */
  readonly unfit: readonly string[]
  readonly prepared: PreparedErrors
}

const codes = Object.keys(failureStatus) as FailureCode[]
const failures = codes.map((code) => new FailureError(code).failure)

export function tryErrorBodies(operations: readonly Operation[], context: Context): TriedErrorBodies {
  const prepared = new PreparedErrors()
  const unfit = [...operations, undefined].flatMap((operation) => {
    const tries = failures.map((failure) => ({ failure, ...tried(failure, operation, context) }))
    const made = tries.flatMap(({ failure, written }) => (written ? [[failure, written] as const] : []))
    prepared.add(operation, made)
    return misfits(operation, tries)
  })
  return { unfit, prepared }
}

interface Try {
  /** Undefined where `errorBody` makes no body. */
  readonly written?: WrittenError
  readonly unfit: string | undefined
}

function tried(failure: Failure, operation: Operation | undefined, context: Context): Try {
  try {
    const written = writtenError(failure, operation, context)
    return written.text === undefined
      ? { unfit: 'errorBody makes no body' }
      : { written, unfit: written.unfit }
  } catch {
    return { unfit: 'errorBody fails' }
  }
}

/** Returns the first misfit of each status. */
function misfits(
  operation: Operation | undefined,
  tries: readonly (Try & { readonly failure: Failure })[]
): string[] {
  const found = new Map<number, string>()
  for (const { failure, unfit } of tries)
    if (unfit !== undefined && !found.has(failure.status)) found.set(failure.status, unfit)
  const name = operation?.operationId ?? 'no operation'
  return [...found].map(([status, unfit]) => `${name} ${status}: ${unfit}`)
}
