/** Contracts as plugins of one Fastify: what is theirs, and what stays the application's. */
import { gunzipSync, gzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import t, { type Test } from 'tap'
import {
  BootError,
  contractOptions,
  contractRoutes,
  createContractServer
} from '../../../src/engine/server.ts'
import { type Answer, ask, compiled, type Json, request } from '../serve.ts'

const ok = { 200: { description: 'ok', content: { 'application/json': {} } } }
/** `GET` and `POST /things`, `GET /things/{id}`; the newer version needs a name, too. */
const versionOf = (required: string[]): Json => ({
  paths: {
    '/things': {
      get: { operationId: 'listThings', responses: ok },
      post: {
        operationId: 'takeThing',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { type: 'object', required } } }
        },
        responses: ok
      }
    },
    '/things/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { operationId: 'getThing', responses: ok }
    }
  }
})
const [first, second] = [
  await compiled(t, versionOf(['size'])),
  await compiled(t, versionOf(['size', 'name']))
]

const others: Json = { paths: { '/others': { get: { operationId: 'listOthers', responses: ok } } } }
const other = {
  contract: await compiled(t, others),
  security: {},
  handlers: { listOthers: () => ({ status: 200, body: { version: 'other' } }) },
  errorBody: ({ code }: { code: string }) => ({ version: 'other', code })
}

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
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  return (first, body, headers) => ask(Number(new URL(address).port), request(first, body, headers))
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

t.test('two versions of a contract have errors of their own under their prefixes', async (t) => {
  const send = await applied(t, async (app) => {
    await app.register(contractRoutes, { ...serving('one'), prefix: '/v1' })
    await app.register(contractRoutes, { ...serving('two', second), prefix: '/v2/' })
    app.get('/own', async () => ({ own: true }))
  })
  const rows: [string, string | undefined, status: number, value: unknown][] = [
    ['GET /v1/things', undefined, 200, { version: 'one' }],
    ['GET /v2/things', undefined, 200, { version: 'two' }],
    ['POST /v1/things', '{"size":1}', 200, { version: 'one', body: { size: 1 } }],
    ['POST /v2/things', '{"size":1}', 400, { version: 'two', code: 'mismatch', status: 400 }],
    ['POST /v2/things', '{"size":1,"name":"a"}', 200, { version: 'two' }],
    ['GET /v1/things/7', undefined, 200, { version: 'one', params: { id: 7 } }],
    ['GET /v2/things/x', undefined, 400, { version: 'two', code: 'mismatch' }],
    ['DELETE /v1/things', undefined, 405, { version: 'one', code: 'method-not-allowed' }],
    ['DELETE /v2/things', undefined, 405, { version: 'two', code: 'method-not-allowed' }],
    ['GET /v1/nowhere', undefined, 404, { version: 'one', code: 'not-found' }],
    ['GET /v2/nowhere', undefined, 404, { version: 'two', code: 'not-found' }],
    ['GET /nowhere', undefined, 404, { statusCode: 404, error: 'Not Found' }],
    ['GET /things', undefined, 404, { statusCode: 404 }],
    ['GET /own', undefined, 200, { own: true }]
  ]
  for (const [line, body, status, value] of rows) {
    const got = await send(line, body)
    t.equal(got.status, status, line)
    t.match(got.value, value, line)
    if (status === 405) t.equal(got.headers.get('allow'), 'GET, HEAD, POST', line)
  }
})

t.test('without a prefix 405 is the contract’s, 404 and all other paths are the application’s', async (t) => {
  for (const prefix of [undefined, '', '/']) {
    const send = await applied(t, async (app) => {
      app.setNotFoundHandler((_request, reply) => reply.code(404).send({ mine: true }))
      app.get('/own', async () => ({ own: true }))
      await app.register(contractRoutes, { ...serving('one'), ...(prefix !== undefined && { prefix }) })
    })
    const rows: [string, number, unknown][] = [
      ['GET /things', 200, { version: 'one' }],
      ['DELETE /things', 405, { version: 'one', code: 'method-not-allowed' }],
      ['PUT /things/5', 405, { version: 'one' }],
      ['GET /nowhere', 404, { mine: true }],
      ['DELETE /own', 404, { mine: true }]
    ]
    for (const [line, status, value] of rows) {
      const got = await send(line)
      t.equal(got.status, status, `${prefix}: ${line}`)
      t.match(got.value, value, `${prefix}: ${line}`)
    }
  }
})

t.test('contracts that share a prefix answer for their own paths', async (t) => {
  const send = await applied(t, async (app) => {
    await app.register(contractRoutes, { ...serving('one'), prefix: '/v1' })
    await app.register(contractRoutes, { ...other, prefix: '/v1/' })
  })
  const rows: [string, number, string][] = [
    ['GET /v1/things', 200, 'one'],
    ['GET /v1/others', 200, 'other'],
    ['DELETE /v1/things', 405, 'one'],
    ['DELETE /v1/others', 405, 'other'],
    ['GET /v1/nowhere', 404, 'one']
  ]
  for (const [line, status, version] of rows) t.match(await send(line), { status, value: { version } }, line)
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
    await t.rejects(
      async () => void (await Fastify().register(contractRoutes, { ...serving('one'), prefix })),
      {
        constructor: BootError,
        message: `the prefix ${prefix} of a contract has a wildcard, a pattern or an optional part: write a path such as /v1 or /:tenant`
      }
    )
})

t.test('hooks and decorators of the application apply, those added later as well', async (t) => {
  const seen: string[] = []
  const send = await applied(t, async (app) => {
    app.decorateRequest('tenant', '')
    for (const name of [
      'onRequest',
      'preParsing',
      'preValidation',
      'preHandler',
      'onSend',
      'onResponse'
    ] as const)
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
  const once = ['onRequest', 'preParsing', 'preValidation', 'preHandler', 'onSend', 'onResponse']
  t.same(seen, [...once, ...once])
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
  const rows: [sent: unknown, status: number, code: string][] = [
    [Object.assign(new Error('x'), { statusCode: 400 }), 400, 'malformed-body'],
    [Object.assign(new Error('x'), { statusCode: 401 }), 401, 'credentials-refused'],
    [Object.assign(new Error('x'), { statusCode: 403 }), 403, 'forbidden'],
    [Object.assign(new Error('x'), { statusCode: 404 }), 404, 'not-found'],
    [Object.assign(new Error('x'), { statusCode: 405 }), 405, 'method-not-allowed'],
    [Object.assign(new Error('x'), { statusCode: 406 }), 406, 'not-acceptable'],
    [Object.assign(new Error('x'), { statusCode: 408 }), 408, 'timeout'],
    [Object.assign(new Error('x'), { statusCode: 409 }), 409, 'mismatch'],
    [Object.assign(new Error('x'), { statusCode: 412 }), 412, 'precondition-failed'],
    [Object.assign(new Error('x'), { statusCode: 417 }), 417, 'expectation-failed'],
    [Object.assign(new Error('x'), { statusCode: 428 }), 428, 'mismatch'],
    [Object.assign(new Error('x'), { statusCode: 431 }), 431, 'headers-too-large'],
    [Object.assign(new Error('x'), { statusCode: 451 }), 451, 'mismatch'],
    [Object.assign(new Error('x'), { statusCode: 501 }), 501, 'not-implemented'],
    [Object.assign(new Error('x'), { statusCode: 503 }), 503, 'overloaded'],
    [Object.assign(new Error('x'), { statusCode: 302 }), 500, 'internal'],
    [Object.assign(new Error('x'), { statusCode: 409.5 }), 500, 'internal'],
    [Object.assign(new Error('x'), { statusCode: '409' }), 500, 'internal'],
    [new Error('secret text'), 500, 'internal']
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

t.test('a hook for onSend that fails is an error of the contract', async (t) => {
  const send = await applied(t, async (app) => {
    let isFailing = true
    app.addHook('onSend', async () => {
      if (isFailing) {
        isFailing = false
        throw new Error('secret text')
      }
    })
    await app.register(contractRoutes, { ...serving('one'), prefix: '/v1' })
  })
  t.match(await send('GET /v1/things'), { status: 500, value: { version: 'one', code: 'internal' } })
})

t.test('routes beside the contract keep Fastify’s way with media types and methods', async (t) => {
  const send = await applied(t, async (app) => {
    await app.register(contractRoutes, { ...serving('one'), prefix: '/v1' })
    app.post('/own', async ({ body }) => ({ body }))
  })
  t.match(await send('POST /own', 'x', { 'Content-Type': 'nonsense' }), { status: 415 })
  for (const type of ['nonsense', '', 'a/b; ='])
    t.match(await send('POST /v1/things', '{}', { 'Content-Type': type }), {
      status: 415,
      value: { version: 'one', code: 'unsupported-media-type' }
    })
  t.match(await send('QUERY /v1/things', '{}'), { status: 405, value: { version: 'one' } })
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

t.test('a target in absolute form is that of its path (RFC 9112, section 3.2.2)', async (t) => {
  const send = await applied(t, (app) => app.register(contractRoutes, { ...serving('one'), prefix: '/v1' }))
  t.match(await send('GET http://h/v1/things/7?x'), { status: 200, value: { params: { id: 7 } } })
  t.match(await send('DELETE http://h/v1/things/7'), { status: 405, value: { version: 'one' } })
  t.match(await send('GET http://h/v1/nothing'), { status: 404, value: { version: 'one' } })
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
  await t.rejects(
    async () => void (await app.register(contractRoutes, { ...serving('one'), prefix: '/v1' })),
    collision('/v1/things')
  )
  const extend = (beside: FastifyInstance) => void beside.post('/things', async () => ({}))
  await t.rejects(createContractServer({ ...serving('one'), extend }), collision('/things'))
  const twice = Fastify()
  await twice.register(contractRoutes, serving('one'))
  await t.rejects(async () => void (await twice.register(contractRoutes, serving('two'))), BootError)
})

t.test('an error of a hook of the application is its own', async (t) => {
  const app = Fastify()
  app.addHook('onRoute', () => {
    throw new Error('no routes today')
  })
  const options = contractOptions(serving('one'))
  await t.rejects(async () => void (await app.register(contractRoutes, options)), {
    message: 'no routes today'
  })
})

t.test('options that do not fit the contract refuse the boot', async (t) => {
  const handlers = { listThings: () => ({ status: 200 }) }
  await t.rejects(
    async () => void (await Fastify().register(contractRoutes, { ...serving('one'), handlers })),
    {
      constructor: BootError,
      message: /takeThing/
    }
  )
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
  const rows: [string, string | undefined, number, unknown][] = [
    ['POST /own/hook', '{"a":1}', 200, { body: { a: 1 } }],
    ['POST /own/hook', '{', 400, { version: 'one', code: 'malformed-body' }],
    ['PUT /own/hook', undefined, 405, { version: 'one', code: 'method-not-allowed' }],
    ['POST /api/things', '{"size":1}', 200, { version: 'one' }],
    ['GET /nowhere', undefined, 404, { version: 'one', code: 'not-found' }]
  ]
  for (const [line, body, status, value] of rows) {
    const got = await send(line, body)
    t.match([got.status, got.value], [status, value], line)
    t.equal(got.headers.get('x-own'), 'yes', line)
  }
  t.equal((await send('POST /own/hook', 'x', { 'Content-Type': 'text/csv' })).status, 415)
  await app.close()
  t.same(calls, ['extend', 'closed'])
})

t.test('a body that a hook decodes is validated as it was meant', async (t) => {
  const send = await applied(t, async (app) => {
    const { createGunzip } = await import('node:zlib')
    app.addHook('preParsing', async (_request, _reply, payload) => payload.pipe(createGunzip()))
    await app.register(contractRoutes, { ...serving('one'), prefix: '/v1' })
  })
  const bytes = gzipSync('{"size":1}')
  t.equal(String(gunzipSync(bytes)), '{"size":1}')
  t.match(await send('POST /v1/things', bytes), { status: 200, value: { body: { size: 1 } } })
  t.match(await send('POST /v1/things', gzipSync('{}')), { status: 400, value: { code: 'mismatch' } })
})

t.test(
  'a server of a contract reads bodies by its own means, and those of routes beside it by Fastify’s',
  async (t) => {
    const { createGunzip } = await import('node:zlib')
    const extend = (app: FastifyInstance) =>
      void app.addHook('preParsing', async (_request, _reply, payload) => payload.pipe(createGunzip()))
    const alone = await listening(t, await createContractServer({ ...serving('one'), extend }))
    t.match(await alone('POST /things', gzipSync('{"size":1}')), {
      status: 200,
      value: { body: { size: 1 } }
    })
    t.match(await alone('POST /things', '{}', { 'Content-Type': 'nonsense' }), {
      status: 415,
      value: { version: 'one', code: 'unsupported-media-type' }
    })
    const app = await createContractServer(serving('one'))
    const schema = { body: { type: 'object', required: ['a'] } }
    app.post('/later', { schema }, async ({ body }) => ({ body }))
    const send = await listening(t, app)
    t.match(await send('POST /later', '{"a":1}'), { status: 200, value: { body: { a: 1 } } })
    t.match(await send('POST /later', '{}'), { status: 400 })
    t.match(await send('POST /things', '{"size":1}'), { status: 200, value: { version: 'one' } })
    t.match(await send('POST /things', '{}', { 'Content-Type': 'nonsense' }), {
      status: 415,
      value: { version: 'one', code: 'unsupported-media-type' }
    })
  }
)
