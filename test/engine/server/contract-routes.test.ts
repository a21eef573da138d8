/** Contracts as plugins of one Fastify: what is theirs, and what stays the application's. */
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
    'POST /v2/things {"size":1}': [400, { version: 'two', code: 'mismatch', status: 400 }],
    'GET /v1/things/7': [200, { version: 'one', params: { id: 7 } }],
    'DELETE /v1/things': [405, { version: 'one', code: 'method-not-allowed' }],
    'GET /v1/nowhere': [404, { version: 'one', code: 'not-found' }],
    'GET /v2/nowhere': [404, { version: 'two', code: 'not-found' }],
    'GET /nowhere': [404, { statusCode: 404, error: 'Not Found' }],
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
      'DELETE /things': [405, { version: 'one', code: 'method-not-allowed' }],
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
    'DELETE /v1/others': [405, { version: 'other' }],
    'GET /v1/nowhere': [404, { version: 'one' }]
  })
})

t.test('a contract in a scope of the application has the prefix and the hooks of the scope', async (t) => {
  const send = await applied(t, async (app) => {
    await app.register(
      async (scope) => {
        scope.addHook('onRequest', async (_request, reply) => void reply.header('x-scope', 'inner'))
        await scope.register(contractRoutes, { ...serving('inner', second), prefix: '/v2' })
      },
      { prefix: '/api' }
    )
    app.get('/own', async () => ({ own: true }))
  })
  for (const [line, status] of [
    ['GET /api/v2/things', 200],
    ['GET /api/v2/nowhere', 404]
  ] as const) {
    const got = await send(line)
    t.match([got.status, got.value], [status, { version: 'inner' }], line)
    t.equal(got.headers.get('x-scope'), 'inner', line)
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
  const kept: Readonly<Record<number, string>> = {
    ...{ 400: 'malformed-body', 401: 'credentials-refused', 403: 'forbidden', 404: 'not-found' },
    ...{ 405: 'method-not-allowed', 406: 'not-acceptable', 408: 'timeout', 409: 'mismatch' },
    ...{ 412: 'precondition-failed', 417: 'expectation-failed', 431: 'headers-too-large', 451: 'mismatch' },
    ...{ 501: 'not-implemented', 503: 'overloaded' }
  }
  const rows: readonly (readonly [sent: unknown, status: number, code: string])[] = [
    ...Object.entries(kept).map(([status, code]) => [+status, +status, code] as const),
    ...[302, 409.5, '409', undefined].map((status) => [status, 500, 'internal'] as const)
  ]
  let statusCode: unknown
  const send = await applied(t, async (app) => {
    app.addHook('preHandler', async () => {
      throw Object.assign(new Error('secret text'), { statusCode })
    })
    await app.register(contractRoutes, { ...serving('one'), prefix: '/v1' })
  })
  for (const [sent, status, code] of rows) {
    statusCode = sent
    const got = await send('GET /v1/things')
    t.strictSame([got.status, { ...Object(got.value) }], [status, { version: 'one', code, status }])
  }
})

t.test(
  'hooks of the application see the path parameters by their names, in every spelling of a path',
  async (t) => {
    const seen: unknown[] = []
    const routerOptions = { caseSensitive: false, ignoreTrailingSlash: true, ignoreDuplicateSlashes: true }
    const extend = async (app: FastifyInstance) => {
      app.addHook(
        'onRequest',
        async ({ params, routeOptions }) => void seen.push(routeOptions.url, { ...Object(params) })
      )
      await app.register(contractRoutes, { ...serving('one'), prefix: '/v1/:tenant' })
    }
    const send = await applied(t, extend, { routerOptions })
    for (const path of ['/v1/a/things/7', '/V1/a/THINGS/7', '/v1/a/things/7/', '/v1//a//things///7//'])
      t.match(await send(`GET ${path}?x=/`), { status: 200, value: { params: { id: 7 } } }, path)
    t.strictSame(seen.slice(0, 2), ['/v1/:tenant/things/:id', { tenant: 'a', id: '7' }])
  }
)

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
  const lines: string[] = []
  const listThings = ({ log }: { log: { debug(fields: object, message: string): void } }) => {
    log.debug({ thing: 7 }, 'listed')
    return { status: 200, body: {} }
  }
  const options = { ...serving('one'), handlers: { ...serving('one').handlers, listThings } }
  const logSerializers = { thing: (value: unknown) => `thing ${value}` }
  const send = await applied(
    t,
    async (app) => {
      await app.register(contractRoutes, { ...options, prefix: '/v1', logLevel: 'debug', logSerializers })
      await app.register(contractRoutes, { ...options, prefix: '/v2' })
    },
    { logger: { level: 'info', stream: { write: (line: string) => void lines.push(line) } } }
  )
  for (const version of ['v1', 'v2']) await send(`GET /${version}/things`)
  const listed = lines.filter((line) => line.includes('listed'))
  t.match([listed.length, listed[0]], [1, /"thing":"thing 7"/])
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
