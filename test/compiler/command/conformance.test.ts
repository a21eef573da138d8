/** `npm run conformance`: its options and its reports. */
import t from 'tap'
import { grammar, readOptions } from '../../../src/compiler/command/conformance.ts'
import {
  junitReport,
  type Options,
  runConformance,
  textReport
} from '../../../src/compiler/command/conformance-run.ts'
import type { Checked } from '../../../src/compiler/conformance.ts'
import { commandOutcome } from '../../cli/command-outcome.ts'
import { listening, plainServer } from '../conformance/shop-server.ts'

t.setTimeout(120_000)
const paint = (_style: unknown, text: string) => text
const paints = { output: paint, errors: paint }
const contract = 'test/compiler/conformance/shop.yaml'

const options = (...args: readonly string[]) => commandOutcome(args, grammar, readOptions)

async function report(defect: string | undefined, ...args: readonly string[]) {
  const { url, close } = await listening(plainServer(defect))
  t.teardown(close)
  const read = options(
    '--url',
    url.href,
    '--contract',
    contract,
    '--token',
    'token-of-the-shop',
    '--header',
    'X-Key: key-of-the-shop',
    '--requests',
    '40',
    ...args
  )
  const shown: string[] = []
  const ended = await runConformance(read as Options, {
    paints,
    progress: (text) => void shown.push(text)
  })
  return { ...ended, shown }
}

t.test('the text lists each finding with its curl line, then the number and the next step', async (t) => {
  const { text, findings, shown } = await report('a list is an object')
  t.equal(findings, 1)
  t.match(
    text,
    /^1 {2}GET \/items answers 200: body must be array\n {3}response-body; 200 \{\}\n {3}curl [^\n]+\n\n1 finding: 7 operations, \d+ requests, seed 1\nNext: [^\n]+\n$/
  )
  t.match(shown[0], /1\/7 {2}POST \/items {2}\d+ requests/)
  t.ok(shown.at(-1)?.endsWith('\r\u001b[2K'))
})

t.test('the text of a correct server is one line', async (t) => {
  const { text, findings } = await report(undefined, '--seed', '4')
  t.equal(findings, 0)
  t.match(text, /^no finding: 7 operations, \d+ requests, seed 4\n$/)
})

t.test('the JSON has the seed, the counts and the findings', async (t) => {
  const { text } = await report('an operation closes the connection', '--format', 'json')
  const { findings, ...rest } = JSON.parse(text)
  t.match(rest, { seed: 1, operations: 7, requests: Number })
  t.strictSame(Object.keys(rest), ['seed', 'operations', 'requests'])
  t.strictSame(Object.keys(findings[0]), ['check', 'operation', 'message', 'request', 'response', 'curl'])
  t.match(findings[0], {
    check: 'connection',
    operation: 'GET /status',
    request: { method: 'GET', headers: {}, body: null },
    response: null
  })
})

t.test('the JUnit XML has a case for each operation, and escapes what XML does not allow', async (t) => {
  const { text } = await report('U+0000 crashes', '--format', 'junit', '--requests', '200')
  t.match(
    text,
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="conformance" tests="7" failures="1" errors="0">/
  )
  t.match(text, '<testcase classname="conformance" name="GET /status"/>')
  t.match(
    text,
    /<failure type="server-error" message="POST \/items answers 500 to a valid request">curl .*&apos;.*&quot;name&quot;/
  )
  t.notMatch(text, /(?!\n)\p{Cc}/u)
})

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
      ]
    },
    checked: ['GET /a', 'GET /b'],
    locked: ['GET /b', 'GET /c'],
    unchecked: ['GET /a'],
    cut: ['GET /b']
  } as unknown as Checked
  const lines = textReport(checked, paint).split('\n')
  t.equal(lines[0], '1  GET /a\ufffd\ufffd[1m <&>')
  t.equal(lines[1], '   connection; no answer')
  t.equal(lines[5], `   connection; 200 ${'x'.repeat(200)}…`)
  t.match(lines.at(-5), '2 operations: no credentials were given')
  t.match(lines.at(-4), 'GET /a: no valid request was found')
  t.match(lines.at(-3), 'GET /b: requests of more than 100000 values or 1000000 characters were left out')
  const xml = junitReport(checked)
  t.match(xml, 'message="GET /a\\u202e\\u001b[1m &lt;&amp;&gt;">curl &apos;http://x/a&apos;&#10;no answer<')
  t.match(xml, `&#10;200 ${'x'.repeat(300)}<`)
})

t.test('a defect keeps its stack', async (t) => {
  const { url, close } = await listening(plainServer(undefined))
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
    await t.rejects(runConformance(read, { paints, progress: undefined }), {
      message,
      exitCode: 2
    })
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
    [[...url, '--requests', '0'], /^--requests is "0"; expected a whole number above 0$/],
    [[...url, '--format', 'xml'], /^--format is "xml"; expected text, json, junit$/],
    [[...url, '--header', ''], /^--header needs a value; expected /]
  ]
  for (const [args, text] of rows) t.match(options(...args), { exitCode: 2, text }, args.join(' '))
})

t.test('headers may be given several times', async (t) => {
  t.match(options('--url', 'https://x.example/api', '--header', 'A: 1', '--header', 'B:2'), {
    headers: { A: '1', B: '2' },
    seed: 1,
    requests: 200,
    format: 'text'
  })
})
