/** What is taken in: only what the contract declares, as it was spelled. */
import { contract, type Mutation, test } from './mutation.ts'

export const requests: readonly Mutation[] = [
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
    file: contract('compile/vocabulary-numbers'),
    search: 'const numeric = _',
    replacement: 'if (cxt.keyword !== "") return\n    const numeric = _',
    test: test('int64')
  },
  {
    guarantee: 'a body of bytes is as long as it may be',
    file: contract('body'),
    search: '{ validate: validateBytes, code',
    replacement: '{ validate: validateBytes && undefined, code',
    test: test('request-bodies')
  },
  {
    guarantee: 'problems of parameters and body come together',
    file: contract('operation-route'),
    search: "second.failure.code !== 'mismatch') return second",
    replacement: "second.failure.code !== '') return second",
    test: test('request-bodies')
  },
  {
    guarantee: 'errors are bounded',
    file: contract('compile/bounded-errors'),
    search: 'const maxErrors = 1001',
    replacement: 'const maxErrors = 1e9',
    test: test('hostile')
  }
]
