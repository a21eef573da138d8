/** Targets come from clients: what leads into the own network is not called. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { httpExchange } from '../../../src/engine/sender/http-exchange.ts'
import { targetIn } from '../../../src/engine/sender/runtime-expression.ts'
import { guardedLookup, isPublicAddress, type Lookup, targetOf } from '../../../src/engine/sender/target.ts'

const privateAddresses = [
  ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.16.0.1', '172.31.255.255'],
  ...['192.0.0.8', '192.168.1.1', '198.18.0.1', '203.0.113.9', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
  ...[
    '::',
    '::1',
    'fe80::1',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::127.0.0.1'
  ],
  ...['64:ff9b::7f00:1', '2001:db8::1', '2002:7f00:1::', '2001::1', 'host', '']
]
const publicAddresses = [
  '8.8.8.8',
  '172.32.0.1',
  '100.128.0.1',
  '192.1.0.1',
  '2606:4700::1111',
  '2a00:1450::1'
]

t.test('addresses that only the own network reaches', async (t) => {
  for (const address of privateAddresses) t.notOk(isPublicAddress(address), address)
  for (const address of publicAddresses) t.ok(isPublicAddress(address), address)
})

const refused: [url: string, message: string | RegExp][] = [
  ['/events', 'the target is not a URL'],
  ['file:///etc/passwd', 'the target has the scheme file; http or https is needed'],
  ['https://user:pw@example.com/', 'the target has credentials'],
  ['https://user@example.com/', 'the target has credentials'],
  ['http://127.0.0.1/', /127\.0\.0\.1 is not a public address/],
  ['http://0x7f.1/', /127\.0\.0\.1 is not/],
  ['http://2130706433/', /127\.0\.0\.1 is not/],
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
  const server = createServer((_request, response) => response.end('inside')).listen(0, '127.0.0.1')
  t.teardown(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const url = new URL(`http://rebinding.example:${port}/`)
  const asked: string[] = []
  /** Answers with a public address at first, then with that of the server, as a rebinding DNS server does. */
  const lookup: Lookup = (host, _options, callback) => {
    asked.push(host)
    const answers = asked.length === 1 ? ['8.8.8.8', '127.0.0.1'] : ['127.0.0.1']
    callback(
      null,
      answers.map((address) => ({ address, family: 4 }))
    )
  }
  const resolved = (all: boolean) =>
    new Promise((resolve) => {
      guardedLookup({ lookup })('rebinding.example', { all }, (...outcome) => resolve(outcome))
    })
  t.strictSame(await resolved(true), [null, [{ address: '8.8.8.8', family: 4 }]], 'public addresses only')
  const request = { method: 'GET', url, headers: {}, body: new Uint8Array() }
  const options = { signal: AbortSignal.timeout(5000), maxAnswerBytes: 100 }
  const call = (allowPrivateAddresses: boolean) =>
    httpExchange(request, { ...options, lookup: guardedLookup({ lookup, allowPrivateAddresses }) })
  await t.rejects(call(false), {
    name: 'TargetRefused',
    message: /rebinding\.example is not a public address/
  })
  t.equal(await (await call(true)).text(), 'inside')
  t.equal(asked.length, 3, 'once for each connection')
  const first: Lookup = (_host, _options, callback) => callback(null, [{ address: '8.8.4.4', family: 4 }])
  const one = new Promise((resolve) => {
    guardedLookup({ lookup: first })('x', {}, (...outcome) => resolve(outcome))
  })
  t.strictSame(await one, [null, '8.8.4.4', 4])
  const failing: Lookup = (_host, _options, callback) => callback(new Error('no such name'), [])
  const unknown = httpExchange(request, { ...options, lookup: guardedLookup({ lookup: failing }) })
  await t.rejects(unknown, { message: 'no such name' })
})

t.test('the resolver of the system is asked by default', async (t) => {
  const found = new Promise((resolve) => {
    guardedLookup({})('localhost', { all: true }, (...outcome) => resolve(outcome))
  })
  t.match(await found, [{ name: 'TargetRefused' }])
})

const exchange = {
  request: {
    method: 'POST',
    url: '/things?x=1',
    params: { id: 7n },
    query: { back: 'https://a.example/' },
    allHeaders: { 'x-back': 'https://sent.example' },
    headers: { 'x-id': 5 },
    body: { url: 'https://b.example/hook', 'a/b': { '~': [true] } }
  },
  response: { status: 201, headers: { Location: 'https://c.example/1' }, body: 'https://d.example' }
}
const expressions: [template: string, target: string][] = [
  ['{$request.body#/url}', 'https://b.example/hook'],
  ['{$request.body#/url}/{$request.path.id}', 'https://b.example/hook/7'],
  [
    'https://x.example/{$method}?u={$url}&s={$statusCode}',
    'https://x.example/POST?u=%2Fthings%3Fx%3D1&s=201'
  ],
  ['{$request.query.back}', 'https://a.example/'],
  ['{$request.header.X-Back}', 'https://sent.example'],
  ['https://x.example/{$request.header.x-id}', 'https://x.example/5'],
  ['{$request.body#/a~1b/~0/0}', 'true'],
  ['{$response.header.location}', 'https://c.example/1'],
  ['{$response.body}', 'https://d.example'],
  ['https://x.example/fixed', 'https://x.example/fixed']
]
for (const [template, target] of expressions)
  t.test(`the target ${template}`, async (t) => {
    t.equal(targetIn(template, exchange), target)
  })
for (const wrong of [
  '{$request.body#/none}',
  '{$request.body#/a~1b}',
  '{$response.header.x}',
  '{$request.path.x}'
])
  t.test(`the target ${wrong} has no value`, async (t) => {
    t.throws(() => targetIn(wrong, { request: exchange.request }), {
      name: 'TargetRefused',
      message: /has no value/
    })
  })
t.test('another expression is refused', async (t) => {
  t.throws(() => targetIn('{$inputs.x}', exchange), { message: '$inputs.x is not a runtime expression' })
})

const tenants: readonly (readonly [template: string, tenant: string, target: string])[] = [
  ['https://x.example/tenants/{$request.body}/hook', 'a/../b', 'https://x.example/tenants/a%2F..%2Fb/hook'],
  ['https://x.example/tenants/{$request.body}/hook', '...', 'https://x.example/tenants/.../hook'],
  ['https://x.example/tenants/{$request.body}/hook', '%2e%2e', 'https://x.example/tenants/%252e%252e/hook'],
  ['https://x.example/{$request.body}.json', '.', 'https://x.example/..json'],
  ['https://x.example/tenants?id={$request.body}', '..', 'https://x.example/tenants?id=..'],
  ['https://x.example/tenants#{$request.body}', '', 'https://x.example/tenants#'],
  ['https://x.example/tenants/{$request.body}/hook', '..', '$request.body cannot be a path segment'],
  ['https://x.example/tenants/{$request.body}/hook', '.', '$request.body cannot be a path segment'],
  ['https://x.example/tenants/{$request.body}/hook', '', '$request.body cannot be a path segment'],
  ['https://x.example/tenants/{$request.body}', '..', '$request.body cannot be a path segment'],
  ['https://x.example/tenants/{$request.body}?a=1', '..', '$request.body cannot be a path segment'],
  ['https://x.example/tenants/{$request.body}#a', '..', '$request.body cannot be a path segment'],
  ['https://x.example/tenants/.{$request.body}/hook', '.', '$request.body cannot be a path segment'],
  ['https://x.example/tenants/%2E{$request.body}/hook', '.', '$request.body cannot be a path segment'],
  ['https://x.example/tenants/{$request.body}./hook', '.', '$request.body cannot be a path segment'],
  ['{$request.header.x}/{$request.body}/hook', '..', '$request.body cannot be a path segment'],
  ['https://x.example/tenants/{$request.body}', '\ud800', '$request.body is not Unicode']
]
for (const [template, tenant, outcome] of tenants)
  t.test(`the target ${template} with ${JSON.stringify(tenant)}`, async (t) => {
    const call = () => targetIn(template, { request: { body: tenant, headers: { x: 'https://x.example' } } })
    if (outcome.startsWith('$')) t.throws(call, { name: 'TargetRefused', message: outcome })
    else t.equal(call(), outcome)
  })
