import { type Failure, FailureError } from '../../src/engine/server/errors/failure.ts'

/** Returns the failure of a call, or undefined when it succeeds. Rethrows any error except a FailureError. */
export function failureOf(run: () => unknown): Failure | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    if (error instanceof FailureError) return error.failure
    throw error
  }
}
