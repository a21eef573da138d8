/** Every failure in the shape of the contract, whatever that shape is, until the server has closed. */
import { readFile, writeFile } from 'node:fs/promises'
import { request as plainRequest } from 'node:http'
import t from 'tap'
import type { ErrorBody } from '../../../../src/contract/server/errors/error-response.ts'
import { FailureError } from '../../../../src/contract/server/errors/failure.ts'
import { sleep, until } from '../../../time.ts'
import { compiled, headOf, type Json, request, serve } from '../../serve.ts'
import { exchange } from '../transport/raw-client.ts'

const problem: Json = {
  type: 'object',
  required: ['type', 'status'],
  properties: { type: { type: 'string' }, status: { type: 'integer' } },
  additionalProperties: false
}
const content = (schema: Json): Json => ({ 'application/problem+json': { schema } })

const document: Json = {
  openapi: '3.2.0',
  paths: {
    '/shaped': {
      get: {
        operationId: 'shaped',
        responses: {
          200: { description: '', content: { 'application/json': {} } },
          default: { description: '', content: content(problem) }
        }
      },
      post: {
        operationId: 'create',
        requestBody: { required: true, content: { 'application/json': {} } },
        responses: {
          201: { description: '' },
          '4XX': { description: '', content: content(problem) },
          '5XX': { description: '', content: content(problem) }
        }
      }
    },
    '/text': {
      get: {
        operationId: 'text',
        responses: {
          200: { description: '' },
          406: { description: '', content: { 'text/plain': { schema: { type: 'string' } } } },
          500: { description: '', content: { 'text/plain': { schema: { type: 'string' } } } }
        }
      }
    },
    '/narrow': {
      post: {
        operationId: 'narrow',
        requestBody: { required: true, content: { 'application/json': { schema: { type: 'string' } } } },
        responses: {
          200: { description: '' },
          400: {
            description: '',
            content: { 'application/json': { schema: { type: 'object', required: ['impossible'] } } }
          }
        }
      }
    },
    '/items/{id}': {
      get: {
        operationId: 'item',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 200: { description: '', content: { 'application/json': {} } } }
      }
    },
    '/own': {
      get: {
        operationId: 'ownGet',
        responses: { 200: { description: '', content: { 'application/json': {} } } }
      },
      head: {
        operationId: 'ownHead',
        responses: { 200: { description: '', headers: { 'X-Own': { schema: { type: 'string' } } } } }
      },
      query: {
        operationId: 'find',
        requestBody: { content: { 'application/json': {} } },
        responses: { 200: { description: '', content: { 'application/json': {} } } }
      }
    }
  }
}

let answer: () => unknown = () => ({ status: 200 })
const handlers = {
  shaped: () => answer(),
  create: () => answer(),
  text: () => answer(),
  narrow: () => answer(),
  item: ({ params }: { params: object }) => ({ status: 200, body: params }),
  ownGet: () => ({ status: 200, body: 'get' }),
  ownHead: () => ({ status: 200, headers: { 'X-Own': 'head' } }),
  find: ({ body }: { body: unknown }) => ({ status: 200, body: { body } })
}
const shaped: ErrorBody = ({ code, status, operationId }) =>
  operationId === 'text' ? `failed: ${code}` : { type: code, status }
const contract = await compiled(t, document)

t.test('an error body is of the media type and the schema that the operation declares', async (t) => {
  const { ask } = await serve(t, contract, { handlers, errorBody: shaped })
  const rows: [Buffer, () => unknown, number, unknown, string][] = [
    [
      request('GET /shaped'),
      () => {
        throw new FailureError('forbidden')
      },
      403,
      { type: 'forbidden', status: 403 },
      'application/problem+json'
    ],
    [
      request('GET /shaped'),
      () => {
        throw new Error('x')
      },
      500,
      { type: 'internal', status: 500 },
      'application/problem+json'
    ],
    [
      request('GET /shaped'),
      () => ({ status: 200 }),
      500,
      { type: 'response-mismatch', status: 500 },
      'application/problem+json'
    ],
    [
      request('POST /shaped', '{'),
      () => undefined,
      400,
      { type: 'malformed-body', status: 400 },
      'application/problem+json'
    ],
    [
      request('POST /shaped', 'x', { 'Content-Type': 'text/plain' }),
      () => undefined,
      415,
      { type: 'unsupported-media-type', status: 415 },
      'application/problem+json'
    ],
    [
      request('GET /text'),
      () => {
        throw new Error('x')
      },
      500,
      'failed: internal',
      'text/plain'
    ],
    [
      request('GET /text'),
      () => {
        throw new FailureError('overloaded')
      },
      503,
      'failed: overloaded',
      'application/json'
    ],
    [request('GET /nowhere'), () => undefined, 404, { type: 'not-found', status: 404 }, 'application/json'],
    [
      request('PUT /shaped'),
      () => undefined,
      405,
      { type: 'method-not-allowed', status: 405 },
      'application/json'
    ],
    [request('GET /%zz'), () => undefined, 400, { type: 'malformed-url', status: 400 }, 'application/json']
  ]
  for (const [text, made, status, body, type] of rows) {
    answer = made
    const got = await ask(text)
    t.same(
      [got.status, got.value, got.headers.get('content-type')],
      [status, body, type],
      text.toString().slice(0, 20)
    )
  }
})

t.test('an error body that does not fit is warned of at boot, and a 500 where one fits', async (t) => {
  const { ask, log } = await serve(t, contract, { handlers, errorBody: shaped })
  const warning = log.find(({ level }) => level === 40)
  t.match(warning, {
    msg: 'errorBody does not fit what these operations declare',
    operations: ['narrow 400'],
    count: 1
  })
  const got = await ask(request('POST /narrow', '5'))
  t.match([got.status, got.value], [500, { type: 'response-mismatch', status: 500 }])
  t.ok(
    log.some(
      ({ level, msg, operationId }) =>
        level === 50 && operationId === 'narrow' && msg === 'the error body breaks the contract'
    )
  )
  const loose = await serve(t, contract, { handlers, errorBody: () => ({ other: 'shape' }) })
  t.same((loose.log.find(({ level }) => level === 40)?.['count'] as number) > 10, true)
  const none = await loose.ask(request('POST /shaped', '{'))
  t.same(
    [none.status, none.body, none.headers.get('content-length')],
    [500, '', '0'],
    'where nothing fits, the status alone'
  )
})

t.test('an error body that throws, or makes nothing, is still a failure with its status', async (t) => {
  const bad: ErrorBody[] = [
    () => {
      throw new Error('secret')
    },
    () => undefined,
    () => 1n,
    () => {
      const cycle: Record<string, unknown> = {}
      cycle['cycle'] = cycle
      return cycle
    }
  ]
  for (const errorBody of bad) {
    const { ask, log } = await serve(t, contract, { handlers, errorBody })
    t.same(
      [(await ask(request('GET /nowhere'))).status, (await ask(request('PUT /shaped'))).headers.get('allow')],
      [404, 'GET, HEAD, POST']
    )
    t.equal((await ask(request('GET /%zz'))).status, 400)
    t.equal((await ask(Buffer.from('garbage\r\n\r\n'))).status, 400)
    const own = await ask(request('GET /own', 'x'))
    t.same([own.status, own.body], [500, ''])
    t.ok(log.some(({ msg }) => /errorBody (failed|made no body)/.test(String(msg))))
    t.equal((await ask(request('GET /own'))).value, 'get', 'and the server serves on')
  }
})

t.test('405 and 404, for every spelling of a path', async (t) => {
  const { ask } = await serve(t, contract, { handlers, errorBody: shaped, basePath: '/api' })
  const rows: [string, number, string | undefined][] = [
    ['PUT /api/shaped', 405, 'GET, HEAD, POST'],
    ['PUT /api/sh%61ped', 405, 'GET, HEAD, POST'],
    ['DELETE /api/items/5', 405, 'GET, HEAD'],
    ['DELETE /api/items/%2F', 405, 'GET, HEAD'],
    ['DELETE /api/items/a%20b?x=/y', 405, 'GET, HEAD'],
    ['OPTIONS /api/own', 405, 'GET, HEAD, QUERY'],
    ['DELETE /api/items/', 405, 'GET, HEAD'],
    ['DELETE /api/items/5/6', 404, undefined],
    ['GET /shaped', 404, undefined],
    ['GET /apishaped', 404, undefined],
    ['GET /api', 404, undefined],
    ['DELETE /api/', 404, undefined],
    ['DELETE /api/*', 404, undefined],
    ['DELETE /a(b', 404, undefined],
    ['DELETE /:a(', 404, undefined],
    ['DELETE /*x*', 404, undefined],
    ['DELETE /::', 404, undefined],
    ['DELETE /toString', 404, undefined],
    ['DELETE ftp://b/x', 404, undefined],
    ['PUT /%61pi/sh%61ped', 405, 'GET, HEAD, POST']
  ]
  for (const [first, status, allow] of rows) {
    const got = await ask(request(first))
    t.same([got.status, got.headers.get('allow')], [status, allow], first)
    t.match(got.value, { status }, first)
  }
  const items: [string, string][] = [
    ['/api/items/5', '5'],
    ['/%61pi/items/5', '5'],
    ['/api/%69tems/100%25', '100%'],
    ['/api/items/a%2Fb%3Fc', 'a/b?c'],
    ["/api/items/%21'(%e4%bd%a0)", "!'(\u4f60)"]
  ]
  for (const [path, id] of items) t.same((await ask(request(`GET ${path}`))).value, { id }, path)
  const odd = await ask(request('POST /api/nowhere', 'x', { 'Content-Type': 'nonsense' }))
  t.equal(odd.status, 404, 'whatever is sent to it')
})

t.test('methods of their own', async (t) => {
  const { ask, port } = await serve(t, contract, { handlers, errorBody: shaped })
  t.match(
    await headOf(port, 'own'),
    /^HTTP\/1.1 200.*\r\nx-own: head\r\n/s,
    'an operation for HEAD comes before GET'
  )
  const found = await ask(request('QUERY /own', '{"a":1}'))
  t.same([found.status, found.value], [200, { body: { a: 1 } }])
})

t.test('a server that closes answers 503 in its shape, and says that the connection ends', async (t) => {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  answer = async () => {
    await held
    return { status: 200, body: 'late' }
  }
  const { app, port } = await serve(t, contract, { handlers, errorBody: shaped })
  const late = exchange(port, '', {
    wait: 5000,
    talk: async (socket) => {
      socket.write(request('GET /shaped'))
      await sleep(200)
      const closed = app.close()
      await sleep(100)
      socket.write(request('GET /own'))
      await sleep(100)
      release()
      await Promise.race([closed, sleep(3000)])
    }
  })
  const { responses, ending } = await late
  t.same(
    responses.map(({ status }) => status),
    [200, 503]
  )
  t.match(JSON.parse(responses[1]?.body ?? ''), { type: 'shutting-down', status: 503 })
  t.equal(responses[1]?.headers.get('connection'), 'close')
  t.ok(responses[1]?.headers.get('retry-after'))
  t.not(ending, 'reset')
})

t.test('code that is not of this contract does not start', async (t) => {
  const own = await compiled(t, document)
  const [source] = own.sources
  const file = new URL(source?.file ?? '', own.url)
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('"Test"', '"Changed"'))
  await t.rejects(serve(t, own, { handlers }), {
    name: 'BootError',
    message: 'contract.json has changed since generated/ was written: run "npm run generate"'
  })
  await writeFile(file, text.replaceAll('\n', '\r\n'))
  t.ok(await serve(t, own, { handlers }), 'line endings do not matter')
  t.ok(
    await serve(t, { ...own, sources: [{ file: 'gone.json', sha256: '' }] }, { handlers }),
    'what is gone can not have changed'
  )
  await t.rejects(serve(t, { ...own, format: 2 } as never, { handlers }), /another version of the engine/)
})

t.test('a large contract loads its code with the first request, and says so where it can not', async (t) => {
  const [first] = contract.operations
  const operations = Array.from({ length: 301 }, (_, index) => ({
    ...first,
    operationId: `o${index}`,
    path: `/o${index}`,
    url: `/o${index}`
  }))
  const many = Object.fromEntries(
    operations.map(({ operationId }) => [operationId, () => ({ status: 200, body: operationId })])
  )
  const large = { ...contract, operations } as typeof contract
  const good = await serve(t, large, { handlers: many, errorBody: shaped })
  t.same(
    [(await good.ask(request('GET /o7'))).value, (await good.ask(request('GET /o8'))).value],
    ['o7', 'o8']
  )
  await until(() => good.log.some(({ level }) => level === 40))
  const load = () => Promise.reject(new Error('secret'))
  const { ask, log } = await serve(t, { ...large, load }, { handlers: many, errorBody: shaped })
  const failed = await ask(request('GET /o7'))
  t.same([failed.status, failed.value], [500, { type: 'internal', status: 500 }])
  t.ok(log.some(({ err }) => Object(err).message === 'secret'))
})

t.test('what a plugin throws is told by its status, where that can be the fault of the client', async (t) => {
  const thrown: Record<string, unknown> = {
    many: Object.assign(new Error('secret'), { statusCode: 429 }),
    large: Object.assign(new Error('secret'), { statusCode: 413 }),
    busy: Object.assign(new Error('secret'), { statusCode: 503 }),
    gone: Object.assign(new Error('secret'), { statusCode: 404 }),
    odd: Object.assign(new Error('secret'), { statusCode: 'toString' }),
    text: 'secret'
  }
  const { ask } = await serve(t, contract, {
    handlers,
    errorBody: shaped,
    extend: (app) => {
      app.addHook('onRequest', async ({ headers }) => {
        if (headers['x-throw'] !== undefined) throw thrown[String(headers['x-throw'])]
      })
      app.get('/beside', async () => ({ page: true }))
    }
  })
  const wanted = { many: 429, large: 413, busy: 503, gone: 500, odd: 500, text: 500 }
  for (const [name, status] of Object.entries(wanted)) {
    const got = await ask(request('GET /shaped', undefined, { 'X-Throw': name }))
    t.match([got.status, got.value], [status, { status }], name)
    t.notMatch(got.body, /secret/)
  }
  const beside = await ask(request('PUT /beside', 'x'))
  t.same(
    [beside.status, beside.headers.get('allow')],
    [405, 'GET, HEAD'],
    'pages beside the contract have their methods too'
  )
  t.equal(
    (await ask(request('GET /beside', undefined, { Host: 'a', host: 'b' }))).status,
    400,
    'and the rules of HTTP'
  )
})

t.test('an error that is declared as text is sent where errorBody makes a text', async (t) => {
  const loose: Json = {
    paths: {
      '/loose': {
        get: {
          operationId: 'loose',
          responses: {
            200: { description: '' },
            500: { description: '', content: { 'text/plain': {} } }
          }
        }
      }
    }
  }
  const failing = {
    loose: () => {
      throw new Error('secret')
    }
  }
  const told = await serve(t, loose, { handlers: failing, errorBody: ({ code }) => `failed: ${code}` })
  t.match(await told.ask(request('GET /loose')), { status: 500, body: 'failed: internal' })
  const object = await serve(t, loose, { handlers: failing, errorBody: ({ code }) => ({ code }) })
  t.match(await object.ask(request('GET /loose')), { status: 500, body: '' }, 'an object is no text')
})

t.test('a plain client of Node reads every answer, also while it sends', async (t) => {
  const { port } = await serve(t, contract, { handlers, errorBody: shaped, fastify: { bodyLimit: 1000 } })
  for (let round = 0; round < 5; round++) {
    const status = await new Promise((resolve, reject) => {
      const sent = plainRequest({
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/shaped',
        headers: { 'content-type': 'application/json' }
      })
      sent.on('response', (got) => got.resume().on('end', () => resolve(got.statusCode))).on('error', reject)
      for (let piece = 0; piece < 50; piece++) sent.write('x'.repeat(20_000))
      sent.end()
    })
    t.equal(status, 413)
  }
})
