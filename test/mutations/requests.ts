/** Requests: only declared input is accepted, with its exact numbers. */
import type { Mutation } from './mutation.ts'

export const requests: readonly Mutation[] = [
  {
    guarantee: 'a body is validated',
    file: 'src/engine/server/body/parse.ts',
    search: 'if (validator === undefined || validator(value)) return\n',
    replacement: 'if (validator === undefined || value !== validator) return\n',
    test: 'engine/exchanges.test.ts'
  },
  {
    guarantee: 'a query that is JSON is judged by its numbers as they are spelled',
    file: 'src/engine/server/parameters/read-parameters.ts',
    search: "inMember(rest, 'query', read.query)",
    replacement: 'asRead({ ...rest, query: plainJson(read.query) })',
    test: 'contracts/first-contracts.test.ts'
  },
  {
    guarantee: 'the API key of a query is no field of its form',
    file: 'src/engine/server/parameters/fields.ts',
    search: 'apiKeys.length === 0 ? query : withoutKeys(query, apiKeys)',
    replacement: 'apiKeys.length < 0 ? withoutKeys(query, apiKeys) : query',
    test: 'contracts/first-contracts.test.ts'
  },
  {
    guarantee: 'operations of further methods are routed',
    file: 'src/engine/server/served-contract.ts',
    search: 'if (!app.supportedMethods.includes(method))',
    replacement: 'if (app.supportedMethods.length === 0)',
    test: 'contracts/contracts.test.ts'
  },
  {
    guarantee: 'nothing is coerced',
    file: 'src/compiler/compile/validators/value-keywords.ts',
    search: '}=="string"`,\n  boolean',
    replacement: '}!="object"`,\n  boolean',
    test: 'engine/exchanges.test.ts'
  },
  {
    guarantee: 'a parameter with readOnly is accepted',
    file: 'src/compiler/compile/validators/reading.ts',
    search: '!this.#parameters.has(schema) && isFlagged(',
    replacement: 'isFlagged(',
    test: 'contracts/contracts.test.ts'
  },
  {
    guarantee: 'a leap second ends a month of UTC',
    file: 'src/engine/runtime/formats.ts',
    search: 'return isAtEndOfDay(clock) && next.getUTCDate() === 1',
    replacement: 'return isAtEndOfDay(clock)',
    test: 'compiler/compile/validators/keywords.test.ts'
  },
  {
    guarantee: 'an A-label stands for a label of letters, digits and marks',
    file: 'src/engine/runtime/formats.ts',
    search: '(!/^xn--/i.test(label) || isALabel(label))',
    replacement: "label !== ''",
    test: 'compiler/compile/validators/keywords.test.ts'
  },
  {
    guarantee: 'a question mark in a path template is text',
    file: 'src/engine/model/parameter.ts',
    search: '/[?#]/g',
    replacement: '/[#]/g',
    test: 'contracts/first-contracts.test.ts'
  },
  {
    guarantee: 'a reference is percent-decoded before it is unescaped',
    file: 'src/contract/document/reference.ts',
    search: 'unescapePointer(percentDecoded(segment))',
    replacement: 'percentDecoded(unescapePointer(segment))',
    test: 'contracts/first-contracts.test.ts'
  },
  {
    guarantee: 'a value without its optional discriminator is judged by the union',
    file: 'src/compiler/compile/validators/reading.ts',
    search: 'otherwise === undefined && !isHidden && requires(schema, property)',
    replacement: 'otherwise === undefined',
    test: 'contracts/first-contracts.test.ts'
  },
  {
    guarantee: 'another media type is refused',
    file: 'src/engine/server/body/receive.ts',
    search: 'content[match(contentType)]',
    replacement: 'content[Math.max(0, match(contentType))]',
    test: 'engine/exchanges.test.ts'
  },
  {
    guarantee: 'a required body is present',
    file: 'src/engine/server/body/receive.ts',
    search: 'if (isRequired) throw',
    replacement: 'if (isRequired && limit < 0) throw',
    test: 'engine/exchanges.test.ts'
  },
  {
    guarantee: 'an undeclared body is refused',
    file: 'src/engine/server/body/receive.ts',
    search: 'if (hasBody(request))\n',
    replacement: 'if (hasBody(request) && request.method === "")\n',
    test: 'engine/exchanges.test.ts'
  },
  {
    guarantee: 'a body beyond the limit is refused',
    file: 'src/engine/server/body/payload.ts',
    search: 'if (body.length + chunk.length > limit) throw',
    replacement: 'if (body.length + chunk.length > limit && limit < 0) throw',
    test: 'engine/server/body/receive.test.ts'
  },
  {
    guarantee: 'a body is UTF-8',
    file: 'src/engine/server/body/parse.ts',
    search: 'if (!isUtf8(bytes)) throw',
    replacement: 'if (!isUtf8(bytes) && bytes.length < 0) throw',
    test: 'engine/exchanges.test.ts'
  },
  {
    guarantee: 'a body cannot change a prototype',
    file: 'src/engine/json/parse.ts',
    search: "{ protoAction: 'error', constructorAction: 'error' }",
    replacement: "{ protoAction: 'ignore', constructorAction: 'ignore' }",
    test: 'engine/json/parse.test.ts'
  },
  {
    guarantee: 'an int64 is not rounded',
    file: 'src/engine/json/restore-int64.ts',
    search: '(value as NumberLiteral).integer ?? Number(value)',
    replacement: 'BigInt(Number(value))',
    test: 'engine/exchanges.test.ts'
  },
  {
    guarantee: 'a number is checked as spelled, not as its double',
    file: 'src/engine/runtime/validators.ts',
    search: '(isLiteral(value) && value.integer !== undefined)',
    replacement: '(isLiteral(value) && Number.isInteger(Number(value)))',
    test: 'engine/exchanges.test.ts'
  },
  {
    guarantee: 'bounds of an int64 hold',
    file: 'src/compiler/compile/validators/value-keywords.ts',
    search: 'if (limit === undefined) continue\n      const params = `{comparison',
    replacement: 'continue\n      const params = `{comparison',
    test: 'engine/exchanges.test.ts'
  },
  {
    guarantee: 'the length of a binary body is validated',
    file: 'src/engine/server/body/parse.ts',
    search: 'validateBody(bytes, validateBytes, code)',
    replacement: 'validateBody(bytes, validateBytes && undefined, code)',
    test: 'engine/exchanges.test.ts'
  },
  {
    guarantee: 'problems of parameters and body are reported together',
    file: 'src/engine/server/operation-route.ts',
    search: "second.failure.code !== 'mismatch') return second",
    replacement: "second.failure.code !== '') return second",
    test: 'engine/exchanges.test.ts'
  },
  {
    guarantee: 'the number of collected errors is bounded',
    file: 'src/engine/runtime/validation-run.ts',
    search: 'const maxErrors = 1001',
    replacement: 'const maxErrors = 1e9',
    test: 'engine/runtime/runtime.test.ts'
  },
  {
    guarantee: 'a body of HTTP/2 needs no length',
    file: 'src/engine/server/body/receive.ts',
    search: "return length !== '0' && http2Stream(request)?.endAfterHeaders === false",
    replacement: 'return false',
    test: 'engine/server/http2.test.ts'
  }
]
