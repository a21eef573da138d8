/** How it fails: in the shape of the contract, down to broken HTTP, at the start rather than later, and without harm at the end. */
import { contract, type Mutation, test } from './mutation.ts'

export const failures: readonly Mutation[] = [
  {
    guarantee: 'a 405 has Allow',
    file: contract('not-found'),
    search: 'headers: { allow }',
    replacement: 'headers: {}',
    test: test('failures')
  },
  {
    guarantee: 'stale code does not start',
    file: contract('boot-checks'),
    search: 'if (stale.length > 0) throw',
    replacement: 'if (stale.length < 0) throw',
    test: test('failures')
  },
  {
    guarantee: 'an error has the body of the contract',
    file: contract('failure-answer'),
    search: 'const body = JSON.stringify(errorBody({ ...failure, operationId: undefined }))',
    replacement:
      'const body = errorBody === undefined ? undefined : JSON.stringify({ statusCode: failure.status, message: failure.message })',
    test: test('failures')
  },
  {
    guarantee: 'an error of an operation fits its schema',
    file: contract('failure-answer'),
    search: '?.call(undefined, body) !== true) return undefined',
    replacement: '?.call(undefined, body) === null) return undefined',
    test: test('failures')
  },
  {
    guarantee: 'malformed HTTP is answered in the same shape',
    file: contract('transport'),
    search: 'clientErrorHandler: (error, socket) => refuseConnection(error, socket, answer),',
    replacement: '',
    test: test('transport')
  },
  {
    guarantee: 'there is one Host',
    file: contract('http-rules'),
    search: 'versionProblem(request) ?? hostProblem(request) ??',
    replacement: 'versionProblem(request) ?? (hostProblem === undefined ? "" : undefined) ??',
    test: test('transport')
  },
  {
    guarantee: 'a closing server says 503',
    file: contract('guard'),
    search: 'isClosing = true',
    replacement: 'isClosing = false',
    test: test('failures')
  },
  {
    guarantee: 'who has connected is answered at the end',
    file: 'src/http/connections.ts',
    search: 'await acceptWaiting(server)',
    replacement: 'if (acceptWaiting === undefined) return',
    test: 'http/connections.test.ts'
  },
  {
    guarantee: 'a burst leaves nothing in the heap',
    file: 'src/main.ts',
    search: ", '--no-allocation-site-pretenuring'",
    replacement: '',
    test: 'e2e/memory.test.ts'
  }
]
