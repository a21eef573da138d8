/** Authentication: it precedes the first byte of the body, and is never skipped. */
import type { Mutation } from './mutation.ts'

const authenticating = 'const result = identify(authenticate, request)\n'
const afterTheBody = `const result: unknown = new Promise((resolve, reject) =>
    request.raw.resume().once('end', () => {
      const value = identify(authenticate, request)
      if (value instanceof FailureError) reject(value)
      else resolve(value)
    })
  )
`

export const security: readonly Mutation[] = [
  {
    guarantee: 'authentication is not skipped',
    file: 'src/contract/server/admission.ts',
    search: authenticating,
    replacement: 'const result: unknown = identify(undefined, request)\n',
    test: 'contract/server/security/authenticate.test.ts'
  },
  {
    guarantee: 'authentication comes before the body',
    file: 'src/contract/server/admission.ts',
    search: authenticating,
    replacement: afterTheBody,
    test: 'contract/server/security/authenticate.test.ts'
  },
  {
    guarantee: 'a 401 has a challenge',
    file: 'src/contract/server/security/challenges.ts',
    search: "const headers = { 'www-authenticate': [...list] }",
    replacement: 'const headers = list.length < 0 ? {} : {}',
    test: 'contract/server/security/authenticate.test.ts'
  },
  {
    guarantee: 'an exception of a security handler is a 500',
    file: 'src/contract/server/security/security-handler.ts',
    search: "if (!(error instanceof FailureError)) throw new FailureError('internal', { cause: error })",
    replacement: 'if (!(error instanceof FailureError)) return undefined',
    test: 'contract/server/security/authenticate.test.ts'
  },
  {
    guarantee: 'a thenable is not a principal',
    file: 'src/contract/server/security/security-handler.ts',
    search: "'then' in value && typeof value.then === 'function'",
    replacement: 'value instanceof Promise',
    test: 'contract/server/security/authenticate.test.ts'
  },
  {
    guarantee: 'a contract with a missing handler does not start',
    file: 'src/contract/server/boot-checks.ts',
    search: 'if (problems.length > 0) throw',
    replacement: 'if (problems.length < 0) throw',
    test: 'contract/server/security/authenticate.test.ts'
  }
]
