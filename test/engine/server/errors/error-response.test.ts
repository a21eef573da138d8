import t from 'tap'
import type { ErrorBody } from '../../../../src/engine/server/errors/error-response.ts'
import { FailureError } from '../../../../src/engine/server/errors/failure.ts'
import { compiled, type Json, request, serve } from '../../serve.ts'
import { document, handlers, setResult, shaped } from './failing-contract.ts'

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
    setResult(made)
    const got = await ask(text)
    t.same(
      [got.status, got.value, got.headers.get('content-type')],
      [status, body, type],
      text.toString().slice(0, 20)
    )
  }
})

t.test('an errorBody that throws or returns undefined leaves the status without a body', async (t) => {
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
    t.same([own.status, own.body], [400, ''])
    t.ok(log.some(({ msg }) => /errorBody (failed|made no body)/.test(String(msg))))
    t.equal((await ask(request('GET /own'))).value, 'get', 'the server keeps serving')
  }
})

t.test('an error declared as text is sent when errorBody returns a string', async (t) => {
  const plain: Json = {
    paths: {
      '/plain': {
        get: {
          operationId: 'plain',
          responses: {
            200: { description: '' },
            500: { description: '', content: { 'text/plain': {} } }
          }
        }
      }
    }
  }
  const failing = {
    plain: () => {
      throw new Error('secret')
    }
  }
  const text = await serve(t, plain, { handlers: failing, errorBody: ({ code }) => `failed: ${code}` })
  t.match(await text.ask(request('GET /plain')), { status: 500, body: 'failed: internal' })
  const object = await serve(t, plain, { handlers: failing, errorBody: ({ code }) => ({ code }) })
  t.match(
    await object.ask(request('GET /plain')),
    { status: 500, value: { code: 'internal' } },
    'an object is sent as JSON'
  )
})
