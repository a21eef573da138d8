import type { FastifyRequest } from 'fastify'
import { type Test, test } from 'tap'
import { type Failure, FailureError } from '../../src/contract/errors.ts'
import { buildService } from '../../src/service/build.ts'
import { readConfig } from '../../src/service/config/config.ts'
import type { Environment } from '../../src/service/config/read.ts'
import { defineService, type ServiceStore } from '../../src/service/definition.ts'
import { createLog } from '../../src/service/observability/log.ts'
import { compiled, type Json } from '../contract/serve.ts'
import { until } from '../time.ts'

const text = { description: '', content: { 'application/json': {}, 'text/plain': {} } }
const document: Json = {
  security: [{ bearer: [] }],
  paths: {
    '/things': {
      get: { operationId: 'list', responses: { 200: text } },
      post: {
        operationId: 'make',
        requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
        responses: { 200: text }
      },
      delete: { operationId: 'clear', responses: { 200: text, 404: text } }
    }
  },
  components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } }
}

const store: ServiceStore = { depth: 0, ready: async () => true, close: async () => {} }

/** A service of this contract, in which `GET` needs a permission that the token `guest` does not give. */
async function service(t: Test, environment: Environment) {
  const definition = defineService({
    contract: await compiled(t, document),
    handlers: (_store: ServiceStore) => ({
      list: async () => ({ status: 200, body: 'x' }),
      make: async () => ({ status: 200, body: 'x' }),
      clear: async () => ({ status: 404, body: { code: 'unknown' } })
    }),
    security: (authenticate) => ({
      bearer: async (token: string, { request }: { readonly request: FastifyRequest }) => {
        const principal = await authenticate(token, { request })
        if (token === 'guest' && request.method === 'GET') throw new FailureError('forbidden', { principal })
        return principal
      }
    }),
    openStore: async () => store,
    errorBody: ({ code }: Failure) => ({ code }),
    errorLabel: (body) => String(Object(body).code),
    tokenPrefix: 'made_'
  })
  const read = readConfig(environment)
  if ('problems' in read) throw new Error(read.problems.join('\n'))
  const lines: Record<string, unknown>[] = []
  const log = createLog('info', { write: (line) => lines.push(JSON.parse(line)) })
  const authenticate = (token: string) => (token === 'eve' ? undefined : { id: `token:${token}` })
  const app = await buildService(definition, { config: read.config, store, authenticate, log })
  t.teardown(() => app.close())
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  lines.length = 0
  return { ask: (asked: RequestInit) => fetch(`${origin}/things`, asked), origin, lines }
}

const json = { 'content-type': 'application/json' }

test('every refusal after authentication is counted by RATE_LIMIT, and logged with its number, reason and principal', async (t) => {
  const { ask, lines } = await service(t, { RATE_LIMIT: '10/1m', BODY_LIMIT: '100' })
  const post = { method: 'POST', headers: json }
  const other = { 'content-type': 'x/y' }
  const asked: readonly (readonly [status: number, error: string | undefined, request: RequestInit])[] = [
    [403, 'forbidden', {}],
    [406, 'not-acceptable', { ...post, headers: { accept: 'image/png' } }],
    [400, 'missing-body', { method: 'POST' }],
    [413, 'body-too-large', { ...post, body: 'x'.repeat(200) }],
    [415, 'unsupported-media-type', { ...post, headers: other, body: 'x' }],
    [400, 'malformed-body', { ...post, body: '{' }],
    [400, 'mismatch', { ...post, body: '[]' }],
    [400, 'mismatch', { method: 'DELETE', headers: json, body: '{}' }],
    [404, 'unknown', { method: 'DELETE' }],
    [200, undefined, { ...post, body: '{}' }],
    [429, 'too-many-requests', {}]
  ]
  for (const [index, [status, error, request]] of asked.entries()) {
    const headers = { authorization: 'Bearer guest', ...request.headers }
    const answer = await ask({ ...request, headers })
    t.equal(answer.status, status, `${index}: ${await answer.text()}`)
    t.equal(answer.headers.get('ratelimit-remaining'), String(Math.max(0, 9 - index)), `${index}`)
    await until(() => lines.length > index)
    const line = lines[index]
    t.match(line, { status, principal: 'token:guest', remoteAddress: '127.0.0.1' })
    t.equal(line?.['error'], error)
    if (error !== undefined && error !== 'unknown') t.type(line?.['reason'], 'string', error)
  }
})

test('what is refused before authentication is counted for no token', async (t) => {
  const { ask, origin } = await service(t, { RATE_LIMIT: '1/1m' })
  const headers = { authorization: 'Bearer guest' }
  t.equal((await ask({ headers: { authorization: 'Bearer eve' } })).status, 401)
  t.equal((await fetch(`${origin}/nowhere`, { headers })).status, 404)
  t.equal((await ask({ method: 'PATCH', headers })).status, 405)
  t.equal((await ask({ headers })).status, 403)
  t.equal((await ask({ headers })).status, 429)
})
