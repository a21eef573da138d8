/** Contracts as plugins of one Fastify: what is theirs, and what stays the application's. */
import { createGunzip, gzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import {
  BootError,
  contractOptions,
  contractRoutes,
  createContractServer
} from '../../../src/engine/server.ts'
import { type Answer, compiled, type Json, listen, request } from '../serve.ts'

/** `GET` and `POST /things`, `GET /things/{id}`; the newer version needs a name, too. */
const versionOf = (required: string): Json =>
  parse(`
paths:
  /things:
    get: { operationId: listThings, responses: &ok { 200: { description: ok, content: { application/json: {} } } } }
    post:
      operationId: takeThing
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [${required}] } } } }
      responses: *ok
  /things/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: getThing, responses: *ok }
`)
const [first, second] = [await compiled(t, versionOf('size')), await compiled(t, versionOf('size, name'))]
const others = parse(`
paths: { /others: { get: { operationId: listOthers, responses: { 200: { description: ok, content: { application/json: {} } } } } } }
`)
const other = {
  contract: await compiled(t, others),
  security: {},
  handlers: { listOthers: () => ({ status: 200, body: { version: 'other' } }) },
  errorBody: ({ code }: { code: string }) => ({ version: 'other', code })
}

t.setTimeout(900_000)

interface Seen {
  readonly body: unknown
  readonly params: unknown
}

/** Options of a version, whose errors and answers name it. */
const serving = (version: string, contract = first) => ({
  contract,
  security: {},
  handlers: {
    listThings: () => ({ status: 200, body: { version } }),
    takeThing: ({ body }: Seen) => ({ status: 200, body: { version, body } }),
    getThing: ({ params }: Seen) => ({ status: 200, body: { version, params } })
  },
  errorBody: ({ code, status }: { code: string; status: number }) => ({ version, code, status })
})

type Asking = (first: string, body?: string | Buffer, headers?: Record<string, string>) => Promise<Answer>

async function listening(t: Test, app: FastifyInstance): Promise<Asking> {
  const { ask } = await listen(t, app)
  return (first, body, headers) => ask(request(first, body, headers))
}

async function applied(
  t: Test,
  extend: (app: FastifyInstance) => unknown,
  options: FastifyServerOptions = {}
): Promise<Asking> {
  const app = Fastify(options)
  await extend(app)
  return listening(t, app)
}

/** Registers a contract in an application. */
const registered = async (options: object, app = Fastify()) =>
  void (await app.register(contractRoutes, options as never))

/** Requests and what their answers match; a text with a body is `POST /things {"size":1}`. */
type Rows = Readonly<Record<string, readonly [status: number, value: object]>>

async function expectAll(t: Test, send: Asking, rows: Rows, what = ''): Promise<void> {
  for (const [text, [status, value]] of Object.entries(rows)) {
    const [, line = '', body] = /^(\S+ \S+)(?: (.*))?$/.exec(text) ?? []
    const got = await send(line, body)
    t.match(got, { status, value }, `${what} ${text}`)
    if (status === 405)
      t.match(got.headers.get('allow'), /^(?:GET, HEAD(?:, POST)?|POST)$/, `${what} ${text}`)
  }
}

t.test('two versions of a contract have errors of their own under their prefixes', async (t) => {
  const send = await applied(t, async (app) => {
    await app.register(contractRoutes, { ...serving('one'), prefix: '/v1' })
    await app.register(contractRoutes, { ...serving('two', second), prefix: '/v2/' })
    app.get('/own', async () => ({ own: true }))
  })
  await expectAll(t, send, {
    'GET /v1/things': [200, { version: 'one' }],
    'GET /v2/things': [200, { version: 'two' }],
    'POST /v1/things {"size":1}': [200, { version: 'one', body: { size: 1 } }],
    'POST /v2/things {"size":1}': [400, { version: 'two', code: 'mismatch', status: 400 }],
    'POST /v2/things {"size":1,"name":"a"}': [200, { version: 'two' }],
    'GET /v1/things/7': [200, { version: 'one', params: { id: 7 } }],
    'GET /v2/things/x': [400, { version: 'two', code: 'mismatch' }],
    'DELETE /v1/things': [405, { version: 'one', code: 'method-not-allowed' }],
    'DELETE /v2/things': [405, { version: 'two', code: 'method-not-allowed' }],
    'GET /v1/nowhere': [404, { version: 'one', code: 'not-found' }],
    'GET /v2/nowhere': [404, { version: 'two', code: 'not-found' }],
    'GET /nowhere': [404, { statusCode: 404, error: 'Not Found' }],
    'GET /things': [404, { statusCode: 404 }],
    'GET /own': [200, { own: true }],
    'QUERY /v1/things {}': [405, { version: 'one' }],
    // A target in absolute form is that of its path (RFC 9112, section 3.2.2).
    'GET http://h/v1/things/7?x': [200, { params: { id: 7 } }],
    'DELETE http://h/v1/things/7': [405, { version: 'one' }],
    'GET http://h/v1/nothing': [404, { version: 'one' }]
  })
  for (const type of ['nonsense', '', 'a/b; ='])
    t.match(await send('POST /v1/things', '{}', { 'Content-Type': type }), {
      status: 415,
      value: { version: 'one', code: 'unsupported-media-type' }
    })
})

t.test('without a prefix 405 is the contract’s, 404 and all other paths are the application’s', async (t) => {
  for (const prefix of [undefined, '', '/']) {
    const send = await applied(t, async (app) => {
      app.setNotFoundHandler((_request, reply) => reply.code(404).send({ mine: true }))
      app.get('/own', async () => ({ own: true }))
      await app.register(contractRoutes, { ...serving('one'), ...(prefix !== undefined && { prefix }) })
    })
    const rows: Rows = {
      'GET /things': [200, { version: 'one' }],
      'DELETE /things': [405, { version: 'one', code: 'method-not-allowed' }],
      'PUT /things/5': [405, { version: 'one' }],
      'GET /nowhere': [404, { mine: true }],
      'DELETE /own': [404, { mine: true }]
    }
    await expectAll(t, send, rows, String(prefix))
  }
})

t.test('contracts that share a prefix answer for their own paths', async (t) => {
  const send = await applied(t, async (app) => {
    await app.register(contractRoutes, { ...serving('one'), prefix: '/v1' })
    await app.register(contractRoutes, { ...other, prefix: '/v1/' })
  })
  await expectAll(t, send, {
    'GET /v1/things': [200, { version: 'one' }],
    'GET /v1/others': [200, { version: 'other' }],
    'DELETE /v1/things': [405, { version: 'one' }],
    'DELETE /v1/others': [405, { version: 'other' }],
    'GET /v1/nowhere': [404, { version: 'one' }]
  })
})

t.test('a contract in a scope of the application has the prefix and the hooks of the scope', async (t) => {
  const send = await applied(t, async (app) => {
    await app.register(
      async (scope) => {
        scope.addHook('onRequest', async (_request, reply) => void reply.header('x-scope', 'inner'))
        await scope.register(contractRoutes, serving('outer'))
        await scope.register(contractRoutes, { ...serving('inner', second), prefix: '/v2' })
      },
      { prefix: '/api' }
    )
    app.get('/own', async () => ({ own: true }))
  })
  for (const [line, status, version] of [
    ['GET /api/things', 200, 'outer'],
    ['DELETE /api/things', 405, 'outer'],
    ['GET /api/v2/things', 200, 'inner'],
    ['GET /api/v2/nowhere', 404, 'inner']
  ] as const) {
    const got = await send(line)
    t.match([got.status, got.value], [status, { version }], line)
    if (status !== 405) t.equal(got.headers.get('x-scope'), 'inner', line)
  }
  t.equal((await send('GET /own')).headers.get('x-scope'), undefined, 'the scope ends')
})

t.test('a prefix may have parameters, which are not those of the contract', async (t) => {
  const send = await applied(t, (app) =>
    app.register(contractRoutes, { ...serving('one'), prefix: '/:tenant/a::b' })
  )
  t.match((await send('GET /x%2Fy/a:b/things/7')).value, { version: 'one', params: { id: 7 } })
  t.match((await send('DELETE /x/a:b/things/7')).headers.get('allow'), 'GET, HEAD')
  for (const prefix of ['/*', '/:id(\\d+)', '/:id?'])
    await t.rejects(registered({ ...serving('one'), prefix }), {
      constructor: BootError,
      message: `the prefix ${prefix} of a contract has a wildcard, a pattern or an optional part: write a path such as /v1 or /:tenant`
    })
})

t.test('hooks and decorators of the application apply, those added later as well', async (t) => {
  const seen: string[] = []
  const names = ['onRequest', 'preParsing', 'preValidation', 'preHandler', 'onSend', 'onResponse'] as const
  const send = await applied(t, async (app) => {
    app.decorateRequest('tenant', '')
    for (const name of names)
      app.addHook(name, async ({ routeOptions }: { routeOptions: { config: { operation?: unknown } } }) => {
        if (routeOptions.config.operation !== undefined) seen.push(name)
      })
    app.addHook('onError', async () => void seen.push('onError'))
    await app.register(contractRoutes, { ...serving('one'), prefix: '/v1' })
    app.addHook('onSend', async (_request, reply) => void reply.header('x-late', 'yes'))
  })
  const got = await send('POST /v1/things', '{"size":1}')
  t.match([got.status, got.headers.get('x-late')], [200, 'yes'])
  await send('GET /v1/things')
  t.same(seen, [...names, ...names])
  seen.length = 0
  t.equal((await send('POST /v1/things', '{}')).status, 400)
  t.same(seen.filter((name) => /onError|onSend/.test(name)).sort(), ['onError', 'onSend'], 'of an error, too')
})

t.test('parsers, validators, serializers and error handler of the application stay its own', async (t) => {
  const send = await applied(t, async (app) => {
    app.setErrorHandler((error, _request, reply) => reply.code(418).send({ mine: Object(error).message }))
    app.setValidatorCompiler(() => () => ({ error: new Error('validated by the application') }))
    app.setReplySerializer((value) => JSON.stringify({ wrapped: value }))
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) =>
      done(null, { parsedBy: 'application', text })
    )
    app.addContentTypeParser('text/csv', { parseAs: 'string' }, (_request, text, done) => done(null, text))
    await app.register(contractRoutes, { ...serving('one'), prefix: '/v1' })
    app.post('/own', async ({ body }) => ({ body }))
    app.post('/checked', { schema: { body: {} } }, async () => ({}))
    app.get('/failing', async () => {
      throw new Error('mine')
    })
  })
  t.same((await send('POST /v1/things', '{"size":1}')).value, { version: 'one', body: { size: 1 } })
  t.match(await send('POST /v1/things', 'a,b', { 'Content-Type': 'text/csv' }), {
    status: 415,
    value: { version: 'one' }
  })
  const own = await send('POST /own', '{"size":1}')
  t.same(own.value, { wrapped: { body: { parsedBy: 'application', text: '{"size":1}' } } })
  t.same((await send('POST /own', 'a,b', { 'Content-Type': 'text/csv' })).value, { wrapped: { body: 'a,b' } })
  t.match(await send('POST /checked', '{}'), { status: 418 })
  t.match(await send('GET /failing'), { status: 418, value: { wrapped: { mine: 'mine' } } })
})

t.test('errors of hooks keep the status that they have from 400 to 499', async (t) => {
  const withStatus = (statusCode: unknown) => Object.assign(new Error('secret text'), { statusCode })
  const kept: Readonly<Record<number, string>> = {
    ...{ 400: 'malformed-body', 401: 'credentials-refused', 403: 'forbidden', 404: 'not-found' },
    ...{ 405: 'method-not-allowed', 406: 'not-acceptable', 408: 'timeout', 409: 'mismatch' },
    ...{ 412: 'precondition-failed', 417: 'expectation-failed', 431: 'headers-too-large', 451: 'mismatch' },
    ...{ 501: 'not-implemented', 503: 'overloaded' }
  }
  const rows: readonly (readonly [sent: unknown, status: number, code: string])[] = [
    ...Object.entries(kept).map(([status, code]) => [withStatus(+status), +status, code] as const),
    ...[302, 409.5, '409', undefined].map((status) => [withStatus(status), 500, 'internal'] as const)
  ]
  let thrown: unknown
  const send = await applied(t, async (app) => {
    app.addHook('preHandler', async () => {
      throw thrown
    })
    await app.register(contractRoutes, { ...serving('one'), prefix: '/v1' })
  })
  for (const [error, status, code] of rows) {
    thrown = error
    const got = await send('GET /v1/things')
    t.equal(got.status, status, code)
    t.same(got.value, { version: 'one', code, status })
  }
})

t.test('a router that takes several spellings for one path gives its parameters', async (t) => {
  const routerOptions = { caseSensitive: false, ignoreTrailingSlash: true, ignoreDuplicateSlashes: true }
  const send = await applied(
    t,
    (app) => app.register(contractRoutes, { ...serving('one'), prefix: '/v1/:tenant' }),
    { routerOptions }
  )
  for (const path of ['/v1/a/things/7', '/V1/a/THINGS/7', '/v1/a/things/7/', '/v1//a//things///7//'])
    t.match(await send(`GET ${path}?x=/`), { status: 200, value: { params: { id: 7 } } }, path)
})

t.test('hooks of the application see the path parameters by their names, as texts', async (t) => {
  const seen: unknown[] = []
  const send = await applied(t, async (app) => {
    app.addHook('onRequest', async ({ params, routeOptions }) => void seen.push(params, routeOptions.url))
    await app.register(contractRoutes, { ...serving('one'), prefix: '/v1/:tenant' })
  })
  t.equal((await send('GET /v1/a/things/7')).status, 200)
  t.strictSame(
    seen.map((value) => (typeof value === 'string' ? value : { ...Object(value) })),
    [{ tenant: 'a', id: '7' }, '/v1/:tenant/things/:id']
  )
})

t.test('a route that the application has, too, is named', async (t) => {
  const collision = (path: string) => ({
    constructor: BootError,
    message:
      `POST ${path} is a route of the application and of the contract (takeThing): ` +
      'remove the one of the application, or serve the contract under another prefix'
  })
  const app = Fastify()
  app.post('/v1/things', async () => ({}))
  await t.rejects(registered({ ...serving('one'), prefix: '/v1' }, app), collision('/v1/things'))
  const extend = (beside: FastifyInstance) => void beside.post('/things', async () => ({}))
  await t.rejects(createContractServer({ ...serving('one'), extend }), collision('/things'))
  const twice = Fastify()
  await registered(serving('one'), twice)
  await t.rejects(registered(serving('two'), twice), BootError)
})

t.test('options that do not fit the contract refuse the boot; an error of a hook is its own', async (t) => {
  const handlers = { listThings: () => ({ status: 200 }) }
  const refused = { constructor: BootError, message: /takeThing/ }
  await t.rejects(registered({ ...serving('one'), handlers }), refused)
  const app = Fastify()
  app.addHook('onRoute', () => {
    throw new Error('no routes today')
  })
  await t.rejects(registered(contractOptions(serving('one')), app), { message: 'no routes today' })
})

t.test('the level and the serializers of the log are those of the registration', async (t) => {
  const lines: Record<string, unknown>[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const handlers = {
    ...serving('one').handlers,
    listThings: ({ log }: { log: { debug(fields: object, message: string): void } }) => {
      log.debug({ thing: 7 }, 'listed')
      return { status: 200, body: {} }
    }
  }
  const send = await applied(
    t,
    async (app) => {
      await app.register(contractRoutes, {
        ...serving('one'),
        handlers,
        prefix: '/v1',
        logLevel: 'debug',
        logSerializers: { thing: (value: unknown) => `thing ${value}` }
      })
      await app.register(contractRoutes, { ...serving('two'), handlers, prefix: '/v2' })
    },
    { logger: { level: 'info', stream } }
  )
  await send('GET /v1/things')
  await send('GET /v2/things')
  t.same(
    lines.filter(({ msg }) => msg === 'listed').map(({ thing }) => thing),
    ['thing 7']
  )
})

t.test('a server of a contract has routes beside it, below no base path of its own', async (t) => {
  const calls: string[] = []
  const extend = async (app: FastifyInstance) => {
    calls.push('extend')
    await app.register(async (scope) => void scope.post('/hook', async ({ body }) => ({ body })), {
      prefix: '/own'
    })
    app.addHook('onSend', async (_request, reply) => void reply.header('x-own', 'yes'))
    app.addHook('onClose', async () => void calls.push('closed'))
  }
  const app = await createContractServer({ ...serving('one'), extend, basePath: '/api' })
  const send = await listening(t, app)
  await expectAll(t, send, {
    'POST /own/hook {"a":1}': [200, { body: { a: 1 } }],
    'POST /own/hook {': [400, { version: 'one', code: 'malformed-body' }],
    'PUT /own/hook': [405, { version: 'one', code: 'method-not-allowed' }],
    'POST /api/things {"size":1}': [200, { version: 'one' }],
    'GET /nowhere': [404, { version: 'one', code: 'not-found' }]
  })
  t.equal((await send('GET /nowhere')).headers.get('x-own'), 'yes')
  t.equal((await send('POST /own/hook', 'x', { 'Content-Type': 'text/csv' })).status, 415)
  await app.close()
  t.same(calls, ['extend', 'closed'])
})

t.test('bodies of the contract are read by its own means, those of other routes by Fastify’s', async (t) => {
  const gunzip = (app: FastifyInstance) =>
    void app.addHook('preParsing', async (_request, _reply, payload) => payload.pipe(createGunzip()))
  const decoding = await listening(t, await createContractServer({ ...serving('one'), extend: gunzip }))
  const size = { status: 200, value: { body: { size: 1 } } }
  t.match(await decoding('POST /things', gzipSync('{"size":1}')), size)
  t.match(await decoding('POST /things', gzipSync('{}')), { status: 400, value: { code: 'mismatch' } })
  const app = await createContractServer(serving('one'))
  const schema = { body: { type: 'object', required: ['a'] } }
  app.post('/later', { schema }, async ({ body }) => ({ body }))
  const send = await listening(t, app)
  t.match(await send('POST /later', '{"a":1}'), { status: 200, value: { body: { a: 1 } } })
  t.match(await send('POST /later', '{}'), { status: 400 })
  t.match(await send('POST /things', '{"size":1}'), size)
  for (const ask of [decoding, send])
    t.match(await ask('POST /things', '{}', { 'Content-Type': 'nonsense' }), {
      status: 415,
      value: { version: 'one', code: 'unsupported-media-type' }
    })
})
