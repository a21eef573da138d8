/**
 * Failures: they have the error body of the contract, even for malformed HTTP; configuration fails at the start; no
 * request fails at shutdown.
 */
import type { Mutation } from './mutation.ts'

export const failures: readonly Mutation[] = [
  {
    guarantee: 'a 405 has Allow',
    file: 'src/contract/server/routing/unmatched.ts',
    search: 'headers: { allow }',
    replacement: 'headers: {}',
    test: 'contract/server/routing/unmatched.test.ts'
  },
  {
    guarantee: 'outdated generated code does not start',
    file: 'src/contract/server/boot-checks.ts',
    search: 'if (stale.length > 0) throw',
    replacement: 'if (stale.length < 0) throw',
    test: 'contract/server/boot-checks.test.ts'
  },
  {
    guarantee: 'a server that the build has checked reads no contract',
    file: 'src/contract/server/boot-checks.ts',
    search: 'if (checkedAtBuild !== true) await',
    replacement: 'await',
    test: 'contract/server/boot-checks.test.ts'
  },
  {
    guarantee: 'a bundle that is not strict validates integers',
    file: 'src/contract/runtime/validators.ts',
    search: 'exactness?.get?.(holder)',
    replacement: 'exactness?.get(holder)',
    test: 'contract/runtime/validators.test.ts'
  },
  {
    guarantee: 'an error has the body of the contract',
    file: 'src/contract/server/errors/error-response.ts',
    search: 'const body = errorBody({ ...failure, operationId: operation?.operationId })',
    replacement:
      'const body = errorBody === undefined ? undefined : { statusCode: failure.status, message: failure.message }',
    test: 'contract/server/errors/error-response.test.ts'
  },
  {
    guarantee: 'an error body that breaks the contract is logged',
    file: 'src/contract/server/errors/error-response.ts',
    search: 'if (unfit !== undefined) log.warn',
    replacement: 'if (unfit === null) log.warn',
    test: 'contract/server/errors/error-body-check.test.ts'
  },
  {
    guarantee: 'malformed HTTP is answered with the error body',
    file: 'src/contract/server/transport/options.ts',
    search:
      'clientErrorHandler: (error, socket) =>\n      refuseConnection(error, socket, (failure) => render(failure, socket)),\n',
    replacement: '',
    test: 'contract/server/transport/request-checks.test.ts'
  },
  {
    guarantee: 'a request has one Host',
    file: 'src/contract/server/transport/request-checks.ts',
    search: 'targetProblem(request) ?? hostProblem(request) ??',
    replacement: 'targetProblem(request) ?? (hostProblem === undefined ? "" : undefined) ??',
    test: 'contract/server/transport/request-checks.test.ts'
  },
  {
    guarantee: 'a closing server answers 503',
    file: 'src/contract/server/transport/guard-hook.ts',
    search: 'isClosing = true',
    replacement: 'isClosing = false',
    test: 'contract/server/transport/guard-hook.test.ts'
  },
  {
    guarantee: 'connections of the backlog are answered at shutdown',
    file: 'src/service/http/connections.ts',
    search: 'await acceptBacklog(server)',
    replacement: 'if (acceptBacklog === undefined) return',
    test: 'service/http/connections.test.ts'
  },
  {
    guarantee: 'the memory of a burst is released',
    file: 'src/service/lifecycle/settle.ts',
    search: "'--no-allocation-site-pretenuring'",
    replacement: "'--allocation-site-pretenuring'",
    test: 'e2e/memory.test.ts'
  },
  {
    guarantee: 'npm start runs no bundle of former sources',
    file: 'scripts/bundle/fresh-bundle.js',
    search: 'files.every(isUnchanged)',
    replacement: 'files.every(Boolean)',
    test: 'scripts/start.test.ts'
  },
  {
    guarantee: 'a copy of the project runs no bundle of the original',
    file: 'scripts/bundle/fresh-bundle.js',
    search: 'root === resolve(project) && ',
    replacement: '',
    test: 'scripts/start.test.ts'
  },
  {
    guarantee: 'a start from the bundle compares the contract with its generated code',
    file: 'scripts/bundle/build-bundle.ts',
    search: "define: { 'import.meta.url': 'sourceUrl' },",
    replacement: '',
    test: 'e2e/newcomer.test.ts'
  }
]
