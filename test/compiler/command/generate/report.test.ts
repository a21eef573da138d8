import { join } from 'node:path'
import t from 'tap'
import { type Paint, paintFor } from '../../../../src/cli/format.ts'
import { formatReport } from '../../../../src/compiler/command/generate/report.ts'
import type { ContractProblem } from '../../../../src/contract/diagnostics/problem.ts'

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

t.test('an error is printed with its location, a sentence, the source line and a caret', async (t) => {
  t.equal(report(problem(1, 10)), 'openapi.yaml:1:10 is wrong\n  1 | openapi: 3.1.0\n    |          ^')
})

t.test(
  'tabs and control characters of a line are replaced, so that the caret is in the right column',
  async (t) => {
    t.equal(report(problem(2, 5)), 'openapi.yaml:2:5 is wrong\n  2 |  x: �[31m\n    |     ^')
  }
)

t.test('a long line is cut around the caret', async (t) => {
  const [, line = '', caret = ''] = report(problem(3, 301)).split('\n')
  t.ok(line.length < 120)
  t.equal(line[caret.indexOf('^')], '!')
})

t.test('a source line that does not exist is left out', async (t) => {
  t.equal(report(problem(9, 1)), 'openapi.yaml:9:1 is wrong')
  t.equal(report(problem(1, 1, { file: join(folder, 'gone.yaml') })), 'gone.yaml:1:1 is wrong')
})

t.test('errors come first, then at most ten warnings, each with its source line', async (t) => {
  const warnings = Array.from({ length: 14 }, (_, index) => problem(1, index + 1, { severity: 'warning' }))
  const lines = report(...warnings, problem(1, 1)).split('\n')
  t.equal(lines.length, 34)
  t.equal(lines[0], 'openapi.yaml:1:1 is wrong')
  t.strictSame(lines.slice(3, 6), ['openapi.yaml:1:1 is wrong (warning)', '  1 | openapi: 3.1.0', '    | ^'])
  t.equal(lines[33], '… and 4 more warnings')
})

t.test('at most twenty errors are shown', async (t) => {
  const errors = Array.from({ length: 25 }, (_, index) => problem(9, index + 1))
  const lines = report(...errors).split('\n')
  t.equal(lines.length, 21)
  t.equal(lines[20], '… and 5 more errors')
})

t.test('warnings about what is served come before those about examples', async (t) => {
  const style = { severity: 'warning', rule: 'example' } as const
  const lines = report(problem(1, 1, style), problem(1, 2, { severity: 'warning' }), problem(1, 3, style))
  t.strictSame(
    lines.split('\n').flatMap((line) => (line.startsWith('openapi') ? [line.slice(0, 16)] : [])),
    ['openapi.yaml:1:2', 'openapi.yaml:1:1', 'openapi.yaml:1:3']
  )
})

t.test('a single remaining warning is shown instead of counted', async (t) => {
  const warnings = Array.from({ length: 11 }, (_, index) => problem(1, index + 1, { severity: 'warning' }))
  t.equal(report(...warnings).split('\n').length, 33)
})

t.test('the caller chooses the colours', async (t) => {
  const paint: Paint = (style, text) => `<${style}>${text}</>`
  const text = formatReport([problem(1, 1), problem(1, 1, { severity: 'warning' })], { folder, paint })
  t.match(
    text,
    /^<bold>openapi.yaml:1:1<\/> <red>is wrong<\/>[\s\S]*<yellow>\(warning\)<\/>\n.*\n.*<yellow>\^<\/>$/
  )
})
