/** The three formats of a report. */
import t from 'tap'
import { formatReport } from '../../../../src/compiler/command/contract-diff/format.ts'
import type { Change } from '../../../../src/compiler/diff.ts'

const change: Change = {
  rule: 'path-removed',
  operation: 'GET /a',
  place: '',
  message: '100% of\r\n\u001b[2J GET /a: gone',
  file: 'a,b:c.yaml',
  line: 3,
  column: 5
}
const report = { breaking: [change], undecided: [{ ...change, operation: null }], compatible: [change] }
const options = { paint: (_style: unknown, text: string) => text, base: 'HEAD' }

t.test('annotations escape characters that end a property or a line', async (t) => {
  const [error, warning, notice] = formatReport('github', report, options).split('\n')
  const rest = 'file=a%2Cb%3Ac.yaml,line=3,col=5,title=path-removed::'
  t.equal(error, `::error ${rest}GET /a 100%25 of%0D%0A\ufffd[2J GET /a: gone`)
  t.match(warning, /^::warning .*::100%25 of/)
  t.match(notice, /^::notice /)
})

t.test('a contract writes no control characters to a terminal', async (t) => {
  const [first] = formatReport('text', report, options).split('\n')
  t.equal(first, 'breaking   a,b:c.yaml:3:5 GET /a 100% of���[2J GET /a: gone (path-removed)')
  t.match(formatReport('text', report, options), /\n1 breaking, 1 undecided, 1 compatible since HEAD\n$/)
})

t.test('colours of a contract, and what turns the direction of text, do not reach a terminal', async (t) => {
  const hostile = {
    ...change,
    operation: 'GET /\u001b[31m',
    message: '\u202e\u009b',
    file: 'a\u001b[1m.yaml'
  }
  for (const format of ['text', 'json', 'github'] as const) {
    const text = formatReport(format, { breaking: [hostile], undecided: [], compatible: [] }, options)
    t.notMatch(text, /[^\P{Cc}\n]|\p{Bidi_Control}/u, format)
  }
})

t.test('JSON is the report', async (t) =>
  t.strictSame(JSON.parse(formatReport('json', report, options)), report)
)
