/** The formats of a report. */
import t from 'tap'
import { formats } from '../../../../src/compiler/command/generate/report-formats.ts'
import { formatReport } from '../../../../src/tools/diff/command/format.ts'
import type { Change } from '../../../../src/tools/diff/diff.ts'

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
  for (const format of [...formats, 'html'] as const) {
    const text = formatReport(format, { breaking: [hostile], undecided: [], compatible: [] }, options)
    t.notMatch(text, /[^\P{Cc}\n]|\p{Bidi_Control}/u, format)
  }
})

t.test('SARIF and JUnit name each change by its rule and operation', async (t) => {
  const sarif = JSON.parse(formatReport('sarif', report, options))
  t.strictSame(
    sarif.runs[0].results.map(({ level }: { level: string }) => level),
    ['error', 'warning', 'note']
  )
  t.match(
    formatReport('junit', report, options),
    '<testsuites name="contract:diff" tests="1" failures="1" errors="0">'
  )
  const none = { breaking: [], undecided: [], compatible: [] }
  t.match(formatReport('junit', none, options), '<testcase classname="contract:diff" name="the contract"/>')
})

t.test('JSON is the report', async (t) =>
  t.strictSame(JSON.parse(formatReport('json', report, options)), report)
)

const changesOf = (count: number, message: string): Change[] =>
  Array.from({ length: count }, (_none, index) => ({ ...change, operation: `GET /a${index}`, message }))

t.test('a comment says what breaks, for whom, and what to do', async (t) => {
  const rows: readonly [rule: Change['rule'], place: string, who: string, advice: RegExp][] = [
    ['path-removed', '', 'Clients that call these operations', /`x-sunset`/],
    ['request-max-length-lowered', 'body/name', 'Clients that send these requests', /Accept what/],
    ['parameter-texts-narrowed', 'query/q', 'Clients that send these requests', /Accept what/],
    ['response-type-widened', '200/body', 'Clients that read these answers', /Answer within/],
    ['security-added', 'security', 'Clients with the credentials of before', /Accept these credentials/],
    ['server-removed', 'servers', 'Clients that use these URLs', /redirect/],
    ['response-type-widened', 'webhooks/done post/body', 'Receivers of callbacks and webhooks', /Send what/]
  ]
  for (const [rule, place, who, advice] of rows) {
    const breaking = [{ ...change, rule, place, message: 'it has changed' }]
    const found = { breaking, undecided: [], compatible: [] }
    const comment = formatReport('markdown', found, options)
    t.match(
      comment,
      /^<!-- contract:diff -->\n### This breaks clients: 1 breaking, 0 undecided, .* since `HEAD`\n/
    )
    t.match(comment, `**${who}**: `)
    t.match(comment, advice)
    t.match(comment, `- \`GET /a it has changed\` (\`a,b:c.yaml:3\`, \`${rule}\`)\n`)
    t.match(comment, `- rule: ${rule}\n  place: "GET /a${place === '' ? '' : ` ${place}`}"\n  reason: \n`)
    t.match(formatReport('html', found, options), `<h3>${who}</h3>`)
  }
  const none = { breaking: [], undecided: [], compatible: [] }
  const nothing = 'Nothing that matters to a client has changed since'
  t.equal(formatReport('markdown', none, options), `<!-- contract:diff -->\n### ${nothing} \`HEAD\`\n`)
  t.match(formatReport('html', none, options), `<h1>${nothing} HEAD</h1>`)
  const harmless = formatReport('markdown', { ...none, compatible: [change] }, options)
  t.match(harmless, /### Nothing breaks: .*\n\n<details><summary>What is compatible<\/summary>/)
})

t.test('a comment has at most 60,000 characters, and says what it leaves out', async (t) => {
  for (const [count, message] of [
    [3000, 'short'],
    [400, 'x'.repeat(5000)]
  ] as const) {
    const many = changesOf(count, message)
    const comment = formatReport('markdown', { breaking: many, undecided: many, compatible: many }, options)
    const shown = comment.split('\n').filter((line) => line.startsWith('- ')).length
    t.ok(comment.length > 50_000 && comment.length <= 60_000, String(comment.length))
    t.match(
      comment,
      `\n${(count * 3 - shown).toLocaleString('en')} more changes: \`npm run contract:diff\` lists all of them.\n`
    )
  }
})

t.test('nothing in a contract is Markdown or HTML of a comment or a page', async (t) => {
  const message = '``` </details> @all <b title="x">&amp; **a** [b](c)`'
  const found = { breaking: changesOf(1, message), undecided: [], compatible: [] }
  const shown = `GET /a0 ${message}`
  t.match(formatReport('markdown', found, options), `- \`\`\`\` ${shown} \`\`\`\` (`)
  const html = 'GET /a0 ``` &lt;/details&gt; @all &lt;b title=&quot;x&quot;&gt;&amp;amp; **a** [b](c)`'
  t.match(formatReport('html', found, options), `<li><code>${html}</code>`)
  const whole = { breaking: [{ ...change, operation: null, message }], undecided: [], compatible: [change] }
  t.match(formatReport('markdown', whole, options), `- rule: path-removed\n  place: ""\n`)
  t.match(formatReport('markdown', whole, options), /- ```` ``` <\/details> @all/)
  t.match(formatReport('html', whole, options), '<li><code>``` &lt;/details&gt;')
  const fenced = { ...whole, breaking: [{ ...change, place: 'body/```' }] }
  t.match(formatReport('markdown', fenced, options), '\n````yaml\n')
  const edged = { breaking: changesOf(1, 'a'), undecided: [], compatible: [] }
  t.match(formatReport('markdown', edged, { ...options, base: '' }), 'since `  `')
})
