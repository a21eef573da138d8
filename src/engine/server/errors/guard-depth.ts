import { FailureError } from './failure.ts'

/**
 * Turns a stack overflow in a recursive reader or validator into 400 `mismatch`. Every other error, also another
 * RangeError (an invalid length, a number that is no bigint), is thrown as it is: it is a defect, and not the client's.
 *
 * @param what the subject of the message, such as `body`
 */
export function guardDepth<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!isStackOverflow(error)) throw error
    throw new FailureError('mismatch', { message: `${what} is nested too deeply`, cause: error })
  }
}

/** Recognises the error of V8 by its message, because it has neither a class nor a code of its own. */
function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message === 'Maximum call stack size exceeded'
}
