/** Whatever a function of the user does, a refusal keeps its status and its shape, and the process lives. */
import { connect } from 'node:net'
import type { FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import type { ErrorBody } from '../../../../src/engine/server/errors/error-response.ts'
import { FailureError } from '../../../../src/engine/server/errors/failure.ts'
import { compiled, request, type Served, type Service, serve } from '../../serve.ts'

t.setTimeout(900_000)

const contract = await compiled(
  t,
  parse(`
paths:
  /guarded:
    post:
      operationId: guarded
      security: [{ bearer: [] }]
      requestBody: { required: true, content: { application/json: { schema: { type: object } } } }
      responses: &responses
        200: { description: '' }
        default:
          description: ''
          content: { application/problem+json: { schema: { $ref: '#/components/schemas/Problem' } } }
  /either:
    get: { operationId: either, security: [{ bearer: [] }, { key: [] }], responses: *responses }
components:
  schemas:
    Problem:
      type: object
      required: [code, status]
      properties: { code: { type: string }, status: { type: integer } }
  securitySchemes: { bearer: { type: http, scheme: bearer }, key: { type: apiKey, in: header, name: X-Key } }
`)
)

const secret = () => new Error('secret stack detail')
const crash = (): never => {
  throw secret()
}
const withGetter = (name: string) => Object.defineProperty({}, name, { get: crash, enumerable: true })
const cycle: Record<string, unknown> = {}
cycle['cycle'] = cycle

/** Functions that fail. */
const failing: Readonly<Record<string, () => unknown>> = {
  throws: crash,
  'throws undefined': () => {
    throw undefined
  },
  'throws a value without a text': () => {
    throw Object.create(null)
  },
  rejects: async () => crash(),
  // biome-ignore lint/suspicious/noThenProperty: such objects exist
  'returns a thenable that throws': () => ({ then: crash }),
  'returns an object whose then throws': () => withGetter('then')
}
/** Functions that return what is no text, no number, no principal and no error body. */
const odd: Readonly<Record<string, () => unknown>> = {
  'never answers': () => new Promise(() => undefined),
  'returns undefined': () => undefined,
  'returns a function': () => crash,
  'returns a symbol': () => Symbol('secret')
}
/** Functions that return what JSON cannot represent. */
const unwritable: Readonly<Record<string, () => unknown>> = {
  'returns a cycle': () => cycle,
  'returns a getter that throws': () => withGetter('code'),
  'returns a toJSON that throws': () => ({ toJSON: crash }),
  'returns an object with a bigint': () => ({ code: 10n })
}

const body = ({ code, status }: { code: string; status: number }) => ({ code, status })
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })
const good = {
  handlers: {
    guarded: ({ body }: { body: { status?: number; broken?: boolean } }) =>
      body.broken ? { status: 200, body: 'undeclared' } : { status: 409, body: { code: 'own', status: 409 } },
    either: () => ({ status: 200 })
  },
  security: {
    bearer: (token: string) => (token === 'good' ? { id: 'me' } : undefined),
    key: () => ({ id: 1 })
  },
  errorBody: body
}

const post = (body: string, headers = {}) => request('POST /guarded', body, headers)
/** Requests and the answers to them, below and above the routes. */
const rows: Readonly<Record<string, readonly [text: Buffer, status: number, code: string]>> = {
  'a 401': [post('{}'), 401, 'no-credentials'],
  'a refused token': [post('{}', bearer('bad')), 401, 'credentials-refused'],
  'a 400': [post('5', bearer('good')), 400, 'mismatch'],
  'an own error': [post('{}', bearer('good')), 409, 'own'],
  'a broken response': [post('{"broken":true}', bearer('good')), 500, 'response-mismatch'],
  'a 404': [request('GET /nowhere'), 404, 'not-found'],
  'a 405': [request('PUT /guarded'), 405, 'method-not-allowed'],
  'a wrong URL': [request('GET /%zz'), 400, 'malformed-url'],
  'malformed HTTP': [Buffer.from('garbage\r\n\r\n'), 400, 'malformed-http'],
  CONNECT: [Buffer.from('CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n'), 405, 'method-not-allowed'],
  Expect: [post('{}', { Expect: 'tea' }), 417, 'expectation-failed']
}

/** Asks for each row; the answer must be that of a server without mistakes. Returns the lines of the log by row. */
async function linesAfter(t: Test, { ask, log }: Served): Promise<ReadonlyMap<string, Line[]>> {
  const lines = new Map<string, Line[]>()
  for (const [what, [text, status, code]] of Object.entries(rows)) {
    const before = log.length
    const answer = await ask(text)
    t.strictSame([answer.status, answer.value], [status, { code, status }], what)
    t.notMatch([answer.body, ...answer.headers.values()].join(), /secret/, what)
    if (status === 401) t.match(answer.headers.get('www-authenticate'), /^Bearer /, what)
    lines.set(what, log.slice(before))
  }
  return lines
}

type Line = Readonly<Record<string, unknown>>

/** Counts the lines about a callback; one whose fields cannot be logged is a text. */
function countOf(lines: readonly Line[], name: string): number {
  const isText = ({ msg, callback }: Line) =>
    callback === undefined && String(msg).startsWith(`${name} failed: `)
  return lines.filter((line) => line['callback'] === name || isText(line)).length
}

for (const [what, run] of Object.entries({ ...failing, ...odd, ...unwritable })) {
  t.test(`errorBody ${what}: the client gets the body that was made at boot`, async (t) => {
    let isStarted = false
    const errorBody: ErrorBody = (failure) => (isStarted ? run() : body(failure))
    const served = await serve(t, contract, { ...good, errorBody })
    isStarted = true
    for (const [name, lines] of await linesAfter(t, served))
      t.equal(countOf(lines, 'errorBody'), name === 'an own error' ? 0 : 1, `${name} is logged once`)
  })

  t.test(`onFailure, onErrorResponse and handlerFile: one that ${what} changes no answer`, async (t) => {
    const wrong = { onFailure: run, onErrorResponse: run, handlerFile: run as () => string }
    const served = await serve(t, contract, { ...good, ...wrong })
    const times = Object.hasOwn(failing, what) ? 1 : 0
    for (const [name, lines] of await linesAfter(t, served)) {
      t.equal(countOf(lines, 'onFailure'), name === 'an own error' ? 0 : times, name)
      t.equal(countOf(lines, 'onErrorResponse'), name === 'an own error' ? times : 0, name)
      t.equal(countOf(lines, 'handlerFile'), name === 'a broken response' ? 1 : 0, name)
    }
  })
}

/** Server of the contract, and a check of the answer to a request with a good token. */
async function guarded(t: Test, service: Service) {
  const served = await serve(t, contract, { ...good, ...service })
  const expect = async (text: Buffer, status: number, code: string, what = '') => {
    const answer = await served.ask(text)
    t.strictSame([answer.status, answer.value], [status, { code, status }], what)
    return answer
  }
  return { ...served, expect }
}

t.test('an errorBody that fails for one failure sends the body of another one of its status', async (t) => {
  const errorBody: ErrorBody = ({ code, status }) =>
    code === 'credentials-refused' ? crash() : { code, status }
  const { expect, log } = await guarded(t, { errorBody })
  const operations = ['guarded 401: errorBody fails', 'either 401: errorBody fails', /^no operation/]
  t.match(log, [{ operations }])
  await expect(post('{}', bearer('bad')), 401, 'no-credentials')
})

t.test('what a callback does to the failure that it gets changes no answer', async (t) => {
  const change = (failure: object) => {
    Object.assign(failure, { status: 200, code: 'changed' })
    Object.assign((failure as { headers: object }).headers, { 'x-changed': 'yes' })
  }
  const errorBody: ErrorBody = (failure) => {
    const made = body(failure)
    change(failure)
    return made
  }
  await linesAfter(t, await serve(t, contract, { ...good, errorBody, onFailure: change }))
})

t.test('a failure with headers that cannot be sent keeps its status and its body', async (t) => {
  const headers = {
    ...{ 'x-fine': 'fine', 'x-lines': 'a\r\nx-injected: 1', 'not a name': 'x' },
    ...{ 'content-length': '1', 'x-list': ['a', 'b\n'], 'x-nothing': undefined }
  } as unknown as Record<string, string>
  const throwing = () => {
    throw new FailureError('forbidden', { headers })
  }
  const { expect, log } = await guarded(t, { handlers: { ...good.handlers, guarded: throwing } })
  const answer = await expect(post('{}', bearer('good')), 403, 'forbidden')
  t.equal(answer.headers.get('x-fine'), 'fine')
  t.notMatch([...answer.headers.keys()].join(), /x-lines|x-injected|x-list|x-nothing/)
  t.equal(log.filter(({ msg }) => /cannot be sent$/.test(String(msg))).length, 5)
})

t.test('a broken response of a route beside the contract has no handler to name', async (t) => {
  const extend = (app: FastifyInstance) =>
    void app.get('/beside', async () => {
      throw new FailureError('response-mismatch', { cause: new Error('broken') })
    })
  const { expect, log } = await guarded(t, { extend })
  await expect(request('GET /beside'), 500, 'response-mismatch')
  t.match(log.at(-1), { msg: /^broken$/ })
})

t.test('a failure that the table does not have is a 500', async (t) => {
  const throwing = () => {
    throw new FailureError('toString' as 'mismatch')
  }
  const { expect } = await guarded(t, { handlers: { ...good.handlers, guarded: throwing } })
  await expect(post('{}', bearer('good')), 500, 'internal')
})

/** Returns an object that fails when its type is asked for once more. */
function proxy(times = 1): object {
  let asked = 0
  const getPrototypeOf = (target: object) => {
    if (asked++ >= times) throw undefined
    return Object.getPrototypeOf(target)
  }
  return new Proxy({}, { getPrototypeOf })
}
const both = [post('{}', bearer('good')), request('GET /either', '{}', bearer('good'))]

t.test('a security handler that fails is a 500, logged with its name', async (t) => {
  for (const [what, run] of Object.entries({ ...failing, 'returns a hostile proxy': () => proxy() })) {
    const { expect, log } = await guarded(t, { security: { bearer: run, key: run } })
    for (const text of both) {
      const before = log.length
      const { headers } = await expect(text, 500, 'internal', what)
      t.equal(headers.get('www-authenticate'), undefined)
      const lines = log.slice(before)
      t.equal(lines.length, 1, `${what} is logged once`)
      if (what !== 'returns a hostile proxy' && lines[0]?.['failure'] !== undefined)
        t.match(lines, [{ level: 50, reason: 'the security handler bearer failed' }], what)
    }
  }
  const { expect } = await guarded(t, { security: { ...good.security, bearer: () => proxy(2) } })
  await expect(post('{}', bearer('good')), 500, 'internal', 'an error outside of a security handler')
})

t.test('a security handler that returns no data refuses', async (t) => {
  for (const what of ['returns undefined', 'returns a function', 'returns a symbol']) {
    const key = odd[what] as () => unknown
    for (const bearerHandler of [key, async () => key()]) {
      const { expect } = await guarded(t, { security: { bearer: bearerHandler, key } })
      for (const text of both) await expect(text, 401, 'credentials-refused', what)
    }
  }
})

t.test('a security handler that never answers keeps its own request only', async (t) => {
  const slow = (token: string) => (token === 'good' ? { id: 1 } : new Promise(() => undefined))
  const { port, expect } = await guarded(t, { security: { ...good.security, bearer: slow } })
  const waiting = connect(port, '127.0.0.1')
  t.teardown(() => waiting.destroy())
  waiting.write(post('{}', bearer('waits')))
  await expect(post('{}', bearer('good')), 409, 'own')
})
