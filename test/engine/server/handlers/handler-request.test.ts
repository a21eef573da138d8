/** Members of a request that the contract does not declare. */
import { rm } from 'node:fs/promises'
import { request as clientRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import t from 'tap'
import { contractRoutes } from '../../../../src/engine/server.ts'
import { compiled, request, serve } from '../../serve.ts'

const json = { description: '', content: { 'application/json': {} } }
const rules = { roles: ['admin', { name: 'owner' }], big: 9007199254740993n, $ref: '#/nowhere', none: null }
const contract = await compiled(t, {
  paths: {
    '/things/{id}': {
      'x-of-the-path': true,
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        operationId: 'getThing',
        tags: ['things', 'reading'],
        'x-rules': rules,
        'x-zero': 0,
        responses: { 200: json }
      },
      put: { operationId: 'putThing', responses: { 200: json } }
    }
  }
})

interface Seen {
  readonly id: string
  readonly ip: string
  readonly method: string
  readonly url: string
  readonly basePath: string
  readonly headers: object
  readonly allHeaders: Readonly<Record<string, unknown>>
  readonly operation: { readonly tags: unknown; readonly extensions: Readonly<Record<string, unknown>> }
}

/** Handlers that keep the request. */
function seeing() {
  const seen: Seen[] = []
  const see = (request: Seen) => {
    const { id, ip, method, url, basePath, headers, allHeaders, operation } = request
    seen.push({ id, ip, method, url, basePath, headers, allHeaders, operation })
    return { status: 200, body: {} }
  }
  return { seen, handlers: { getThing: see, putThing: see } }
}

const getThing = {
  operationId: 'getThing',
  method: 'GET',
  path: '/things/{id}',
  tags: ['things', 'reading'],
  extensions: { 'x-rules': rules, 'x-zero': 0 }
}

t.test('a request has what was sent, and its operation', async (t) => {
  const { seen, handlers } = seeing()
  const { app, ask, log } = await serve(t, contract, {
    handlers,
    fastify: { genReqId: () => 'request-1', trustProxy: true },
    extend: (app) => app.addHook('onResponse', async ({ log }) => log.info('done'))
  })
  const headers = { 'X-Free': 'a', 'X-Forwarded-For': '203.0.113.7' }
  await ask(request('GET /things/1?by=%61&by', undefined, headers))
  t.match(seen[0], {
    id: 'request-1',
    ip: '203.0.113.7',
    method: 'GET',
    url: '/things/1?by=%61&by',
    basePath: '',
    headers: {}
  })
  t.match(seen[0]?.allHeaders, { 'x-free': 'a', host: 'localhost' })
  t.strictSame(seen[0]?.operation, getThing)
  t.ok(log.some(({ msg, reqId }) => msg === 'done' && reqId === seen[0]?.id))
  await app.inject({ method: 'HEAD', url: '/things/1' })
  t.match(seen[1], { method: 'HEAD', operation: { method: 'GET' } })
  await ask(request('PUT http://localhost/things/1'))
  t.match(seen[2], {
    url: 'http://localhost/things/1',
    basePath: '',
    operation: { operationId: 'putThing', method: 'PUT' }
  })
  t.strictSame([seen[2]?.operation.tags, seen[2]?.operation.extensions], [[], {}])
})

t.test('below a prefix the URL is that of the request, and the path that of the contract', async (t) => {
  const { seen, handlers } = seeing()
  const app = Fastify()
  await app.register(contractRoutes, {
    contract,
    prefix: '/v1/:tenant',
    security: {},
    handlers,
    errorBody: ({ code }) => ({ code })
  })
  t.teardown(() => app.close())
  await app.inject('/v1/acme/things/1')
  t.match(seen, [{ url: '/v1/acme/things/1', ip: '127.0.0.1', operation: { path: '/things/{id}' } }])
})

for (const [prefix, url, basePath] of [
  ['/v1/:tenant', '/v1/a%20b/things/1?to=/x', '/v1/a%20b'],
  ['/v1/', '/v1/things/1', '/v1'],
  ['/', '/things/1', '']
] as const) {
  t.test(`below ${prefix} the base path of ${url} is ${basePath}`, async (t) => {
    const { seen, handlers } = seeing()
    const options = { contract, prefix, security: {}, handlers, errorBody: () => ({}) }
    const app = Fastify()
    await app.register(contractRoutes, options)
    t.teardown(() => app.close())
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.addresses()[0] as AddressInfo
    await new Promise((resolve, reject) =>
      clientRequest({ host: '127.0.0.1', port, path: url }, resolve).on('error', reject).end()
    )
    t.match(seen, [{ basePath }])
  })
}

t.test('a handler cannot change the operation for other requests', async (t) => {
  const { seen, handlers } = seeing()
  const { ask } = await serve(t, contract, { handlers })
  await ask(request('GET /things/1'))
  const { operation } = seen[0] ?? {}
  const changes: readonly (() => void)[] = [
    () => Object.assign(Object(operation), { method: 'PUT' }),
    () => Object(operation).tags.push('more'),
    () => Object.assign(Object(operation).extensions, { 'x-more': 1 }),
    () => Object(operation).extensions['x-rules'].roles.push('guest'),
    () => Object.assign(Object(operation).extensions['x-rules'].roles[1], { name: 'guest' })
  ]
  for (const change of changes) t.throws(change, TypeError)
  await ask(request('GET /things/2'))
  t.strictSame(seen[1]?.operation, getThing)
})

t.test('the address of a client at a Unix socket is empty', async (t) => {
  const { seen, handlers } = seeing()
  const app = Fastify()
  await app.register(contractRoutes, { contract, security: {}, handlers, errorBody: () => ({}) })
  const socketPath = join(tmpdir(), `handler-request-${process.pid}.sock`)
  await app.listen({ path: socketPath })
  t.teardown(async () => {
    await app.close()
    await rm(socketPath, { force: true })
  })
  await new Promise((resolve, reject) =>
    clientRequest({ socketPath, path: '/things/1', agent: false })
      .on('response', (response) => response.resume().on('end', resolve))
      .on('error', reject)
      .end()
  )
  t.equal(seen[0]?.ip, '')
})
