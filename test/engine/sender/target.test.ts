/** Targets come from clients: what leads into the own network is not called. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { httpExchange } from '../../../src/engine/sender/http-exchange.ts'
import {
  guardedLookup,
  isPublicAddress,
  type Lookup,
  targetIn,
  targetOf
} from '../../../src/engine/sender/target.ts'

const privateAddresses = `
  0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.168.1.1 198.18.0.1
  203.0.113.9 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 fe80::1 fc00::1 fd12::1 ff02::1 ::ffff:127.0.0.1
  ::ffff:8.8.8.8 ::127.0.0.1 64:ff9b::7f00:1 2001:db8::1 2002:7f00:1:: 2001::1 host`
const publicAddresses = '8.8.8.8 172.32.0.1 100.128.0.1 192.1.0.1 2606:4700::1111 2a00:1450::1'

t.test('addresses that only the own network reaches', async (t) => {
  for (const address of ['', ...privateAddresses.trim().split(/\s+/)])
    t.notOk(isPublicAddress(address), address)
  for (const address of publicAddresses.split(' ')) t.ok(isPublicAddress(address), address)
})

const refused: [url: string, message: string | RegExp][] = [
  ['/events', 'the target is not a URL'],
  ['file:///etc/passwd', 'the target has the scheme file; http or https is needed'],
  ['https://user:pw@example.com/', 'the target has credentials'],
  ['http://127.0.0.1/', /127\.0\.0\.1 is not a public address/],
  ['http://0x7f.1/', /127\.0\.0\.1 is not/],
  ['http://[::ffff:169.254.169.254]/', /::ffff:a9fe:a9fe is not/],
  ['http://[::1]:8080/', /::1 is not/]
]
for (const [url, message] of refused)
  t.test(`the target ${url} is refused`, async (t) => {
    t.throws(() => targetOf(url, {}), { name: 'TargetRefused', message })
  })

t.test('private addresses are called where that is permitted', async (t) => {
  t.equal(targetOf(new URL('http://[::1]/x'), { allowPrivateAddresses: true }).href, 'http://[::1]/x')
})

t.test('a name is resolved once, and the connection goes to an address of that answer', async (t) => {
  const server = createServer((_request, response) => response.end('inside'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.close())
  const url = new URL(`http://rebinding.example:${(server.address() as AddressInfo).port}/`)
  let asked = 0
  /** Answers with a public address at first, then with that of the server, as a rebinding DNS server does. */
  const lookup: Lookup = (_host, _options, callback) => {
    const answers = asked++ === 0 ? ['8.8.8.8', '127.0.0.1'] : ['127.0.0.1']
    callback(
      null,
      answers.map((address) => ({ address, family: 4 }))
    )
  }
  const resolved = (rules: { lookup?: Lookup }, all: boolean, host = 'x') =>
    new Promise((resolve) => {
      guardedLookup(rules)(host, { all }, (...outcome) => resolve(outcome))
    })
  t.strictSame(await resolved({ lookup }, true), [null, [{ address: '8.8.8.8', family: 4 }]])
  const request = { method: 'GET', url, headers: {}, body: new Uint8Array() }
  const options = { signal: AbortSignal.timeout(5000), maxAnswerBytes: 100 }
  const call = (rules: Parameters<typeof guardedLookup>[0]) =>
    httpExchange(request, { ...options, lookup: guardedLookup(rules) })
  const message = /rebinding\.example is not a public address/
  await t.rejects(call({ lookup }), { name: 'TargetRefused', message })
  t.equal(await (await call({ lookup, allowPrivateAddresses: true })).text(), 'inside')
  t.equal(asked, 3, 'once for each connection')
  const first: Lookup = (_host, _options, callback) => callback(null, [{ address: '8.8.4.4', family: 4 }])
  t.strictSame(await resolved({ lookup: first }, false), [null, '8.8.4.4', 4])
  const failing: Lookup = (_host, _options, callback) => callback(new Error('no such name'), [])
  await t.rejects(call({ lookup: failing }), { message: 'no such name' })
  t.match(await resolved({}, true, 'localhost'), [{ name: 'TargetRefused' }], 'the resolver of the system')
})

const exchange = {
  request: {
    ...{ method: 'POST', url: '/things?x=1', params: { id: 7n }, query: { back: 'https://a.example/' } },
    ...{ allHeaders: { 'x-back': 'https://sent.example' }, headers: { 'x-id': 5 } },
    body: { url: 'https://b.example/hook', 'a/b': { '~': [true] } }
  },
  response: { status: 201, headers: { Location: 'https://c.example/1' }, body: 'https://d.example' }
}
const expressions: readonly (readonly [template: string, target: string])[] = [
  ['{$request.body#/url}/{$request.path.id}', 'https://b.example/hook/7'],
  ['https://x/{$method}?u={$url}&s={$statusCode}', 'https://x/POST?u=%2Fthings%3Fx%3D1&s=201'],
  ['{$request.header.X-Back}', 'https://sent.example'],
  ['https://x.example/{$request.header.x-id}', 'https://x.example/5'],
  ['{$request.body#/a~1b/~0/0}', 'true'],
  ['{$response.header.location}', 'https://c.example/1'],
  ['{$response.body}', 'https://d.example'],
  ['{$request.body#/none}', '$request.body#/none has no value that a URL can have'],
  ['{$request.body#/a~1b}', '$request.body#/a~1b has no value that a URL can have'],
  ['{$request.path.x}', '$request.path.x has no value that a URL can have'],
  ['{$inputs.x}', '$inputs.x is not a runtime expression']
]
const noSegment = '$request.body cannot be a path segment'
/** Templates below `https://x.example/` with a tenant of a client, and the end of the target or the message. */
const tenants: readonly (readonly [template: string, tenant: string, outcome: string])[] = [
  ['t/{$request.body}/hook', 'a/../b', 't/a%2F..%2Fb/hook'],
  ['t/{$request.body}/hook', '%2e%2e', 't/%252e%252e/hook'],
  ['{$request.body}.json', '.', '..json'],
  ['t?id={$request.body}', '..', 't?id=..'],
  ['t#{$request.body}', '', 't#'],
  ['t/{$request.body}/hook', '..', noSegment],
  ['t/{$request.body}/hook', '', noSegment],
  ['t/{$request.body}', '..', noSegment],
  ['t/.{$request.body}/hook', '.', noSegment],
  ['t/%2E{$request.body}/hook', '.', noSegment],
  ['t/{$request.body}./hook', '.', noSegment],
  ['t/{$request.body}', '\ud800', '$request.body is not Unicode']
]
const base = 'https://x.example/'
const templates = [
  ...expressions.map((row) => [...row, exchange] as const),
  ...tenants.map(([template, body, outcome]) => {
    const target = outcome.startsWith('$') ? outcome : base + outcome
    return [base + template, target, { request: { body } }] as const
  }),
  [
    '{$request.header.x}/{$request.body}/h',
    noSegment,
    { request: { body: '..', headers: { x: base } } }
  ] as const
]
for (const [template, outcome, on] of templates)
  t.test(`the target ${template} with ${JSON.stringify(on.request.body)}`, async (t) => {
    if (!outcome.startsWith('$')) t.equal(targetIn(template, on), outcome)
    else t.throws(() => targetIn(template, on), { name: 'TargetRefused', message: outcome })
  })
