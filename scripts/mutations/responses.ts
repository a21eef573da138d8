/** What is sent out: only what the contract declares. */
import { contract, type Mutation, test } from './mutation.ts'

export const responses: readonly Mutation[] = [
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
  }
]
