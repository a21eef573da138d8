/** Authentication: it precedes the first byte of the body, and is never skipped. */
import type { Mutation } from './mutation.ts'

const authenticating = 'result = authenticate?.(request)\n'
const afterTheBody = `result = new Promise((resolve, reject) =>
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
    guarantee: 'authentication is not skipped',
    file: 'src/engine/server/operation-route.ts',
    search: authenticating,
    replacement: 'result = undefined\n',
    test: 'engine/server/security/authenticate.test.ts'
  },
  {
    guarantee: 'authentication comes before the body',
    file: 'src/engine/server/operation-route.ts',
    search: authenticating,
    replacement: afterTheBody,
    test: 'engine/server/security/authenticate.test.ts'
  },
  {
    guarantee: 'an error that no security handler should cause refuses',
    file: 'src/engine/server/operation-route.ts',
    search: "return new FailureError('internal', { cause: error })",
    replacement: 'return error as FailureError',
    test: 'engine/server/errors/callbacks.test.ts'
  },
  {
    guarantee: 'a security handler that forgets a call lets nobody in',
    file: 'src/engine/server/security/authenticate.ts',
    search: "typeof result === 'function' || ",
    replacement: '',
    test: 'engine/server/errors/callbacks.test.ts'
  },
  {
    guarantee: 'a 401 has a challenge',
    file: 'src/engine/server/security/challenges.ts',
    search: "const headers = { 'www-authenticate': list }",
    replacement: 'const headers = list.length < 0 ? {} : {}',
    test: 'engine/server/security/authenticate.test.ts'
  },
  {
    guarantee: 'an exception of a security handler is a 500',
    file: 'src/engine/server/security/authenticate.ts',
    search: 'if (!isFailure)\n    throw',
    replacement: 'if (!isFailure) return undefined\n  if (!isFailure)\n    throw',
    test: 'engine/server/security/authenticate.test.ts'
  },
  {
    guarantee: 'a thenable is not a principal',
    file: 'src/engine/server/errors/callbacks.ts',
    search: "'then' in value && typeof value.then === 'function'",
    replacement: 'value instanceof Promise',
    test: 'engine/server/security/authenticate.test.ts'
  },
  {
    guarantee: 'a contract with a missing handler does not start',
    file: 'src/engine/server/boot-checks.ts',
    search: 'if (problems.length > 0) throw',
    replacement: 'if (problems.length < 0) throw',
    test: 'engine/server/security/authenticate.test.ts'
  },
  {
    guarantee: 'a token that lacks a scope is refused',
    file: 'src/service/credentials/scopes.ts',
    search: 'if (missing.length === 0) return principal',
    replacement: 'if (missing.length < scopes.length || scopes.length === 0) return principal',
    test: 'service/credentials/scopes.test.ts'
  },
  {
    guarantee: 'authenticate without scopes permits nothing',
    file: 'src/service/credentials/scopes.ts',
    search:
      'if (!Array.isArray(context?.scopes)) throw new TypeError(withoutScopes)\n    const { scopes } = context',
    replacement: 'const { scopes } = { scopes: [], ...context }',
    test: 'service/credentials/scopes.test.ts'
  },
  {
    guarantee: 'an invalid credential is a 401 beside one that does not suffice',
    file: 'src/engine/server/security/authenticate.ts',
    search: 'denied.push(error)',
    replacement: 'return error',
    test: 'engine/server/security/authenticate.test.ts'
  },
  {
    guarantee: 'a challenge names no text that is no scope',
    file: 'src/engine/server/security/challenges.ts',
    search: '.filter((scope) => scopeToken.test(scope))',
    replacement: '.filter((scope) => scopeToken.test(scope) || scope.length > 0)',
    test: 'engine/server/security/authenticate.test.ts'
  },
  {
    guarantee: 'an unsafe request of another site is refused',
    file: 'src/engine/server/security/cross-site.ts',
    search: "return site !== 'same-origin' && site !== 'none'",
    replacement: "return site === 'x'",
    test: 'engine/server/security/cross-site.test.ts'
  },
  {
    guarantee: 'a token file without its last line feed is read when it stands still',
    file: 'src/service/credentials/tokens.ts',
    search: "text.endsWith('\\n') || text === before",
    replacement: 'text.length > 0',
    test: 'service/credentials/tokens.test.ts'
  },
  {
    guarantee: 'a named pipe in the place of the token file is refused',
    file: 'src/service/credentials/tokens.ts',
    search: 'if (!stats.isFile()) throw',
    replacement: 'if (stats.isDirectory()) throw',
    test: 'service/credentials/tokens.test.ts'
  },
  {
    guarantee: 'a reload that rejects does not end the process',
    file: 'src/service/serve.ts',
    search: '(err: unknown) =>\n        log.error(',
    replacement: '(err: unknown) =>\n        Promise.reject(err) ?? log.error(',
    test: 'service/run.test.ts'
  }
]
