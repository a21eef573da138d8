/** Defects of a server that is built from the packages according to their READMEs: one test for each. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { type Answer, compiled, type Json, request, serve } from './serve.ts'
import { exchange } from './server/transport/raw-client.ts'

const string: Json = { type: 'string' }
const ok: Json = { 200: { description: '', content: { 'application/json': {} } } }
const body = (schema: Json, required = true): Json => ({
  required,
  content: { 'application/json': { schema } }
})
const parameter = (name: string, place: string, more: Json): Json => ({ name, in: place, ...Object(more) })
const errors: Json = {
  default: {
    description: '',
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['error', 'message'],
          properties: { error: { type: 'integer' }, message: string },
          additionalProperties: false
        }
      }
    }
  }
}

const document: Json = {
  paths: {
    '/required': { post: { operationId: 'required', requestBody: body({ type: 'object' }), responses: ok } },
    '/typed': {
      post: {
        operationId: 'typed',
        requestBody: body({ type: 'object', properties: { n: { type: 'integer' }, s: string } }),
        responses: ok
      }
    },
    '/inherited': { get: { operationId: 'toString', security: [{ valueOf: [] }], responses: ok } },
    '/shared/{a}': {
      parameters: [
        parameter('a', 'path', { required: true, schema: { type: 'integer' } }),
        parameter('q', 'query', { required: true, schema: { type: 'integer' } })
      ],
      get: { operationId: 'shared', parameters: [parameter('r', 'query', { schema: string })], responses: ok }
    },
    '/dashed/{plant-id}': {
      get: {
        operationId: 'dashed',
        parameters: [parameter('plant-id', 'path', { required: true, schema: { type: 'integer' } })],
        responses: ok
      }
    },
    '/things:batch': { post: { operationId: 'batch', responses: ok } },
    '/parameters': {
      get: {
        operationId: 'parameters',
        parameters: [
          parameter('c', 'cookie', { required: true, schema: { type: 'integer' } }),
          parameter('deep', 'query', {
            style: 'deepObject',
            explode: true,
            schema: { type: 'object', properties: { n: { type: 'integer' } } }
          }),
          parameter('list', 'query', {
            explode: false,
            schema: { type: 'array', items: { type: 'integer' } }
          }),
          parameter('json', 'query', {
            content: { 'application/json': { schema: { type: 'object', required: ['x'] } } }
          })
        ],
        responses: ok
      }
    },
    '/sides': {
      post: {
        operationId: 'sides',
        requestBody: body({ $ref: '#/components/schemas/Sides' }),
        responses: {
          200: {
            description: '',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Sides' } } }
          }
        }
      }
    },
    '/filtered': {
      get: {
        operationId: 'filtered',
        responses: {
          ...Object(errors),
          200: {
            description: '',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['stray'],
                  properties: { n: { type: 'integer' } },
                  anyOf: [{ properties: { branch: { type: 'integer', format: 'int64' } } }]
                }
              }
            }
          }
        }
      }
    },
    '/wide': {
      post: {
        operationId: 'wide',
        requestBody: body({ type: 'integer', format: 'int64', minimum: 5 }),
        responses: ok
      }
    }
  },
  components: {
    securitySchemes: { valueOf: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    schemas: {
      Sides: {
        type: 'object',
        required: ['made', 'secret'],
        properties: { made: { ...string, readOnly: true }, secret: { ...string, writeOnly: true } }
      }
    }
  }
}

let answered: unknown
const echo = ({ params, query, cookies, body }: Record<string, unknown>) => ({
  status: 200,
  body: { params, query, cookies, body }
})
const handlers: Record<string, (given: never) => unknown> = {
  required: echo,
  typed: echo,
  toString: echo,
  shared: echo,
  dashed: echo,
  batch: () => ({ status: 200, body: 'batch' }),
  parameters: echo,
  sides: () => ({ status: 200, body: { made: 'm', secret: 'never' } }),
  filtered: () => answered,
  wide: ({ body }) => ({ status: 200, body: typeof body })
}
const contract = await compiled(t, document)
const security = { valueOf: (key: string) => key === 'good' }
const { ask, port } = await serve(t, contract, {
  handlers,
  security,
  errorBody: ({ status, message }) => ({ error: status, message }),
  fastify: { bodyLimit: 1000, requestTimeout: 1000 }
})

type Want = (answer: Answer) => void
function trap(
  title: string,
  text: string | Buffer,
  status: number,
  want: unknown,
  more: Want = () => undefined
): void {
  t.test(title, async (t) => {
    const answer = await ask(text)
    t.match([answer.status, answer.value], [status, want])
    more(answer)
  })
}

const said = (message: RegExp) => ({ message })

trap('glue: requestBody.required is ignored', request('POST /required'), 400, said(/a body is required/))
trap(
  'Fastify: a body of another media type reaches the handler unvalidated',
  request('POST /typed', 'x', { 'Content-Type': 'text/plain' }),
  415,
  said(/send application\/json/)
)
trap(
  'Fastify: no body at all reaches the handler unvalidated',
  request('POST /typed', ''),
  400,
  said(/a body is required/)
)
trap(
  'Fastify: its Ajv coerces "12" to 12',
  request('POST /typed', '{"n":"12"}'),
  400,
  said(/^body\/n must be integer$/)
)
trap(
  'Fastify: its Ajv coerces null to ""',
  request('POST /typed', '{"s":null}'),
  400,
  said(/^body\/s must be string$/)
)
trap(
  'glue: a path-level parameter vanishes beside one of the operation',
  request('GET /shared/1?r=x'),
  400,
  said(/^query\/q is required$/)
)
trap('glue: {plant-id} is not converted', request('GET /dashed/5'), 200, { params: { 'plant-id': 5 } })
trap('glue: /things:batch becomes a wildcard', request('POST /thingsANYTHING'), 404, said(/no such path/))
trap('glue: /things:batch is itself', request('POST /things:batch'), 200, 'batch')
trap(
  'glue: cookies are not validated',
  request('GET /parameters', undefined, { Cookie: 'c=x' }),
  400,
  said(/^cookies\/c must be integer$/)
)
trap(
  'glue: deepObject is not validated',
  request('GET /parameters?deep[n]=x', undefined, { Cookie: 'c=1' }),
  400,
  said(/^query\/deep\/n must be integer$/)
)
trap(
  'glue: explode: false is not validated',
  request('GET /parameters?list=1,x', undefined, { Cookie: 'c=1' }),
  400,
  said(/^query\/list\/1 must be integer$/)
)
trap(
  'glue: parameter content is not validated',
  request('GET /parameters?json=%7B%7D', undefined, { Cookie: 'c=1' }),
  400,
  said(/^query\/json\/x is required$/)
)
trap(
  'glue: readOnly is not enforced',
  request('POST /sides', '{"secret":"s","made":"m"}'),
  400,
  said(/read-only/)
)
trap('glue: writeOnly leaves', request('POST /sides', '{"secret":"s"}'), 200, /.*/, ({ body }) =>
  t.equal(body, '{"made":"m"}')
)
trap(
  'Ajv: integer rejects a bigint, and minimum skips it',
  request('POST /wide', '9007199254740993'),
  200,
  'bigint'
)
trap('Ajv: minimum skips an int64', request('POST /wide', '4'), 400, said(/^body must be >= 5$/))
trap(
  'Fastify: the wrong method is a 404 without Allow',
  request('DELETE /typed'),
  405,
  { error: 405 },
  ({ headers }) => t.equal(headers.get('allow'), 'POST')
)
trap('Fastify: a bad URL bypasses the error handler', request('GET /%zz'), 400, { error: 400 })
trap('Fastify: malformed HTTP bypasses the error handler', 'garbage\r\n\r\n', 400, { error: 400 })
trap(
  'Fastify: 431 bypasses the error handler',
  request('GET /', undefined, { 'X-Long': 'x'.repeat(20_000) }),
  431,
  { error: 431 }
)
trap('Node: time-outs are checked every 30 s', 'GET / HTTP/1.1\r\n', 408, { error: 408 })
trap('Fastify: Expect bypasses the error handler', request('GET /', undefined, { Expect: 'x' }), 417, {
  error: 417
})
trap('Node: a missing Host gets an empty answer', request('GET /', undefined, { Host: undefined }), 400, {
  error: 400
})
trap('Node: two Hosts pass', request('POST /things:batch', undefined, { Host: 'a', host: 'b' }), 400, {
  error: 400
})
trap('Node: HTTP/0.9 passes', 'GET /dashed/5\r\n\r\n', 400, { error: 400 })
trap('Node: CONNECT is cut off', request('CONNECT a:80'), 405, { error: 405 })

t.test('Fastify: an error body that is not of the schema is a 500 of Fastify', async (t) => {
  answered = undefined
  t.same((await ask(request('GET /filtered'))).value, { error: 500, message: 'internal server error' })
})

t.test('Fastify: response schemas filter, they do not validate', async (t) => {
  answered = { status: 200, body: { n: 'text', stray: 1 } }
  t.equal((await ask(request('GET /filtered'))).status, 500)
})

t.test('naive pruning loses branches of anyOf and names of required', async (t) => {
  answered = { status: 200, body: { n: 1, branch: 2n ** 63n - 1n, stray: { a: 1 }, extra: 1 } }
  t.equal((await ask(request('GET /filtered'))).body, '{"stray":{"a":1},"n":1,"branch":9223372036854775807}')
})

t.test('fast-json-stringify compiles with Ajv at run time', async (t) => {
  const code = await readFile(new URL('serializers.js', contract.url), 'utf8')
  t.notMatch(code, /new Ajv|from ["']ajv|require\(["']ajv/)
})

t.test('glue: an operation and a scheme with names of Object have handlers of Object', async (t) => {
  const { toString: _own, ...others } = handlers
  await t.rejects(serve(t, contract, { handlers: others as never, security }), {
    message: 'operation toString has no handler'
  })
  await t.rejects(serve(t, contract, { handlers: handlers as never }), {
    message: 'security scheme valueOf has no handler'
  })
  t.equal((await ask(request('GET /inherited'))).status, 401)
  t.equal((await ask(request('GET /inherited', undefined, { 'X-Key': 'good' }))).status, 200)
})

t.test('Fastify: 413 closes the connection under a client that still sends', async (t) => {
  const { responses, ending } = await exchange(port, '', {
    wait: 5000,
    enough: 1,
    talk: async (socket) => {
      socket.pause().write(
        request('POST /typed', undefined, {
          'Content-Type': 'application/json',
          'Content-Length': '4000000'
        })
      )
      for (let sent = 0; sent < 4; sent++)
        await new Promise((resolve) => socket.write('x'.repeat(1_000_000), resolve))
      socket.resume()
    }
  })
  t.same([responses.map(({ status }) => status), ending === 'reset'], [[413], false])
})

t.test('OpenAPI 3.0 in Ajv: nullable, boolean exclusiveMinimum, unknown formats', async (t) => {
  const old: Json = {
    openapi: '3.0.3',
    paths: {
      '/old': {
        post: {
          operationId: 'old',
          requestBody: body({
            type: 'object',
            properties: {
              e: { type: 'string', enum: ['a'], nullable: true },
              n: { type: 'integer', minimum: 5, exclusiveMinimum: true, example: 6 },
              f: { type: 'string', format: 'x-unknown', xml: { name: 'F' } }
            }
          }),
          responses: ok
        }
      }
    }
  }
  const { ask } = await serve(t, old, { handlers: { old: echo } })
  const rows: [string, number][] = [
    ['{"e":null,"n":6,"f":"x"}', 200],
    ['{"e":"b"}', 400],
    ['{"n":5}', 400]
  ]
  for (const [text, status] of rows) t.equal((await ask(request('POST /old', text))).status, status, text)
})
