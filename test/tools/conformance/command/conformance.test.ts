/** `npm run conformance`: its options and its reports. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { reportFormats } from '../../../../src/compiler/command/generate/report-formats.ts'
import { contractCoverage } from '../../../../src/engine/coverage.ts'
import { grammar, readOptions } from '../../../../src/tools/conformance/command/conformance.ts'
import { type Reported, reportOf, textReport } from '../../../../src/tools/conformance/command/reported.ts'
import { type Options, runConformance } from '../../../../src/tools/conformance/command/run.ts'
import { commandOutcome } from '../../../cli/command-outcome.ts'
import { listening } from '../checked-server.ts'
import { defects } from '../defects.ts'
import { frontedServer, key, token } from '../fronts.ts'

t.setTimeout(900_000)
const paint = (_style: unknown, text: string) => text
const paints = { output: paint, errors: paint }
const contract = 'test/tools/conformance/shop.yaml'

const shopServer = (defect = '') =>
  frontedServer('shop', Object.values(defects['shop'] ?? {}).find((rows) => defect in rows)?.[defect])

const options = (...args: readonly string[]) => commandOutcome(args, grammar, readOptions)

async function report(defect: string | undefined, ...args: readonly string[]) {
  const { url, close } = await listening(await shopServer(defect))
  t.teardown(close)
  const read = options(
    '--url',
    url.href,
    '--contract',
    contract,
    '--token',
    token,
    '--header',
    `X-Key: ${key}`,
    '--requests',
    '4',
    ...args
  )
  const shown: string[] = []
  const ended = await runConformance(read as Options, { paints, progress: (text) => void shown.push(text) })
  return { ...ended, shown }
}

t.test('the text lists each finding with its curl line, then the number and the next step', async (t) => {
  const { text, findings, shown } = await report('a list is an object')
  t.equal(findings, 1)
  t.match(
    text,
    /^1 {2}GET \/items answers 200: body must be array\n {3}response-body; 200 \{\}\n {3}curl [^\n]+\n\n1 finding: 7 operations, [\d,]+ requests, seed 1\nseen: operations 7 of 7\nseen: statuses (?:[^\n]+\n){3}Next: [^\n]+\n$/
  )
  t.match(shown[0], /1\/7 {2}POST \/items {2}\d+ requests/)
  t.ok(shown.at(-1)?.endsWith('\r\u001b[2K'))
})

t.test('the text of a correct server says what was seen of the contract', async (t) => {
  const { text, findings } = await report(undefined, '--seed', '4')
  t.equal(findings, 0)
  t.match(
    text,
    /^no finding: 7 operations, [\d,]+ requests, seed 4\nseen: operations 7 of 7\nseen: statuses 22 of 25; never: [^\n]+\nseen: media types [^\n]+\nseen: parameters 8 of 8\n$/
  )
})

t.test('the JSON has the seed, the counts and the findings', async (t) => {
  const { text } = await report('an operation closes the connection', '--format', 'json')
  const { findings, ...rest } = JSON.parse(text)
  t.match(rest, { seed: 1, operations: 7, requests: Number })
  t.strictSame(Object.keys(rest), ['seed', 'operations', 'requests', 'accepted', 'coverage'])
  t.strictSame(Object.keys(findings[0]), ['check', 'operation', 'message', 'request', 'response', 'curl'])
  t.match(findings[0], {
    check: 'connection',
    operation: 'GET /status',
    request: { method: 'GET', headers: {}, body: null },
    response: null
  })
})

t.test('the JUnit XML has a case for each operation, and escapes what XML does not allow', async (t) => {
  const { text } = await report('U+0000 crashes', '--format', 'junit')
  t.match(
    text,
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="conformance" tests="7" failures="1" errors="0">/
  )
  t.match(text, '<testcase classname="conformance" name="GET /status"/>')
  t.match(
    text,
    /<failure type="server-error" message="POST \/items answers 500 to a valid request with unusual Unicode">curl .*&apos;.*&quot;name&quot;/
  )
  t.notMatch(text, /(?!\n)\p{Cc}/u)
})

const operationsOf = (count: number) =>
  ({
    operations: Array.from({ length: count }, (_, index) => ({
      ...{ method: 'GET', path: `/${index}`, responses: {}, parameters: [] }
    }))
  }) as unknown as Parameters<typeof contractCoverage>[0]

t.test('unchecked operations, missing answers, and control characters in reports', async (t) => {
  const finding = {
    check: 'connection',
    operation: 'GET /a',
    message: 'GET /a\u202e\u001b[1m <&>',
    request: { method: 'GET', url: 'http://x/a', headers: {}, body: null },
    curl: "curl 'http://x/a'"
  } as const
  const response = { status: 200, headers: {}, body: 'x'.repeat(300) }
  const checked = {
    report: {
      seed: 1,
      operations: 2,
      requests: 3,
      findings: [
        { ...finding, response: null },
        { ...finding, response }
      ],
      coverage: contractCoverage({ operations: [] }).report()
    },
    checked: ['GET /a', 'GET /b'],
    locked: ['GET /b', 'GET /c'],
    unchecked: ['GET /a'],
    cut: ['GET /b'],
    skipped: [],
    accepted: [{ ...finding, response, reason: 'is known\u001b' }],
    place: () => ({ file: 'a b.yaml', line: 3, column: 5 })
  } as unknown as Reported
  const lines = textReport(checked, paint).split('\n')
  t.equal(lines[0], '1  GET /a\ufffd\ufffd[1m <&>')
  t.equal(lines[1], '   connection; no answer')
  t.equal(lines[5], `   connection; 200 ${'x'.repeat(200)}…`)
  t.match(lines.at(-10), '2 operations: no credentials were given')
  t.match(lines.at(-9), 'GET /a: no valid request was found')
  t.match(lines.at(-8), 'GET /b: requests of more than 100000 values or 1000000 characters were left out')
  t.equal(lines.at(-7), 'accepted: GET /a\ufffd\ufffd[1m <&> (is known\ufffd)')
  const markdown = reportFormats.markdown(reportOf(checked))
  t.match(
    markdown,
    /^### 2 findings\n\n2 operations, 3 requests, seed 1\n\n- \*\*GET \/a\ufffd\ufffd\\\[1m \\<\\&\\>\*\* \(`connection`, a b\.yaml:3\)/
  )
  t.match(markdown, '- accepted: GET /a')
  t.equal(
    reportFormats.github(reportOf(checked)),
    "::error file=a b.yaml,line=3,col=5,title=connection::GET /a\ufffd\ufffd[1m <&>%0Acurl 'http://x/a'\n".repeat(
      2
    )
  )
  const { runs } = JSON.parse(reportFormats.sarif(reportOf(checked)))
  t.match(runs[0].results[0], {
    ruleId: 'connection',
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: 'a%20b.yaml' },
          region: { startLine: 3, startColumn: 5 }
        }
      }
    ]
  })
  t.strictSame(
    runs[0].results.map(({ suppressions }: { suppressions?: unknown[] }) => suppressions?.length),
    [undefined, undefined, 1]
  )
  const many = Array.from({ length: 51 }, () => ({ ...finding, response, curl: 'curl `date` ```' }))
  const coverage = contractCoverage(operationsOf(20)).report()
  const shown = { ...checked, report: { ...checked.report, findings: many, coverage } } as Reported
  t.match(reportFormats.markdown(reportOf(shown)), '\n… and 1 more.\n')
  t.match(reportFormats.markdown(reportOf(shown)), /\n {2}````\n {2}curl `date` ```\n {2}````\n/)
  t.match(textReport(shown, paint), /seen: operations 0 of 20; never: [^\n]+, and 8 more\n/)
  const absolute = { ...shown, place: () => ({ file: '/a b.yaml', line: 1, column: 1 }) }
  t.match(reportFormats.sarif(reportOf(absolute)), '"uri": "file:///a%20b.yaml"')
  const none = { ...checked, accepted: [], report: { ...checked.report, findings: [] } }
  t.match(reportFormats.markdown(reportOf(none)), /^### The server does what its contract says\n/)
  const xml = reportFormats.junit(reportOf(checked))
  t.match(xml, 'message="GET /a\\u202e\\u001b[1m &lt;&amp;&gt;">curl &apos;http://x/a&apos;&#10;no answer<')
  t.match(xml, `&#10;200 ${'x'.repeat(300)}<`)
})

t.test('a defect keeps its stack', async (t) => {
  const { url, close } = await listening(await shopServer())
  t.teardown(close)
  const read = options('--url', url.href, '--contract', contract, '--requests', '1') as Options
  const progress = () => {
    throw new TypeError('a defect')
  }
  await t.rejects(runConformance(read, { paints, progress }), { constructor: TypeError, message: 'a defect' })
})

t.test('no server answers', async (t) => {
  const read = options('--url', 'http://127.0.0.1:1', '--contract', contract) as Options
  await t.rejects(runConformance(read, { paints, progress: undefined }), {
    message: 'nobody answers at http://127.0.0.1:1: ECONNREFUSED',
    exitCode: 2
  })
})

t.test('a contract that is not there, or wrong, ends the command with 2', async (t) => {
  for (const [file, message] of [
    ['nope.yaml', /nope\.yaml cannot be read/],
    ['package.json', /expected an OpenAPI document/]
  ] as const) {
    const read = options('--url', 'http://127.0.0.1:1', '--contract', file) as Options
    await t.rejects(runConformance(read, { paints, progress: undefined }), { message, exitCode: 2 })
  }
})

t.test('mistakes in the command line', async (t) => {
  const url = ['--url', 'http://127.0.0.1:1']
  const rows: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /^--url is missing; expected --url, --contract, /],
    [['--url', 'nonsense'], /^--url is "nonsense"; expected an http:\/\/ or https:\/\/ URL$/],
    [['--url', 'ftp://x'], /^--url is "ftp:\/\/x"/],
    [[...url, '--header', 'nonsense'], /^--header must be 'Name: value'$/],
    [[...url, '--seed', 'x'], /^--seed is "x"; expected a whole number$/],
    [[...url, '--requests', '-1'], /^--requests is "-1"; expected a whole number, 0 or more$/],
    [[...url, '--format', 'xml'], /^--format is "xml"; expected text, json, markdown, github, sarif, junit$/],
    [[...url, '--header', ''], /^--header needs a value; expected /]
  ]
  for (const [args, text] of rows) t.match(options(...args), { exitCode: 2, text }, args.join(' '))
})

t.test('headers may be given several times', async (t) => {
  t.match(options('--url', 'https://x.example/api', '--header', 'A: 1', '--header', 'B:2'), {
    headers: { A: '1', B: '2' },
    seed: 1,
    requests: 200,
    only: [],
    skip: [],
    format: 'text'
  })
})

t.test('--only and --skip choose operations; an unknown name is a mistake', async (t) => {
  const { text } = await report(undefined, '--only', '/items*', '--skip', 'DELETE *', '--format', 'text')
  t.match(text, /^no finding: 4 operations, /)
  t.match(text, '3 operations: left out by --only or --skip')
  await t.rejects(report(undefined, '--only', 'GET /item', '--skip', 'getItem'), {
    message: 'no operation is named GET /item',
    exitCode: 2
  })
})

t.test('an operation without a valid request is named with the part that has no value', async (t) => {
  const { url, close } = await listening(await shopServer())
  t.teardown(close)
  const none = { type: 'string', pattern: '^(?=x)y$' }
  const schema = { type: 'object', required: ['zip'], properties: { zip: none } }
  const requestBody = { required: true, content: { 'application/json': { schema } } }
  const parameters = [{ name: 'q', in: 'query', required: true, schema: none }]
  const operations = { get: { parameters, responses: {} }, post: { requestBody, responses: {} } }
  const document = { openapi: '3.1.0', info: { title: 'x', version: '1' }, paths: { '/a': operations } }
  const folder = t.testdir({ 'a.json': JSON.stringify(document) })
  const read = options('--url', url.href, '--contract', join(folder, 'a.json')) as Options
  const { root: _root, ...rootless } = read
  const { findings, unmade, warnings } = await runConformance(rootless, { paints, progress: undefined })
  t.strictSame([findings, unmade], [0, 2])
  const because = 'is not checked, because no valid request is found: no value is found for'
  t.match(warnings, `POST /a ${because} body/zip`)
  t.match(warnings, `GET /a ${because} query/q`)
})

t.test('conformance-accepted.yaml beside the contract accepts findings with a reason', async (t) => {
  const { url, close } = await listening(await shopServer('a list is an object'))
  t.teardown(close)
  const shop = readFileSync(contract, 'utf8')
  const ran = (list: string, format: string) => {
    const folder = t.testdir({ 'shop.yaml': shop, 'conformance-accepted.yaml': list })
    const args = ['--url', url.href, '--contract', join(folder, 'shop.yaml'), '--token', token]
    const read = options(...args, '--only', 'listItems', '--requests', '0', '--format', format) as Options
    const { root: _root, ...rootless } = read
    return runConformance(rootless, { paints, progress: undefined })
  }
  const entry = '- { check: response-body, operation: GET /items, message: must be array, reason: is old }\n'
  const unused = '- { check: time-out, operation: GET /items, reason: is slow }\n'
  const { text, findings, warnings } = await ran(entry + unused, 'text')
  t.equal(findings, 0)
  t.match(text, 'accepted: GET /items answers 200: body must be array (is old)')
  t.match(
    warnings,
    /conformance-accepted\.yaml:2:3 matches no finding: time-out GET \/items; remove the entry\n$/
  )
  const { runs } = JSON.parse((await ran(entry, 'sarif')).text)
  t.match(runs[0].results, [
    {
      ruleId: 'response-body',
      suppressions: [{ justification: 'is old' }],
      locations: [{ physicalLocation: { region: { startLine: 8, startColumn: 5 } } }]
    }
  ])
  t.match((await ran('', 'markdown')).text, /^### 1 finding\n/)
  for (const [list, message] of [
    [
      '- { check: response-bodi, operation: a, reason: b }',
      /there is no check response-bodi; expected server-error, /
    ],
    ['- { check: time-out, operation: a, reason: b, message: 7 }', /message is not a text/],
    ['- { check: time-out, operation: a }', /reason is missing: every accepted finding has/]
  ] as const)
    await t.rejects(ran(list, 'text'), { message, exitCode: 2 })
})
