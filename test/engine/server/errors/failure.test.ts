import t from 'tap'
import {
  type FailureCode,
  FailureError,
  failureStatus,
  statusCodeOf
} from '../../../../src/engine/server/errors/failure.ts'

t.test('a FailureError carries its code with the status of the table', async (t) => {
  for (const [code, status] of Object.entries(failureStatus)) {
    const error = new FailureError(code as FailureCode)
    t.match(error.failure, { code, status, message: /^[a-z]/i, problems: [], headers: {} }, code)
    t.same([error.name, error.message], ['FailureError', error.failure.message], code)
  }
})

t.test('only internal failures have a stack trace, because capturing one is slow', async (t) => {
  t.notMatch(new FailureError('mismatch').stack, /\n\s+at /)
  t.match(new FailureError('internal').stack, /\n\s+at /)
})

t.test('Error.stackTraceLimit is restored, also when the constructor throws', async (t) => {
  const { stackTraceLimit } = Error
  const message = {
    toString() {
      throw new RangeError('no text')
    }
  }
  t.throws(() => new FailureError('mismatch', { message: message as never }), RangeError)
  t.equal(Error.stackTraceLimit, stackTraceLimit)
})

t.test('the status of an error is that of its property, if it can be read', async (t) => {
  const hostile = Object.defineProperty(new Error(), 'statusCode', {
    get() {
      throw new Error('no property')
    }
  })
  t.equal(statusCodeOf(Object.assign(new Error(), { statusCode: 418 })), 418)
  t.strictSame([hostile, { statusCode: 418 }, undefined].map(statusCodeOf), [undefined, undefined, undefined])
})
