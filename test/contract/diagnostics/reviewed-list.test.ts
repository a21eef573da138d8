/** Lists of what a review has accepted; test/tools/diff/report.test.ts has the mistakes. */
import t from 'tap'
import { ContractError } from '../../../src/contract/diagnostics/problem.ts'
import { readReviewed } from '../../../src/contract/diagnostics/reviewed-list.ts'

const read = (text: string) =>
  readReviewed(text, '/list.yaml', {
    keys: ['check', 'reason'],
    optional: ['message'],
    rule: 'every entry has a check',
    problemsOf: ({ check }) => (check === 'a' ? [] : ['there is no such check'])
  })

function problemsOf(text: string): readonly unknown[] {
  try {
    return read(text)
  } catch (error) {
    return error instanceof ContractError ? error.problems : []
  }
}

t.test('entries have their places, and what is optional is a text', async (t) => {
  const entry = { check: 'a', reason: 'b', message: 'c' }
  t.strictSame(read('- { check: a, reason: b, message: c }\n'), [
    { ...entry, file: '/list.yaml', line: 1, column: 3 }
  ])
  for (const [text, message] of [
    ['- { check: a, reason: b, message: [] }', 'message is not a text'],
    ['- { check: a }', 'reason is missing: every entry has a check'],
    ['- { check: b, reason: b }', 'there is no such check']
  ] as const)
    t.match(problemsOf(text), [{ message, line: 1 }])
})
