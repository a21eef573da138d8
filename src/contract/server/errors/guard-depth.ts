import { FailureError } from './failure.ts'

/**
 * Turns a stack overflow in a recursive reader or validator into 400 `mismatch`.
 *
 * @param what the subject of the message, such as `body`
 */
export function guardDepth<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new FailureError('mismatch', { message: `${what} is nested too deeply`, cause: error })
  }
}
