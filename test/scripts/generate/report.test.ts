import { join } from 'node:path'
import t from 'tap'
import { formatReport } from '../../../scripts/generate/report.ts'
import type { ContractProblem } from '../../../src/contract/compile/diagnostics/problem.ts'
import { type Paint, paintFor } from '../../../src/service/terminal/format.ts'

const lines = ['openapi: 3.1.0', '\tx: \u001b[31m', `${'a'.repeat(300)}!${'b'.repeat(300)}`]
const folder = t.testdir({ 'openapi.yaml': lines.join('\r\n') })
const file = join(folder, 'openapi.yaml')
const problem = (line: number, column: number, rest: Partial<ContractProblem> = {}): ContractProblem => ({
  severity: 'error',
  file,
  line,
  column,
  message: 'is wrong',
  ...rest
})
const report = (...problems: ContractProblem[]) => formatReport(problems, { folder, paint: paintFor({}, {}) })

t.test('an error is its place and a sentence, the line, and a caret', async (t) => {
  t.equal(report(problem(1, 10)), 'openapi.yaml:1:10 is wrong\n  1 | openapi: 3.1.0\n    |          ^')
})

t.test('nothing in a line moves the caret or reaches the terminal', async (t) => {
  t.equal(report(problem(2, 5)), 'openapi.yaml:2:5 is wrong\n  2 |  x: �[31m\n    |     ^')
})

t.test('a long line is cut around the caret', async (t) => {
  const [, line = '', caret = ''] = report(problem(3, 301)).split('\n')
  t.ok(line.length < 120)
  t.equal(line[caret.indexOf('^')], '!')
})

t.test('a line that is not there is left out', async (t) => {
  t.equal(report(problem(9, 1)), 'openapi.yaml:9:1 is wrong')
  t.equal(report(problem(1, 1, { file: join(folder, 'gone.yaml') })), 'gone.yaml:1:1 is wrong')
})

t.test('warnings come first, a line each, and no more than ten', async (t) => {
  const warnings = Array.from({ length: 14 }, (_, index) => problem(1, index + 1, { severity: 'warning' }))
  const told = report(problem(1, 1), ...warnings).split('\n')
  t.equal(told[0], 'openapi.yaml:1:1 is wrong (warning)')
  t.equal(told[10], '… and 4 more warnings')
  t.equal(told[11], 'openapi.yaml:1:1 is wrong')
  t.equal(told.length, 14)
})

t.test('no count stands for a single one', async (t) => {
  const warnings = Array.from({ length: 11 }, (_, index) => problem(1, index + 1, { severity: 'warning' }))
  t.equal(report(...warnings).split('\n').length, 11)
})

t.test('colours are the caller’s', async (t) => {
  const paint: Paint = (style, text) => `<${style}>${text}</>`
  const told = formatReport([problem(1, 1), problem(1, 1, { severity: 'warning' })], { folder, paint })
  t.match(told, /<yellow>\(warning\)<\/>\n<bold>openapi.yaml:1:1<\/> <red>is wrong<\/>/)
})
