import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LightMyRequestResponse } from 'fastify'
import { type Test, test } from 'tap'
import contract from '../generated/contract.ts'
import { buildApp, plantStore } from '../src/app.ts'
import type { Contract } from '../src/engine/server.ts'
import { type Environment, readConfig } from '../src/service/config/config.ts'
import { PlantRefused, type Store } from '../src/store/store.ts'

async function app(t: Test, environment: Environment = {}, store: Partial<Store> = {}) {
  const config = readConfig(environment)
  const whole: Store = {
    depth: 0,
    create: async () => 'created',
    get: async () => undefined,
    page: async () => [],
    note: async () => undefined,
    rewrite: async () => true,
    ready: async () => true,
    close: async () => {},
    ...store
  }
  const authenticate = (token: string) =>
    token === 'good' ? { id: 'token:1', scopes: [], claims: {} } : undefined
  const built = await buildApp({ config, store: whole, authenticate })
  t.teardown(() => built.close())
  return built
}

const created = {
  method: 'POST',
  url: '/plants',
  headers: { authorization: 'Bearer good', 'content-type': 'application/json' },
  payload: { id: 1, name: 'x' }
} as const

test('every answer has the security headers', async (t) => {
  const service = await app(t, { BASE_URL: 'https://x.example' })
  for (const answer of [
    await service.inject(created),
    await service.inject('/nowhere'),
    await service.inject('/-/live')
  ]) {
    t.match(answer.headers, {
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'strict-transport-security': /^max-age=\d+$/,
      'cache-control': 'no-store',
      'x-request-id': /./
    })
    t.notOk('x-powered-by' in answer.headers)
  }
})

const preflight = {
  method: 'OPTIONS',
  url: '/plants',
  headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' }
} as const

test('a preflight is answered with CORS_ORIGIN, and is 405 without', async (t) => {
  const on = await (await app(t, { CORS_ORIGIN: 'https://a.example' })).inject(preflight)
  t.equal(on.statusCode, 204)
  const methods = String(on.headers['access-control-allow-methods']).split(', ')
  const declared = (contract as Contract).operations.map(({ method }) => method)
  t.same(methods.toSorted(), [...new Set(['GET', 'HEAD', ...declared])].sort(), 'each once')
  const off = await (await app(t)).inject(preflight)
  t.equal(off.statusCode, 405)
  t.match(off.json(), { error: 4050 })
  const other = await app(t, { CORS_ORIGIN: 'https://a.example' })
  const refused = await other.inject({
    ...preflight,
    headers: { ...preflight.headers, origin: 'https://b.example' }
  })
  t.equal(refused.statusCode, 405)
  t.notOk('access-control-allow-origin' in refused.headers)
})

test('the files of the page vary by origin and by encoding where CORS is on', async (t) => {
  const service = await app(t, { CORS_ORIGIN: 'https://a.example' })
  for (const url of ['/docs', '/openapi.json', '/docs/start.js']) {
    const answer = await answered(() => service.inject({ url, headers: { origin: 'https://a.example' } }))
    t.match(answer.headers, {
      vary: /^(?=.*origin)(?=.*accept-encoding)/i,
      'access-control-allow-origin': /a\.example/
    })
  }
  const other = await app(t)
  t.equal((await answered(() => other.inject('/docs'))).headers.vary, 'accept-encoding')
})

/** Asks again where the service sheds load: on a busy machine the first page makes the event loop late. */
async function answered(ask: () => Promise<LightMyRequestResponse>): Promise<LightMyRequestResponse> {
  for (;;) {
    const answer = await ask()
    if (answer.statusCode !== 503) return answer
    await sleep(100)
  }
}

test('a plant that the database refuses is a 500 of its own, without a hint to try again', async (t) => {
  const create = async () => Promise.reject(new PlantRefused('the database refuses a plant'))
  const answer = await (await app(t, {}, { create })).inject(created)
  t.match(answer, { statusCode: 500 })
  t.strictSame(answer.json(), { error: 5000, message: 'internal server error' })
  t.notOk('retry-after' in answer.headers)
})

test('the log names the file of a handler that breaks the contract', async (t) => {
  for (const { operationId } of (contract as Contract).operations)
    t.ok(existsSync(String(plantStore.handlerFile?.(operationId))), operationId)
})

test('a route beside the contract has no schema: its compilers are not loaded', async (t) => {
  const service = await app(t)
  service.get('/beside', { schema: { querystring: { type: 'object' } } }, async () => 'x')
  const ready = async () => void (await service.ready())
  await t.rejects(ready, { message: /only for a service whose `extend` adds a route with a schema/ })
})

test('plugins that depend on @fastify/swagger get the contract', async (t) => {
  const built = await app(t)
  await built.ready()
  t.ok(built.hasPlugin('@fastify/swagger'))
  t.equal(built.swagger({ yaml: true }), readFileSync('openapi.yaml', 'utf8'))
})
