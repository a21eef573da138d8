/** No report holds a credential, and its curl lines send it all the same. */
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import t from 'tap'
import { paintFor } from '../../../src/cli/format.ts'
import { reportFormats } from '../../../src/compiler/command/generate/report-formats.ts'
import { compileInMemory } from '../../../src/compiler/compile/in-memory.ts'
import { reportOf, textReport } from '../../../src/tools/conformance/command/reported.ts'
import { checkConformance } from '../../../src/tools/conformance/conformance.ts'
import { findingOf } from '../../../src/tools/conformance/finding.ts'
import { Secrets } from '../../../src/tools/conformance/secrets.ts'
import { listening } from './checked-server.ts'

t.setTimeout(900_000)

const run = promisify(execFile)
const base64 = (text: string) => Buffer.from(text).toString('base64')

const schemes = {
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'basic' },
  header: { type: 'apiKey', in: 'header', name: 'X-Key' },
  query: { type: 'apiKey', in: 'query', name: 'key' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'session' }
}

/** Returns every form in which a credential may be seen. */
const formsOf = (text: string) => [
  text,
  encodeURIComponent(text),
  base64(text),
  base64(`${text}:${text}`),
  JSON.stringify(text).slice(1, -1),
  text.slice(0, text.length / 2),
  encodeURIComponent(text.slice(0, text.length / 2)),
  text.replace(/^\w+:/, '')
]

for (const token of ['live-token-0123456789', '-a+b/c="d\'$(e)`f\\g`&<h>', 'user:pa$$word'])
  for (const [name, scheme] of Object.entries(schemes))
    t.test(`${token} as ${name}`, async (t) => {
      const folder = t.testdir({
        'openapi.json': JSON.stringify({
          openapi: '3.1.0',
          info: { title: 'Secrets', version: '1' },
          paths: {
            '/a': {
              get: { operationId: 'a', security: [{ [name]: [] }], responses: { 200: { description: 'ok' } } }
            }
          },
          components: { securitySchemes: { [name]: scheme } }
        })
      })
      const seen: string[] = []
      const server = createServer(({ url, headers }, response) => {
        const credential =
          name === 'query' ? url : headers[{ header: 'x-key', cookie: 'cookie' }[name] ?? 'authorization']
        seen.push(`${credential} ${headers['x-secret']} ${headers['x-plain']}`)
        response.setHeader('x-echo', encodeURIComponent(token))
        const echo = [url, headers, token, base64(token), base64(`${token}:${token}`)]
        response.writeHead(500).end(JSON.stringify(echo))
      })
      const { url, close } = await listening(server)
      t.teardown(close)
      const { contract, model } = await compileInMemory(join(folder, 'openapi.json'))
      const headers = { 'X-Secret': 'Scheme other-secret-987', 'X-Plain': 'plain-value' }
      const checked = await checkConformance({ contract, model, url, token, headers, requests: 5 })
      t.ok(checked.report.findings.length > 0)
      const reported = { ...checked, accepted: [], place: () => ({ file: 'a.yaml', line: 1, column: 1 }) }
      const reports = [
        textReport(reported, paintFor({}, {})),
        JSON.stringify(checked.report),
        ...Object.values(reportFormats).map((format) => format(reportOf(reported)))
      ]
      for (const report of reports) {
        for (const form of [...formsOf(token), ...formsOf('other-secret-987'), 'Scheme other-secret-987'])
          t.notOk(report.includes(form) || report.includes(JSON.stringify(form).slice(1, -1)), form)
        t.match(report, 'TOKEN')
        t.match(report, 'plain-value')
      }
      const sent = seen.filter((each) => each.endsWith('Scheme other-secret-987 plain-value'))
      for (const { curl, check } of checked.report.findings.filter(({ check }) => check === 'server-error')) {
        const before = seen.length
        await run('sh', ['-c', curl], {
          env: { ...process.env, TOKEN: token, X_SECRET: 'Scheme other-secret-987' }
        })
        t.ok(sent.includes(String(seen[before])), `${check} is sent as before`)
      }
    })

t.test('a curl line names its headers, also where a name contains the credential', async (t) => {
  const headers = { 'x-camera-key': 'camera-key', 'x-camera-key-id': '' }
  const exchange = { raw: { method: 'GET', headers }, url: 'http://127.0.0.1/', outcome: { failure: 'x' } }
  const { curl } = findingOf(
    'GET /',
    { check: 'time-out', message: 'x', place: 'x' },
    exchange as never,
    new Secrets({ headers })
  )
  t.match(curl, `-H 'x-camera-key: '"$X_CAMERA_KEY" -H 'x-camera-key-id;'`)
})

t.test('credentials that --header gives', async (t) => {
  const rows = [
    ['Authorization', `Basic ${base64('ada:s3cret-word')}`, ['ada:s3cret-word', base64('ada:s3cret-word')]],
    ['Cookie', 'theme=dark; session=abc%20def123', ['abc%20def123']],
    ['x-api-key', 'kkkk-1111', ['kkkk-1111']],
    ['My-Own', 'declared-value', ['declared-value']]
  ] as const
  for (const [name, value, secret] of rows) {
    const secrets = new Secrets(
      { headers: { [name]: value } },
      { s: { type: 'apiKey', in: 'header', name: 'my-own' } }
    )
    for (const text of [value, ...secret]) t.equal(secrets.hidden(text).includes('$'), true, text)
    t.equal(secrets.hidden(value), `$${name.toUpperCase().replace('-', '_').replace('-', '_')}`)
  }
  const short = new Secrets({ token: 'abc', headers: { 'Accept-Language': 'de-CH-1996' } })
  t.equal(short.hidden('abc de-CH-1996'), 'abc de-CH-1996', 'what is short or public stays')
})

t.test('the half of a token is hidden as it is sent, and within words only if it is long', (t) => {
  const half = (count: number) => `$(printf %.${count}s "$TOKEN")`
  const long = 'abcdefghijklmnop'
  const rows: readonly (readonly [token: string, text: string, hidden: string])[] = [
    ['station-7', '{"status":"401","station":"statistics"}', '{"status":"401","station":"statistics"}'],
    ['station-7', 'GET /?key=stat&a', `GET /?key=${half(4)}&a`],
    ['station-7', '"stat" Bearer stat', `"${half(4)}" Bearer ${half(4)}`],
    ['station-7', 'station-7', '$TOKEN'],
    ['station-7', 'xstation-77', 'x$TOKEN7'],
    ['stat', 'station', '$TOKENion'],
    [
      'a+b=c.d/e',
      'a+b= xa+b= a%2Bb%3D',
      `${half(4)} xa+b= $(node -p 'encodeURIComponent(require("process").argv[1])' -- "${half(4)}")`
    ],
    [`${long}0123456789012345`, `x${long}y`, `x${half(16)}y`]
  ]
  for (const [token, text, hidden] of rows)
    t.equal(new Secrets({ token }).hidden(text), hidden, `${token} ${text}`)
  const header = new Secrets({ headers: { 'X-Key': 'station-7' } })
  t.equal(header.hidden('"status" stat station-7'), '"status" stat $X_KEY', 'halves of headers are not sent')
  t.end()
})

const bytes = (text: string) => Buffer.from(text, 'latin1')
const json = { 'content-type': 'application/json' }
/** Requests that a shell or curl could read differently. */
const requests: readonly (readonly [
  method: string,
  target: string,
  headers: Record<string, string>,
  body?: Buffer
])[] = [
  ['GET', '/', {}],
  ['HEAD', '/a', {}],
  ['HEAD', '/a', json, bytes('{}')],
  ['POST', '/', json, bytes('')],
  ['POST', '/', {}, bytes('')],
  ['POST', '/', { 'Content-Type': '' }, bytes('x')],
  ['POST', '/', {}, bytes('a=b')],
  ['GET', '/', json, bytes('1')],
  ['DELETE', '/', {}, bytes('')],
  ['OPTIONS', '/%2A', {}],
  ['PUT', `/a'b"c$TOKEN\`id\`\\/../[1-9]{a,b}?q='&r=%23'`, {}],
  ['POST', '/', { 'x-a': `it's "$TOKEN" \`id\` \\n !!`, 'x-b': '', 'x-c': '@/etc/passwd', 'x-d': 'a;b' }],
  ['PATCH', '/', json, bytes(`'`)],
  ['PATCH', '/', json, bytes(`it's "$TOKEN" $(id) \`id\` \\n %s !!`)],
  ['PATCH', '/', json, bytes('@/etc/passwd')],
  ['PATCH', '/', json, bytes('-n')],
  ['PATCH', '/', json, bytes('\n')],
  ['PATCH', '/', json, bytes('a\r\n\0\u001b[1m')],
  ['PATCH', '/', json, bytes('--b\r\n%41\\x\xff')],
  ['PATCH', '/', json, bytes('a'.repeat(2000))],
  ['PATCH', '/', json, bytes('a'.repeat(200_000))],
  ['PATCH', '/', json, bytes('the-secret')],
  ['PATCH', '/the-secret', { 'x-a': 'the-secret' }, bytes("'the-secret'")]
]

t.test('the curl line of each request runs in a shell, and sends it', async (t) => {
  const seen: unknown[] = []
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request
    const body = await buffer(request)
    const own = Object.entries(headers).filter(([name]) => /^(x-|content-type)/.test(name))
    seen.push([method, url, Object.fromEntries(own), body.toString('latin1')])
    response.end('ok')
  })
  const { url, close } = await listening(server)
  t.teardown(close)
  for (const secrets of [new Secrets({}), new Secrets({ token: 'the-secret' })])
    for (const [method, target, headers, body] of requests) {
      const exchange = {
        raw: { method, headers, body },
        url: new URL(url).origin + target,
        outcome: { failure: 'x' }
      }
      const { curl } = findingOf(
        'x',
        { check: 'time-out', message: 'x', place: 'x' },
        exchange as never,
        secrets
      )
      const ran = run('sh', ['-s'], { env: { ...process.env, TOKEN: 'the-secret' } })
      ran.child.stdin?.end(curl)
      await t.resolves(ran, curl.slice(0, 200))
      const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
      t.same(
        seen.pop(),
        [method, target, Object.fromEntries(given), (body ?? '').toString('latin1')],
        curl.slice(0, 200)
      )
    }
})
