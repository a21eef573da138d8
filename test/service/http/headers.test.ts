import { test } from 'tap'
import { securityHeaders, withHeaders } from '../../../src/service/http/headers.ts'
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
