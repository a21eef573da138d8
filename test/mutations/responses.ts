/** Responses: only declared parts are sent. */
import type { Mutation } from './mutation.ts'

export const responses: readonly Mutation[] = [
  {
    guarantee: 'a bigint stands for an integer of a response',
    file: 'src/engine/runtime/validators.ts',
    search: 'mark(exactness, holder, key) === undefined : isPlainBigint(value)',
    replacement: 'mark(exactness, holder, key) === undefined : false',
    test: 'contracts/contracts.test.ts'
  },
  {
    guarantee: 'an integer beyond 2^53 is sent only as int64',
    file: 'src/engine/runtime/validators.ts',
    search: 'value >= -maxPlain && value <= maxPlain',
    replacement: 'value >= -maxPlain',
    test: 'engine/runtime/validators.test.ts'
  },
  {
    guarantee: 'a response body is validated',
    file: 'src/engine/server/responses/checks.ts',
    search: 'if (accepts(name, value)) return\n',
    replacement: 'if (accepts !== undefined) return\n',
    test: 'engine/server/responses/send.test.ts'
  },
  {
    guarantee: 'an undeclared status is not sent',
    file: 'src/engine/server/responses/send.ts',
    search: 'if (response === undefined) throw new Error(`status',
    replacement:
      'if (response === undefined) return Object.values(operation.responses)[0] as Response\n  if (response === null) throw new Error(`status',
    test: 'engine/server/responses/send.test.ts'
  },
  {
    guarantee: 'the error that errorResponse cannot map is logged',
    file: 'src/engine/server/responses/mapped-error.ts',
    search: 'return mapped === undefined ? reason : mapped.error',
    replacement: 'return reason',
    test: 'engine/server/responses/mapped-error.test.ts'
  },
  {
    guarantee: 'an error of a handler within around does not end the process',
    file: 'src/engine/server/handlers/around.ts',
    search: 'response.catch(() => undefined)',
    replacement: 'response.then(() => undefined)',
    test: 'engine/server/handlers/around.test.ts'
  },
  {
    guarantee: 'a handler that answers is called once, whatever around does',
    file: 'src/engine/server/handlers/around.ts',
    search: 'if (this.#misuse !== undefined)',
    replacement: 'if (this.#misuse === null)',
    test: 'engine/server/handlers/around.test.ts'
  },
  {
    guarantee: 'a handler cannot change the extensions of its operation',
    file: 'src/engine/server/handlers/handler-operation.ts',
    search: 'Object.values(value).forEach(frozen)',
    replacement: 'Object.values(value).forEach(Object.freeze)',
    test: 'engine/server/handlers/handler-request.test.ts'
  },
  {
    guarantee: 'an undeclared property is not sent',
    file: 'src/engine/server/responses/body.ts',
    search: 'return checks.serialize(content.serialize, body)',
    replacement:
      'return JSON.stringify(body, (_key, value) => (typeof value === "bigint" ? Number(value) : value))',
    test: 'engine/server/responses/send.test.ts'
  },
  {
    guarantee: 'a required response header is present',
    file: 'src/engine/server/responses/headers.ts',
    search: 'if (value === undefined && required)',
    replacement: 'if (value === null && required)',
    test: 'engine/server/responses/send.test.ts'
  },
  {
    guarantee: 'a header value cannot end its line',
    file: 'src/engine/server/responses/headers.ts',
    search: 'if (/[^\\t\\x20-\\x7e]/.test(text))',
    replacement: 'if (text === "\\0")',
    test: 'engine/server/responses/send.test.ts'
  }
]
