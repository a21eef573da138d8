/** Failures and their responses: status, media type and body, what the log says, and hooks that keep them back. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { type ErrorBody, sendError } from '../../../../src/engine/server/errors/error-response.ts'
import { type FailureCode, FailureError } from '../../../../src/engine/server/errors/failure.ts'
import { compiled, type Json, request, type Served, type Service, serve } from '../../serve.ts'
import { document, handlers, setResult, shaped } from './failing-contract.ts'

t.setTimeout(900_000)

const contract = await compiled(t, document)
const garbage = Buffer.from('garbage\r\n\r\n')

/** Returns `404 application/json {…}`. */
async function answerOf({ ask }: Pick<Served, 'ask'>, text: Buffer): Promise<string> {
  const { status, headers, body } = await ask(text)
  return `${status} ${headers.get('content-type')} ${body}`
}
const throwing = (error: unknown) => (): never => {
  throw error
}
const refusing = (code: FailureCode) => throwing(new FailureError(code))
const done = () => ({ status: 200 })

t.test('an error body is of the media type and the schema that the operation declares', async (t) => {
  const served = await serve(t, contract, { handlers, errorBody: shaped })
  const get = request('GET /shaped')
  const text = request('GET /text')
  const plain = { 'Content-Type': 'text/plain' }
  const rows: readonly (readonly [text: Buffer, made: () => unknown, answer: string])[] = [
    [get, refusing('forbidden'), '403 application/problem+json {"type":"forbidden","status":403}'],
    [get, throwing(new Error('x')), '500 application/problem+json {"type":"internal","status":500}'],
    [get, done, '500 application/problem+json {"type":"response-mismatch","status":500}'],
    [
      request('POST /shaped', '{'),
      done,
      '400 application/problem+json {"type":"malformed-body","status":400}'
    ],
    [
      request('POST /shaped', 'x', plain),
      done,
      '415 application/problem+json {"type":"unsupported-media-type","status":415}'
    ],
    [text, throwing(new Error('x')), '500 text/plain failed: internal'],
    [text, refusing('overloaded'), '503 application/json "failed: overloaded"'],
    [request('GET /nowhere'), done, '404 application/json {"type":"not-found","status":404}'],
    [request('PUT /shaped'), done, '405 application/json {"type":"method-not-allowed","status":405}'],
    [request('GET /%zz'), done, '400 application/json {"type":"malformed-url","status":400}']
  ]
  for (const [text, made, answer] of rows) {
    setResult(made)
    t.equal(await answerOf(served, text), answer, answer)
  }
})

const components = parse(`
schemas:
  Problem: &problem
    type: object
    required: [type, serial]
    properties: { type: { type: string }, serial: { type: integer, format: int64 } }
responses:
  Problem: { description: '', content: { application/problem+json: { schema: *problem } } }
  Inline: { description: '', content: { application/problem+json: { schema: { type: object, maxProperties: 9 } } } }
  Any: { description: '', content: { '*/*': { schema: *problem } } }
  Text: { description: '', content: { text/plain: { schema: { type: string } } } }
  Xml: { description: '', content: { application/xml: {} } }
  Bare: { description: '' }
`)

/** Serves a contract whose operations answer their errors by these components. */
function answering(t: Test, errors: readonly string[], errorBody: ErrorBody): Promise<Served> {
  const any = { description: '', content: { 'application/json': {} } }
  const parameters = [{ name: 'n', in: 'query', schema: { type: 'integer' } }]
  const paths = errors.map((name, index): [string, Json] => {
    const responses = { 200: any, '4XX': { $ref: `#/components/responses/${name}` } }
    return [`/things${index}`, { get: { operationId: `get${index}`, parameters, responses } }]
  })
  const handlers = Object.fromEntries(
    errors.map((_, index) => [`get${index}`, () => ({ status: 200, body: 1 })])
  )
  return serve(t, { paths: Object.fromEntries(paths), components }, { handlers, errorBody })
}

const largest: ErrorBody = ({ code }) => ({ type: code, serial: 2n ** 63n - 1n, internal: 'secret' })
const coded: ErrorBody = ({ code }) => ({ code })
const plainCode = /^application\/json \{"code":"[\w-]+"\}$/
const wholeProblem = /^application\/problem\+json \{"type":"[\w-]+","serial":9223372036854775807\}$/

t.test('a failure of no operation has the media type and shape of all errors', async (t) => {
  const rows: readonly (readonly [errors: string, errorBody: ErrorBody, answer: RegExp])[] = [
    ['Problem Bare Problem', largest, wholeProblem],
    ['Problem Inline', coded, /^application\/problem\+json \{"code":"[\w-]+"\}$/],
    ['Any', largest, /^application\/json \{.*"serial":9223372036854775807\}$/],
    ['Text', ({ code }) => `failed: ${code}`, /^text\/plain failed: [\w-]+$/],
    ['Text', coded, plainCode],
    ['Xml', ({ code }) => `<${code}/>`, /^application\/xml <[\w-]+\/>$/],
    ['Problem Text', coded, plainCode],
    ['Bare', coded, plainCode]
  ]
  for (const [errors, errorBody, wanted] of rows) {
    const served = await answering(t, errors.split(' '), errorBody)
    for (const [status, text] of [
      [404, request('GET /nowhere')],
      [405, request('PUT /things0')],
      [400, garbage]
    ] as const) {
      const answer = await answerOf(served, text)
      t.match([answer.slice(0, 3), answer.slice(4)], [String(status), wanted], errors)
    }
  }
})

t.test('a status without a declared body has the content of all errors', async (t) => {
  const served = await answering(t, ['Bare', 'Problem'], largest)
  const answer = await answerOf(served, request('GET /things0?n=x'))
  t.equal(answer, '400 application/problem+json {"type":"mismatch","serial":9223372036854775807}')
})

t.test('a boot warns of error bodies that do not fit; they are sent as they are', async (t) => {
  const narrow = await serve(t, contract, { handlers, errorBody: shaped })
  t.match(
    narrow.log.find(({ level }) => level === 40),
    {
      msg: 'errorBody does not fit what these operations declare',
      operations: ['narrow 400: body/impossible is required'],
      count: 1
    }
  )
  const unfit = await answerOf(narrow, request('POST /narrow', '5'))
  t.equal(unfit, '400 application/json {"type":"mismatch","status":400}')
  const line = { level: 40, operationId: 'narrow', msg: /^the error body breaks the contract: / }
  t.match(narrow.log.at(-1), line)

  const rows: readonly (readonly [errorBody: ErrorBody, problem: string])[] = [
    [() => ({ other: 'shape' }), 'body/type is required'],
    [throwing(new Error('secret')), 'errorBody fails'],
    [() => undefined, 'errorBody makes no body']
  ]
  for (const [errorBody, problem] of rows) {
    const served = await serve(t, contract, { handlers, errorBody })
    const warning = served.log.find(({ level }) => level === 40)
    t.ok(Number(warning?.['count']) > 10)
    t.match(JSON.stringify(warning?.['operations']), `"shaped 400: ${problem}`)
    if (problem === 'body/type is required') {
      const answer = await answerOf(served, request('POST /shaped', '{'))
      t.equal(answer, '400 application/problem+json {"other":"shape"}')
    } else {
      t.match(await served.ask(request('GET /own', 'x')), { status: 400, body: '' })
      t.match(served.log.at(-1)?.['msg'], /^errorBody (failed|made no body)$/)
      t.match(await served.ask(request('PUT /shaped')), { status: 405, body: '' })
      t.match(await served.ask(garbage), { status: 400, body: '' })
      t.equal((await served.ask(request('GET /own'))).value, 'get', 'the server keeps serving')
    }
  }
})

/** Serves the contract, with a hook that throws the error that a request names. */
const throwingServer = (t: Test, thrown: Readonly<Record<string, unknown>>, more: Service = {}) =>
  serve(t, contract, {
    ...{ handlers, errorBody: shaped, ...more },
    extend: (app) => {
      app.addHook('onRequest', async ({ headers }) => {
        if (headers['x-throw'] !== undefined) throw thrown[String(headers['x-throw'])]
      })
      more.extend?.(app)
    }
  })
const asking = (name: string) => request('GET /shaped', undefined, { 'X-Throw': name })

t.test('a plugin error keeps a status that the client can cause; others are 500', async (t) => {
  const messages: string[] = []
  const withStatus = (statusCode: unknown) => Object.assign(new Error('secret'), { statusCode })
  const unreadable = Object.defineProperty(new Error('secret'), 'statusCode', { get: throwing('secret') })
  const rows: Readonly<Record<string, readonly [status: number, thrown: unknown]>> = {
    ...{ large: [413, withStatus(413)], teapot: [418, withStatus(418)], busy: [503, withStatus(503)] },
    ...{ odd: [500, withStatus('toString')], text: [500, 'secret'], unreadable: [500, unreadable] }
  }
  const thrown = Object.fromEntries(Object.entries(rows).map(([name, [, error]]) => [name, error]))
  const { ask } = await throwingServer(t, thrown, {
    onFailure: ({ message }) => messages.push(message),
    extend: (app) => {
      app.get('/beside', async () => ({ page: true }))
      app.post('/checked', { schema: { body: { type: 'object', required: ['from'] } } }, async () => ({}))
    }
  })
  for (const [name, [status]] of Object.entries(rows)) {
    const got = await ask(asking(name))
    t.match([got.status, got.value], [status, { status }], name)
    t.notMatch(got.body, /secret/)
  }
  t.match(await ask(request('POST /checked', '{}')), { status: 400, value: { type: 'mismatch' } })
  t.equal(messages.at(-1), "body must have required property 'from'")
  const beside = await ask(request('PUT /beside', 'x'))
  t.strictSame([beside.status, beside.headers.get('allow')], [405, 'GET, HEAD'], 'routes beside the contract')
  const twoHosts = await ask(request('GET /beside', undefined, { Host: 'a', host: 'b' }))
  t.equal(twoHosts.status, 400, 'the checks of HTTP apply to them')
})

t.test('a 503 is a warning with its cause; a 500 is an error', async (t) => {
  const { ask, log } = await throwingServer(t, {
    shed: new FailureError('overloaded'),
    outage: new FailureError('unavailable', { cause: new Error('disk full') }),
    defect: new Error('defect')
  })
  for (const [name, ...levels] of [['shed'], ['outage', 40], ['defect', 50]] as const) {
    const before = log.length
    await ask(asking(name))
    const lines = log.slice(before)
    t.strictSame(
      lines.map(({ level, err }) => err !== undefined && level),
      levels,
      name
    )
  }
})

const crash = async () => throwing(new Error('secret detail'))()
type Done = (error?: unknown, payload?: unknown) => void

const breaking: Readonly<Record<string, (app: FastifyInstance) => void>> = {
  'an asynchronous hook that fails': (app) => void app.addHook('onSend', crash),
  'a hook that calls back with an error': (app) =>
    void app.addHook('onSend', (_request, _reply, _payload, done: Done) => done(new Error('secret detail'))),
  'a hook that gives no payload': (app) =>
    void app.addHook('onSend', (_request, _reply, _payload, done: Done) => done(null, {})),
  'a hook that adds a wrong header': (app) =>
    void app.addHook('onSend', async (_request, reply) => void reply.header('secret detail', 'x')),
  'a hook of a route that fails': (app) =>
    void app.addHook('onRoute', (route) => void Object.assign(route, { onSend: crash }))
}

for (const [what, extend] of Object.entries(breaking))
  t.test(`${what} changes neither status nor shape of errors`, async (t) => {
    const { ask, log } = await serve(t, contract, {
      ...{ handlers, errorBody: shaped },
      extend: (app) => {
        extend(app)
        app.get('/beside', crash)
      }
    })
    const got = await ask(request('GET /beside'))
    t.match(got, { status: 500, value: { status: 500 } })
    t.notMatch(JSON.stringify([...got.headers, got.body]), /secret/)
    t.match(log.at(-1), { level: 50, msg: 'an error response could not be sent with its hooks' })
    const missing = await ask(request('GET /nowhere'))
    t.match(missing, { status: 404, value: { status: 404 } }, 'also where no other hook follows')
  })

t.test('a response that a hook has begun is cut off when the hook fails', async (t) => {
  const begin = async (_request: unknown, { raw }: FastifyReply) => {
    raw.writeHead(200, { 'content-length': 9 }).write('half')
    return crash()
  }
  const extend = (app: FastifyInstance) =>
    void app.get('/begun', { onSend: begin }, async (_request, reply) =>
      sendError(reply, { status: 404, headers: {}, body: '{}' })
    )
  const { ask } = await serve(t, contract, { handlers, errorBody: shaped, extend })
  await t.rejects(ask(request('GET /begun')))
  t.equal((await ask(request('GET /nowhere'))).status, 404, 'the server goes on')
})

t.test('only internal failures have a stack trace, because capturing one is slow', async (t) => {
  t.notMatch(new FailureError('mismatch').stack, /\n\s+at /)
  t.match(new FailureError('internal').stack, /\n\s+at /)
  const { stackTraceLimit } = Error
  const message = { toString: throwing(new RangeError('no text')) }
  t.throws(() => new FailureError('mismatch', { message: message as never }), RangeError)
  t.equal(Error.stackTraceLimit, stackTraceLimit, 'restored')
})
