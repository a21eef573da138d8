/** `contract-accepted.yaml`: entries that are read, refused, and matched. */
import t from 'tap'
import { ContractError, type ContractProblem } from '../../../../src/contract/diagnostics/problem.ts'
import { readAccepted, withoutAccepted } from '../../../../src/tools/diff/operations/accepted.ts'
import type { Change } from '../../../../src/tools/diff/operations/rules.ts'

const file = '/contract-accepted.yaml'

function problemsOf(text: string): readonly ContractProblem[] {
  try {
    readAccepted(text, file)
    return []
  } catch (error) {
    return error instanceof ContractError ? error.problems : []
  }
}

t.test('an empty file accepts nothing', async (t) => {
  t.strictSame(readAccepted('', file), [])
  t.strictSame(readAccepted('# nothing yet\n', file), [])
})

t.test('a mistake is reported with its place and a sentence', async (t) => {
  const rows: readonly (readonly [text: string, line: number, message: RegExp])[] = [
    ['a: 1\n', 1, /^expected a list of \{ rule, place, reason \}$/],
    ['- a\n', 1, /^expected \{ rule, place, reason \}$/],
    [
      '- rule: path-removed\n  place: GET /a\n',
      1,
      /^reason is missing: every accepted change has a rule, a place and a reason$/
    ],
    ["- rule: path-removed\n  place: GET /a\n  reason: ' '\n", 1, /^reason is missing/],
    [
      '- { rule: path-removd, place: a, reason: b }\n',
      1,
      /^there is no rule path-removd; did you mean path-removed\?$/
    ],
    [
      '- { rule: nonsense, place: a, reason: b }\n',
      1,
      /^there is no rule nonsense; docs\/diff-rules.md lists them$/
    ],
    ['- rule: [\n', 2, /./]
  ]
  for (const [text, line, message] of rows) t.match(problemsOf(text), [{ file, line, message }], text)
})

t.test('an entry matches by rule, and by operation, place or both', async (t) => {
  const change = (rule: Change['rule'], operation: string | null, place: string): Change => ({
    rule,
    operation,
    place,
    message: 'changed',
    file: 'openapi.yaml',
    line: 1,
    column: 1
  })
  const report = {
    breaking: [
      change('path-removed', 'GET /a', ''),
      change('request-maximum-lowered', 'POST /a', 'body/size'),
      change('path-removed', 'GET /b', '')
    ],
    undecided: [change('server-removed', null, 'servers')],
    compatible: []
  }
  const entry = (rule: string, place: string) => `- { rule: ${rule}, place: ${place}, reason: announced }\n`
  const accepted = readAccepted(
    entry('path-removed', 'GET /a') +
      entry('request-maximum-lowered', 'POST /a body/size') +
      entry('server-removed', 'servers') +
      entry('path-removed', 'body'),
    file
  )
  const { report: left, unused } = withoutAccepted(report, accepted)
  t.strictSame(
    left.breaking.map(({ operation }) => operation),
    ['GET /b']
  )
  t.strictSame(left.undecided, [])
  t.strictSame(
    left.compatible.map(({ message }) => message),
    Array(3).fill('changed (accepted: announced)')
  )
  t.match(unused, [{ rule: 'path-removed', place: 'body', line: 4 }])
})
