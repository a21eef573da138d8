/** A report: its formats, the changes that a review has accepted, and the rules with their tables in docs/diff-rules.md. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { formats } from '../../../src/compiler/command/generate/report-formats.ts'
import { ContractError, type ContractProblem } from '../../../src/contract/diagnostics/problem.ts'
import { formatReport } from '../../../src/tools/diff/command/format.ts'
import { type Change, readAccepted, withoutAccepted } from '../../../src/tools/diff/diff.ts'
import { isRule, rules } from '../../../src/tools/diff/operations/rules.ts'

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
const none = { breaking: [], undecided: [], compatible: [] }
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
    const text = formatReport(format, { ...none, breaking: [hostile] }, options)
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
    const found = { ...none, breaking }
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
  const found = { ...none, breaking: changesOf(1, message) }
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
  const edged = { ...none, breaking: changesOf(1, 'a') }
  t.match(formatReport('markdown', edged, { ...options, base: '' }), 'since `  `')
})

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
  for (const text of ['', '# nothing yet\n']) t.strictSame(readAccepted(text, file), [])
})

t.test('a mistake is reported with its place and a sentence', async (t) => {
  const missing = /^reason is missing: every accepted change has a rule, a place and a reason$/
  const rows: readonly (readonly [text: string, line: number, message: RegExp])[] = [
    ['a: 1\n', 1, /^expected a list of \{ rule, place, reason \}$/],
    ['- a\n', 1, /^expected \{ rule, place, reason \}$/],
    ['- { rule: path-removed, place: GET /a }\n', 1, missing],
    ["- rule: path-removed\n  place: GET /a\n  reason: ' '\n", 1, missing],
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
  const of = (rule: Change['rule'], operation: string | null, place: string): Change => ({
    ...{ ...change, message: 'changed' },
    ...{ rule, operation, place }
  })
  const left = of('path-removed', 'GET /b', '')
  const breaking = [
    of('path-removed', 'GET /a', ''),
    of('request-maximum-lowered', 'POST /a', 'body/size'),
    left
  ]
  const undecided = [of('server-removed', null, 'servers')]
  const entries = `
- { rule: path-removed, place: GET /a, reason: announced }
- { rule: request-maximum-lowered, place: POST /a body/size, reason: announced }
- { rule: server-removed, place: servers, reason: announced }
- { rule: path-removed, place: body, reason: announced }
`
  const { report, unused } = withoutAccepted(
    { breaking, undecided, compatible: [] },
    readAccepted(entries, file)
  )
  t.strictSame([report.breaking, report.undecided], [[left], []])
  t.strictSame(
    report.compatible.map(({ message }) => message),
    Array(3).fill('changed (accepted: announced)')
  )
  t.match(unused, [{ rule: 'path-removed', place: 'body', line: 5 }])
})

t.test('names of rules are kebab-case, and each is used once', async (t) => {
  t.ok(rules.length >= 80)
  t.equal(new Set(rules.map(({ id }) => id)).size, rules.length)
  for (const { id } of rules) t.match(id, /^[a-z]+(-[a-z]+)+$/)
  t.notOk(isRule('no-such-rule'))
})

/** Returns the rules that the tables of schemas list, with the lists that their columns say. */
function schemaRulesIn(table: string): string[] {
  const rows = table
    .split('\n')
    .filter((line) => line.includes('-'))
    .map((line) => line.split('|'))
  const words = (cell = '') => [...cell.matchAll(/(?:(\w+): )?`([a-z-]+)`/g)]
  return rows.flatMap(([, about = '', inRequests, inAnswers, inBoth]) => [
    ...words(inRequests).flatMap(([, , word]) => [
      `request-${word} breaking`,
      `response-${word} ${about.endsWith(' answers: undecided ') ? 'undecided' : 'compatible'}`
    ]),
    ...words(inAnswers).flatMap(([, , word]) => [
      `request-${word} ${about.endsWith(' requests: undecided ') ? 'undecided' : 'compatible'}`,
      `response-${word} breaking`
    ]),
    ...words(inBoth).flatMap(([, list, word]) => [`request-${word} ${list}`, `response-${word} ${list}`])
  ])
}

t.test('docs/diff-rules.md lists every rule, under the list that it has', async (t) => {
  const [, ...sections] = readFileSync('docs/diff-rules.md', 'utf8').split(/^## /m)
  const listed = sections.flatMap((section) => {
    const [, list] = /^Operations: (\w+)\n/.exec(section) ?? []
    if (list === undefined) return schemaRulesIn(section)
    return [...section.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, id]) => `${id} ${list}`)
  })
  t.strictSame(listed.sort(), rules.map(({ id, list }) => `${id} ${list}`).sort())
})
