/** What the engine guarantees, how each guarantee could be lost, and the test that would tell. */

export interface Mutation {
  readonly guarantee: string
  readonly file: string
  /** Occurs once in the file. */
  readonly search: string
  readonly replacement: string
  /** Below test/. */
  readonly test: string
}

const contract = (file: string) => `src/contract/${file}.ts`
const test = (file: string) => `contract/${file}.test.ts`

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

export const mutations: readonly Mutation[] = [
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
    guarantee: 'a body is validated',
    file: contract('body'),
    search: 'if (accepts(validator, value, holder, exactness)) return\n',
    replacement: 'if (accepts !== undefined) return\n',
    test: test('request-bodies')
  },
  {
    guarantee: 'nothing is coerced',
    file: contract('compile/validators'),
    search: 'strictNumbers: true,',
    replacement: 'strictNumbers: true, coerceTypes: true,',
    test: test('request-bodies')
  },
  {
    guarantee: 'another media type is refused',
    file: contract('body'),
    search: 'requestBody.content[match(contentType)]',
    replacement: 'requestBody.content[Math.max(0, match(contentType))]',
    test: test('request-bodies')
  },
  {
    guarantee: 'a body that is required is there',
    file: contract('body'),
    search: 'if (requestBody.required)',
    replacement: 'if (requestBody.required && limit < 0)',
    test: test('request-bodies')
  },
  {
    guarantee: 'a body that is not declared is refused',
    file: contract('body'),
    search: 'if (hasBody(request))\n',
    replacement: 'if (hasBody(request) && request.method === "")\n',
    test: test('request-bodies')
  },
  {
    guarantee: 'a body is no larger than the limit',
    file: contract('read-body'),
    search: 'if (body.length + chunk.length <= limit) body.add(chunk)',
    replacement: 'if (limit >= 0) body.add(chunk)',
    test: test('transport')
  },
  {
    guarantee: 'a body is UTF-8',
    file: contract('exact-json'),
    search: 'if (!isUtf8(buffer)) throw',
    replacement: 'if (!isUtf8(buffer) && buffer.length < 0) throw',
    test: test('request-bodies')
  },
  {
    guarantee: 'no property is a prototype',
    file: contract('exact-json'),
    search: "{ protoAction: 'error', constructorAction: 'error' }",
    replacement: "{ protoAction: 'ignore', constructorAction: 'ignore' }",
    test: test('exact-json')
  },
  {
    guarantee: 'an int64 is not rounded',
    file: contract('int64'),
    search: "if (typeof exact === 'bigint') Reflect.set(holder, key, exact)",
    replacement: "if (typeof exact === 'bigint') Reflect.set(holder, key, BigInt(Number(value)))",
    test: test('int64')
  },
  {
    guarantee: 'the number spelled counts, not its double',
    file: contract('compile/runtime'),
    search: "return exact === undefined ? Number.isInteger(value) : exact !== 'fraction'",
    replacement: 'return Number.isInteger(value)',
    test: test('int64')
  },
  {
    guarantee: 'bounds hold',
    file: contract('compile/vocabulary'),
    search: 'const numeric = _',
    replacement: 'if (cxt.keyword !== "") return\n    const numeric = _',
    test: test('int64')
  },
  {
    guarantee: 'problems of parameters and body come together',
    file: contract('operation-route'),
    search: 'if (first === undefined || !(error',
    replacement: 'if (first !== null || !(error',
    test: test('request-bodies')
  },
  {
    guarantee: 'an answer is checked',
    file: contract('response-checks'),
    search: 'if (accepts(name, value)) return\n',
    replacement: 'if (accepts !== undefined) return\n',
    test: test('responses')
  },
  {
    guarantee: 'a status that is not declared is not sent',
    file: contract('response'),
    search: 'if (response === undefined) throw new Error(`status',
    replacement:
      'if (response === undefined) return Object.values(operation.responses)[0] as Response\n  if (response === null) throw new Error(`status',
    test: test('responses')
  },
  {
    guarantee: 'what is not declared is not sent',
    file: contract('response-payload'),
    search: 'return checks.serialize(content.serialize, body)',
    replacement:
      'return JSON.stringify(body, (_key, value) => (typeof value === "bigint" ? Number(value) : value))',
    test: test('responses')
  },
  {
    guarantee: 'a header that is required is there',
    file: contract('response-headers'),
    search: 'if (value === undefined && required)',
    replacement: 'if (value === null && required)',
    test: test('responses')
  },
  {
    guarantee: 'a header can not end its line',
    file: contract('response-headers'),
    search: 'if (/[^\\t\\x20-\\x7e]/.test(text))',
    replacement: 'if (text === "\\0")',
    test: test('responses')
  },
  {
    guarantee: 'a 405 has Allow',
    file: contract('not-found'),
    search: 'headers: { allow }',
    replacement: 'headers: {}',
    test: test('failures')
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
    guarantee: 'stale code does not start',
    file: contract('boot-checks'),
    search: 'if (stale.length > 0) throw',
    replacement: 'if (stale.length < 0) throw',
    test: test('failures')
  },
  {
    guarantee: 'a missing handler does not start',
    file: contract('boot-checks'),
    search: 'if (problems.length > 0) throw',
    replacement: 'if (problems.length < 0) throw',
    test: test('security')
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
    guarantee: 'errors are bounded',
    file: contract('compile/bounded-errors'),
    search: 'const maxErrors = 1001',
    replacement: 'const maxErrors = 1e9',
    test: test('hostile')
  }
]
