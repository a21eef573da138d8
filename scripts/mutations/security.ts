/** Who may ask: credentials, before a byte of the body, and never by mistake. */
import { contract, type Mutation, test } from './mutation.ts'

const authenticating = 'const principal = authenticate?.(request)\n'
const afterTheBody = `const principal: unknown = new Promise((resolve, reject) =>
        request.raw.resume().once('end', () => {
          try {
            resolve(authenticate?.(request))
          } catch (error) {
            reject(error)
          }
        })
      )
`

export const security: readonly Mutation[] = [
  {
    guarantee: 'auth is not skipped',
    file: contract('operation-route'),
    search: authenticating,
    replacement: 'const principal: unknown = authenticate === undefined ? 0 : 1\n',
    test: test('security')
  },
  {
    guarantee: 'auth comes before the body',
    file: contract('operation-route'),
    search: authenticating,
    replacement: afterTheBody,
    test: test('security')
  },
  {
    guarantee: 'a 401 has a challenge',
    file: contract('security'),
    search: "headers: { 'www-authenticate': [...list] }",
    replacement: 'headers: list.length < 0 ? {} : {}',
    test: test('security')
  },
  {
    guarantee: 'a crash of a security handler is a 500',
    file: contract('security'),
    search: "if (!(error instanceof FailureError)) throw new FailureError('internal', { cause: error })",
    replacement: 'if (!(error instanceof FailureError)) return undefined',
    test: test('security')
  },
  {
    guarantee: 'a thenable is no principal',
    file: contract('security'),
    search: "typeof Reflect.get(value, 'then') === 'function'",
    replacement: 'value instanceof Promise',
    test: test('security')
  },
  {
    guarantee: 'a missing handler does not start',
    file: contract('boot-checks'),
    search: 'if (problems.length > 0) throw',
    replacement: 'if (problems.length < 0) throw',
    test: test('security')
  }
]
