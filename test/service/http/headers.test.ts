import { test } from 'tap'
import { createRequestIds, securityHeaders, withHeaders } from '../../../src/service/http/headers.ts'
import { onEachRequest } from '../../../src/service/observability/request-log.ts'
import { createService } from './service.ts'

test('the API has security headers', async (t) => {
  t.strictSame(securityHeaders(false).api, {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'x-content-type-options': 'nosniff'
  })
})

test('Strict-Transport-Security is sent on HTTPS only', async (t) => {
  t.match(securityHeaders(true).api, { 'strict-transport-security': /^max-age=\d+$/ })
  t.match(securityHeaders(true).page, { 'strict-transport-security': /^max-age=/ })
  t.notOk('strict-transport-security' in securityHeaders(false).page)
})

test('the policy of the page allows its own origin only', async (t) => {
  const { 'content-security-policy': policy = '' } = securityHeaders(false).page
  const directives = new Map(policy.split(';').map((each) => [each.split(' ')[0], each.split(' ').slice(1)]))
  t.strictSame(directives.get('script-src'), ["'self'"])
  t.strictSame(directives.get('default-src'), ["'none'"])
  const sources = [...directives.values()].flat()
  t.ok(
    sources.every((source) => /^('.*'|data:|blob:)$/.test(source)),
    sources.join(' ')
  )
})

test('headers are on every answer, and a route may replace them', async (t) => {
  const app = createService(t)
  onEachRequest(app, withHeaders({ 'x-one': '1', 'x-two': '2' }))
  app.get('/', async (_request, reply) => reply.headers({ 'x-two': 'mine' }).send('ok'))
  t.match((await app.inject('/')).headers, { 'x-one': '1', 'x-two': 'mine' })
  t.match((await app.inject('/nowhere')).headers, { 'x-one': '1', 'x-two': '2' })
})

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const fresh = /^[\w-]{12}-[0-9a-z]+$/

const cases: readonly { headers: Record<string, string>; want: string | RegExp }[] = [
  { headers: {}, want: fresh },
  { headers: { 'x-request-id': 'abc-123' }, want: /^abc-123$/ },
  { headers: { 'x-request-id': 'Root=1-67891233-abcdef012345678912345678' }, want: /^Root=1-67891233-/ },
  { headers: { 'x-request-id': 'x'.repeat(128) }, want: /^x{128}$/ },
  { headers: { 'x-request-id': 'x'.repeat(129) }, want: fresh },
  { headers: { 'x-request-id': 'two words' }, want: fresh },
  { headers: { 'x-request-id': '"}{"level":60' }, want: fresh },
  { headers: { 'x-request-id': '' }, want: fresh },
  { headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` }, want: new RegExp(`^${trace}$`) },
  { headers: { traceparent: `cc-${trace}-00f067aa0ba902b7-01-later` }, want: new RegExp(`^${trace}$`) },
  { headers: { 'x-request-id': 'mine', traceparent: `00-${trace}-00f067aa0ba902b7-01` }, want: /^mine$/ },
  {
    headers: { 'x-request-id': 'a b', traceparent: `00-${trace}-00f067aa0ba902b7-01` },
    want: new RegExp(`^${trace}$`)
  },
  { headers: { traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` }, want: fresh },
  { headers: { traceparent: `00-${trace}-${'0'.repeat(16)}-01` }, want: fresh },
  { headers: { traceparent: `ff-${trace}-00f067aa0ba902b7-01` }, want: fresh },
  { headers: { traceparent: `00-${trace.toUpperCase()}-00f067aa0ba902b7-01` }, want: fresh }
]

test('a valid id of the client is kept, any other is replaced', async (t) => {
  for (const { headers, want } of cases) {
    t.match(createRequestIds()({ headers }), want, JSON.stringify(headers))
  }
})

test('two new ids differ', async (t) => {
  const requestId = createRequestIds()
  t.not(requestId({ headers: {} }), requestId({ headers: {} }))
})
