import t from 'tap'
import type { ErrorBody } from '../../../../src/engine/server/errors/error-response.ts'
import { type Json, request, serve } from '../../serve.ts'

const schema: Json = {
  type: 'object',
  required: ['type', 'serial'],
  properties: { type: { type: 'string' }, serial: { type: 'integer', format: 'int64' } }
}
const responses: Json = {
  Problem: {
    description: '',
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }
  },
  Text: { description: '', content: { 'text/plain': { schema: { type: 'string' } } } },
  Bare: { description: '' },
  Any: { description: '', content: { '*/*': { schema: { $ref: '#/components/schemas/Problem' } } } },
  Inline: {
    description: '',
    content: { 'application/problem+json': { schema: { type: 'object', maxProperties: 9 } } }
  },
  Xml: { description: '', content: { 'application/xml': {} } }
}
const component = (name: string): Json => ({ $ref: `#/components/responses/${name}` })

/** Returns a contract whose operations answer their errors by these components. */
function contractOf(...errors: readonly string[]): Json {
  const operations = errors.map((name, index) => [
    `/things${index}`,
    {
      get: {
        operationId: `get${index}`,
        parameters: [{ name: 'n', in: 'query', schema: { type: 'integer' } }],
        responses: { 200: { description: '', content: { 'application/json': {} } }, '4XX': component(name) }
      }
    }
  ])
  return {
    paths: Object.fromEntries(operations),
    components: { schemas: { Problem: schema }, responses }
  } as Json
}

const big = 2n ** 63n - 1n
const problem: ErrorBody = ({ code }) => ({ type: code, serial: big, internal: 'secret' })
const handlers = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`get${index}`, () => ({ status: 200, body: 1 })])
  )
const garbage = Buffer.from('garbage\r\n\r\n')

t.test(
  'a failure below any operation has the media type and shape of all errors of the contract',
  async (t) => {
    const rows: [errors: string[], errorBody: ErrorBody, type: string, body: RegExp][] = [
      [
        ['Problem', 'Bare', 'Problem'],
        problem,
        'application/problem+json',
        /^\{"type":"[\w-]+","serial":9223372036854775807\}$/
      ],
      [['Problem', 'Inline'], ({ code }) => ({ code }), 'application/problem+json', /^\{"code":"[\w-]+"\}$/],
      [['Any'], problem, 'application/json', /"serial":9223372036854775807\}$/],
      [['Text'], ({ code }) => `failed: ${code}`, 'text/plain', /^failed: [\w-]+$/],
      [['Text'], ({ code }) => ({ code }), 'application/json', /^\{"code":"[\w-]+"\}$/],
      [['Xml'], ({ code }) => `<${code}/>`, 'application/xml', /^<[\w-]+\/>$/],
      [['Problem', 'Text'], ({ code }) => ({ code }), 'application/json', /^\{"code":"[\w-]+"\}$/],
      [['Bare'], ({ code }) => ({ code }), 'application/json', /^\{"code":"[\w-]+"\}$/]
    ]
    for (const [errors, errorBody, type, body] of rows) {
      const { ask } = await serve(t, contractOf(...errors), { handlers: handlers(errors.length), errorBody })
      for (const [text, status] of [
        [request('GET /nowhere'), 404],
        [request('PUT /things0'), 405],
        [request('GET /%zz'), 400],
        [garbage, 400]
      ] as const) {
        const got = await ask(text)
        const label = `${errors.join(', ')}: ${status}`
        t.same([got.status, got.headers.get('content-type')], [status, type], label)
        t.match(got.body, body, label)
      }
    }
  }
)

t.test(
  'an operation that declares no body for a status answers with the content of all errors',
  async (t) => {
    const { ask } = await serve(t, contractOf('Bare', 'Problem'), {
      handlers: handlers(2),
      errorBody: problem
    })
    const got = await ask(request('GET /things0?n=x'))
    t.same([got.status, got.headers.get('content-type')], [400, 'application/problem+json'])
    t.equal(got.body, '{"type":"mismatch","serial":9223372036854775807}')
  }
)

t.test('an error declared for any media type is JSON', async (t) => {
  const { ask } = await serve(t, contractOf('Any'), { handlers: handlers(1), errorBody: problem })
  const got = await ask(request('GET /things0?n=x'))
  t.same([got.status, got.headers.get('content-type')], [400, 'application/json'])
})
