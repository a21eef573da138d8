import { type Failure, FailureError } from '../../src/contract/server/errors/failure.ts'

/** Returns the failure of a call, or undefined when it succeeds. Any error but a FailureError is rethrown. */
export function failureOf(run: () => unknown): Failure | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    if (error instanceof FailureError) return error.failure
    throw error
  }
}
