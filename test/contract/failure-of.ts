import { type Failure, FailureError } from '../../src/contract/server/errors/failure.ts'

/** What a call fails with; undefined when it does not fail. Anything but a FailureError is rethrown. */
export function failureOf(run: () => unknown): Failure | undefined {
  try {
    run()
    return undefined
  } catch (error) {
    if (error instanceof FailureError) return error.failure
    throw error
  }
}
