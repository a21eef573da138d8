/**
 * Failures: they have the error body of the contract, even for malformed HTTP; configuration fails at the start; no
 * request fails at shutdown.
 */
import type { Mutation } from './mutation.ts'

export const failures: readonly Mutation[] = [
  {
    guarantee: 'the pointer of a problem ends before a name that is too long to be exact',
    file: 'src/engine/server/errors/validation-problems.ts',
    search: 'segment.length > maxPointerName ||',
    replacement: 'segment.length < 0 ||',
    test: 'engine/server/errors/problems.test.ts'
  },
  {
    guarantee: 'the pointer of a problem escapes names',
    file: 'src/engine/server/errors/validation-problems.ts',
    search: 'namesIn(params).map(escapePointer)',
    replacement: 'namesIn(params)',
    test: 'engine/exchanges.test.ts'
  },
  {
    guarantee: 'an error of a hook keeps the status of a client error',
    file: 'src/engine/server/errors/failure.ts',
    search: 'status: details.status ?? failureStatus[code],',
    replacement: 'status: failureStatus[code],',
    test: 'engine/server/contract-routes.test.ts'
  },
  {
    guarantee: 'a 405 under a prefix has the shape of the contract of that prefix',
    file: 'src/engine/server/contract-routes.ts',
    search: 'if (isPrefixed) refuseUnmatched(app, guard, { find, handleError })',
    replacement: 'if (isPrefixed) void find',
    test: 'engine/server/contract-routes.test.ts'
  },
  {
    guarantee: 'an operation ignores Upgrade beside a WebSocket plugin',
    file: 'src/engine/server/fastify-options.ts',
    search: 'return !hasPath(normalizePath(pathOf(String(url))))',
    replacement: "return typeof hasPath === 'function'",
    test: 'engine/server/plugins/plugins.test.ts'
  },
  {
    guarantee: 'a 405 has Allow',
    file: 'src/engine/server/unmatched.ts',
    search: 'headers: { allow }',
    replacement: 'headers: {}',
    test: 'engine/exchanges.test.ts'
  },
  {
    guarantee: 'generated code of another engine does not start',
    file: 'src/engine/server/boot-checks.ts',
    search: 'if (contract.format === format) return',
    replacement: 'if (contract.format !== undefined) return',
    test: 'engine/server/boot-checks.test.ts'
  },
  {
    guarantee: 'outdated generated code does not start',
    file: 'src/engine/server/boot-checks.ts',
    search: 'assertNone(stale)',
    replacement: 'assertNone([])',
    test: 'engine/server/boot-checks.test.ts'
  },
  {
    guarantee: 'a server that the build has checked reads no contract',
    file: 'src/engine/server/boot-checks.ts',
    search: 'if (checkedAtBuild !== true) await',
    replacement: 'await',
    test: 'engine/server/boot-checks.test.ts'
  },
  {
    guarantee: 'only a stack overflow is the fault of the client',
    file: 'src/engine/server/errors/failure.ts',
    search: " || error.message !== 'Maximum call stack size exceeded'",
    replacement: '',
    test: 'engine/server/errors/problems.test.ts'
  },
  {
    guarantee: 'an error has the body of the contract',
    file: 'src/engine/server/errors/error-response.ts',
    search: 'const body = errorBody({ ...failure, operationId: operation?.operationId })',
    replacement:
      'const body = errorBody === undefined ? undefined : { statusCode: failure.status, message: failure.message }',
    test: 'engine/server/errors/error-response.test.ts'
  },
  {
    guarantee: 'an error body that breaks the contract is logged',
    file: 'src/engine/server/errors/error-response.ts',
    search: 'else if (unfit !== undefined)',
    replacement: 'else if (unfit === null)',
    test: 'engine/server/errors/error-response.test.ts'
  },
  {
    guarantee: 'an errorBody that fails sends the body that it made at boot',
    file: 'src/engine/server/errors/error-response.ts',
    search: ' ?? context.prepared?.of(failure, operation)',
    replacement: '',
    test: 'engine/server/errors/callbacks.test.ts'
  },
  {
    guarantee: 'the address in the log is an IP address',
    file: 'src/service/credentials/scopes.ts',
    search: 'isIP(address) === 0',
    replacement: "address === ''",
    test: 'service/observability/request-log.test.ts'
  },
  {
    guarantee: 'a report of a commit that throws does not stop the store',
    file: 'src/store/group-commit.ts',
    search: '    } catch {\n      // The commit has ended',
    replacement: '    } catch (error) {\n      throw error\n      // The commit has ended',
    test: 'store/group-commit.test.ts'
  },
  {
    guarantee: 'a store that never answers is not ready',
    file: 'src/service/http/health.ts',
    search: 'Promise.race([answer, sleep(maxMs, false, { ref: false })])',
    replacement: 'answer',
    test: 'service/http/health.test.ts'
  },
  {
    guarantee: 'dropped lines of the log are counted',
    file: 'src/service/observability/log.ts',
    search: '    this.#report(dropped)\n',
    replacement: '',
    test: 'service/observability/log.test.ts'
  },
  {
    guarantee: 'the end of the process writes what a full pipe has refused',
    file: 'src/service/observability/log.ts',
    search: '      this.#isWriting = false\n',
    replacement: '',
    test: 'service/observability/log.test.ts'
  },
  {
    guarantee: 'a callback that rejects does not end the process',
    file: 'src/engine/server/errors/callbacks.ts',
    search: 'if (isThenable(result)) Promise.resolve(result).catch',
    replacement: 'if (isThenable(result)) Promise.resolve(result).then',
    test: 'engine/server/errors/callbacks.test.ts'
  },
  {
    guarantee: 'malformed HTTP is answered with the error body',
    file: 'src/engine/server/fastify-options.ts',
    search:
      'clientErrorHandler: (error, socket) =>\n      refuseConnection(error, socket, (failure) => render(failure, socket)),\n',
    replacement: '',
    test: 'engine/server/transport/http.test.ts'
  },
  {
    guarantee: 'a request has one Host',
    file: 'src/engine/server/transport/request-checks.ts',
    search: "headerLines(request, 'host') > 1",
    replacement: "headerLines(request, 'host') > 9",
    test: 'engine/server/transport/http.test.ts'
  },
  {
    guarantee: 'a closing server answers 503',
    file: 'src/engine/server/operation-route.ts',
    search: 'isClosing = true',
    replacement: 'isClosing = false',
    test: 'engine/server/transport/http.test.ts'
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
    file: 'src/process.ts',
    search: "'--no-allocation-site-pretenuring'",
    replacement: "'--allocation-site-pretenuring'",
    test: 'e2e/memory.test.ts'
  },
  {
    guarantee: 'npm start keeps compiled code for the next start',
    file: 'scripts/start.js',
    search: 'module.enableCompileCache()',
    replacement: '',
    test: 'scripts/start.test.ts'
  },
  {
    guarantee: 'the log of a built service names its sources',
    file: 'src/main.ts',
    search: 'setSourceMapsSupport(true)',
    replacement: '',
    test: 'scripts/build.test.ts'
  },
  {
    guarantee: 'a Node that is too old ends with a sentence',
    file: 'scripts/start.js',
    search: "import './check-node.js'",
    replacement: '',
    test: 'scripts/start.test.ts'
  },
  {
    guarantee: 'what npm run build writes starts its thread without the sources',
    file: 'scripts/build.ts',
    search: ", 'src/store/sqlite/worker.ts'",
    replacement: '',
    test: 'scripts/build.test.ts'
  },
  {
    guarantee: 'a built service compares the contract with its generated code, and names both commands',
    file: 'src/engine/server/build-check.ts',
    search: ' || !ownModule.test(url)',
    replacement: '',
    test: 'scripts/build.test.ts'
  },
  {
    guarantee: 'a CONNECT behind open streams ends them',
    file: 'src/engine/server/transport/connections.ts',
    search: 'of open) response.destroy()',
    replacement: 'of open) void response',
    test: 'engine/server/transport/connections.test.ts'
  },
  {
    guarantee: 'the unanswered requests of a connection are bounded',
    file: 'src/engine/server/transport/connections.ts',
    search: 'if (responses.push(response) > maxOpen) {',
    replacement: 'if (responses.push(response) < 0 * maxOpen) {',
    test: 'engine/server/transport/connections.test.ts'
  },
  {
    guarantee: 'nothing behind a request with Upgrade is served',
    file: 'src/engine/server/transport/connections.ts',
    search: 'if (headers.upgrade !== undefined) {',
    replacement: 'if (headers.upgrade === null) {',
    test: 'engine/server/transport/connections.test.ts'
  },
  {
    guarantee: 'a client that does not read is disconnected',
    file: 'src/engine/server/transport/unread.ts',
    search: 'else if (isUnread(socket) && !socket.timeout) socket.setTimeout(limit)',
    replacement: '',
    test: 'engine/server/transport/unread.test.ts'
  },
  {
    guarantee: 'what a client sends does not count as reading',
    file: 'src/engine/server/transport/unread.ts',
    search: 'if (isStill && now.sent > before.sent && now.at - before.at >= limit) socket.destroy()',
    replacement: 'if (limit < 0) return before',
    test: 'engine/server/transport/unread.test.ts'
  },
  {
    guarantee: 'a client that has ended within a request is not waited for',
    file: 'src/engine/server/transport/client-error.ts',
    search: 'if (socket.readableEnded) destroyLater(socket)',
    replacement: 'if (socket.destroyed) destroyLater(socket)',
    test: 'engine/server/transport/connections.test.ts'
  },
  {
    guarantee: 'a late request is told so, whatever Node reports first',
    file: 'src/engine/server/transport/client-error.ts',
    search: 'if (connection !== undefined && isLate(connection)) return',
    replacement: 'if (connection === null && isLate(connection)) return',
    test: 'engine/server/transport/http.test.ts'
  },
  {
    guarantee: 'the rest of a refused body is bounded',
    file: 'src/engine/server/transport/connections.ts',
    search: 'socket.bytesRead > end && socket.destroy()',
    replacement: 'socket.bytesRead > end && socket.readable',
    test: 'engine/server/transport/unread.test.ts'
  },
  {
    guarantee: 'a client that is still sending reads the answer to malformed HTTP',
    file: 'src/engine/server/transport/connections.ts',
    search: '    .resume()\n  if (socket.writable) socket.end(lastBytes)',
    replacement: '    .pause()\n  if (socket.writable) socket.end(lastBytes, () => socket.destroy())',
    test: 'engine/server/transport/unread.test.ts'
  },
  {
    guarantee: 'a request that ends badly has one line in the log',
    file: 'src/engine/server/transport/client-error.ts',
    search: 'whenAnswered(socket, () => socket.writable && endConnection(',
    replacement: 'whenAnswered(socket, () => endConnection(',
    test: 'service/endings.test.ts'
  },
  {
    guarantee: 'a drain refuses a body that stays incomplete',
    file: 'src/service/http/connections.ts',
    search: 'isLate || quiet >= maxQuietSamples',
    replacement: 'isLate && quiet < 0',
    test: 'service/endings.test.ts'
  }
]
