/** Errors of handlers, which `errorResponse` may turn into responses, and the signal of a client that has left. */
import { connect } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import t from 'tap'
import { parse } from 'yaml'
import { FailureError } from '../../../../src/engine/server.ts'
import { sleep, until } from '../../../time.ts'
import { compiled, request, serve, servePlugins } from '../../serve.ts'

t.setTimeout(900_000)

class Conflict extends Error {
  override readonly name = 'Conflict'
}

const contract = await compiled(
  t,
  parse(`
paths:
  /sync:
    get:
      operationId: sync
      responses:
        200: &problem
          description: ''
          content: { application/problem+json: { schema: { type: object, required: [title], properties: { title: { type: string } } } } }
        409: *problem
        500: *problem
        503: *problem
  /plain: { get: { operationId: plain, responses: { 200: *problem } } }
`)
)

interface Request {
  readonly signal: AbortSignal
  readonly log: FastifyBaseLogger
}
/** Response to an error. */
type Mapped = (error: unknown, request: never) => unknown
let answer: (request: Request) => unknown = () => undefined
let map: Mapped = () => undefined
const reported: unknown[] = []
const fine = { status: 200, body: { title: 'fine' } }
const { app, ask, log, port } = await serve(t, contract, {
  handlers: { sync: (given: Request) => answer(given), plain: () => fine },
  errorBody: ({ code }) => ({ title: code }),
  errorResponse: (error, request) => map(error, request),
  onErrorResponse: ({ status, body }, { method }) => reported.push([method, status, body])
})
const get = () => ask(request('GET /sync'))

const titled = (status: number, title: unknown) => ({ status, body: { title } })
const conflict = (error: unknown) => titled(409, error instanceof Error ? error.message : `a ${typeof error}`)
const failing = (thrown: unknown) => () => {
  throw thrown
}
const lost = new Conflict('lost')
const unavailable = () => new FailureError('unavailable', { cause: new Error('the disk is full') })
const noDisk = ['something the service depends on is unavailable', 'the disk is full'] as const
const internal = ['internal server error', 'lost'] as const
const failed = (reason: string) => ['errorResponse failed', reason] as const

type Log = readonly (readonly [message: string, error: string])[]
/** Mapping, status and title of the response, message and error of each line, and what is thrown: `lost` by default. */
type Row = readonly [map: Mapped, status: number, title: string, log?: Log, thrown?: unknown]
const undeclared = 'sync answered 410: status 410 is not declared (handlers/sync.ts)'
const untitled = 'sync answered 409: body/title must be string (handlers/sync.ts)'
const none = 'sync answered undefined: status undefined is not declared (handlers/sync.ts)'
const promised = async () => Promise.reject(new Error('never read'))
const rows: Readonly<Record<string, Row>> = {
  'an error': [conflict, 409, 'lost'],
  'a text': [conflict, 409, 'a string', [], 'taken'],
  nothing: [conflict, 409, 'a undefined', [], undefined],
  'an unknown error': [() => undefined, 500, 'internal', [internal]],
  'a FailureError': [conflict, 503, 'unavailable', [noDisk], unavailable()],
  'a FailureError instead of a response': [failing(unavailable()), 503, 'unavailable', [noDisk]],
  'a response of 500': [() => titled(500, 'sorry'), 500, 'sorry', [['errorResponse gave 500', 'lost']]],
  'a response of 503': [() => titled(503, 'later'), 503, 'later', [['errorResponse gave 503', 'lost']]],
  'an undeclared status': [() => titled(410, 'gone'), 500, 'response-mismatch', [[undeclared, 'lost']]],
  'a wrong body': [() => titled(409, 1), 500, 'response-mismatch', [[untitled, 'lost']]],
  'no status': [() => ({}), 500, 'response-mismatch', [[none, 'lost']]],
  'a function that throws': [failing(new Error('no map')), 500, 'internal', [failed('no map'), internal]],
  'a promise': [promised, 500, 'internal', [failed('errorResponse returned a promise'), internal]],
  'a number': [
    () => 409,
    500,
    'internal',
    [failed('errorResponse returned a value of type number'), internal]
  ]
}

/** Reads message and error of each line; the message of an error ends where that of its cause begins. */
const linesOf = (lines: readonly Record<string, unknown>[]) =>
  lines
    .filter(({ level }) => Number(level) >= 40)
    .map(({ msg, err }) => [msg, String(Object(err).message ?? err).replace(/^.*: /, '')])

t.test('what a handler throws, at once or later, becomes a response', async (t) => {
  for (const [name, row] of Object.entries(rows)) {
    const [mapped, status, title, wanted = []] = row
    map = mapped
    const thrown = row.length === 5 ? row[4] : lost
    for (answer of [failing(thrown), async () => failing(thrown)()]) {
      const before = log.length
      t.match(await get(), { status, value: { title } }, name)
      t.strictSame(linesOf(log.slice(before)), wanted, name)
    }
  }
  t.equal((await ask(request('GET /plain'))).status, 200)
})

t.test('an error is mapped in a plugin, too, with the request of the handler', async (t) => {
  const taken = failing(new Conflict('taken'))
  const { ask } = await servePlugins(t, contract, {
    handlers: { sync: taken, plain: taken },
    errorBody: ({ code }) => ({ title: code }),
    errorResponse: (_error, { accepts }: { accepts: readonly string[] }) => titled(409, String(accepts))
  })
  t.match(await ask(request('GET /sync')), { status: 409, value: { title: 'application/problem+json' } })
  t.match(await ask(request('GET /plain')), { status: 500, value: { title: 'response-mismatch' } })
})

t.test('without errorResponse an exception is a 500, unless it is a FailureError', async (t) => {
  map = () => undefined
  const secret = new Error('secret')
  const unreadable = new Proxy(secret, { getPrototypeOf: failing(secret) })
  const statusCode = Object.assign(new Error('secret'), { statusCode: 404 })
  for (const thrown of [secret, undefined, null, unreadable, statusCode])
    for (answer of [failing(thrown), () => Promise.reject(thrown)]) {
      const { status, value, body } = await get()
      t.match([status, value], [500, { title: 'internal' }])
      t.notMatch(body, /secret/)
    }
  const logged = log.filter(({ failure, err }) => failure === 'internal' && Object(err).message === 'secret')
  t.ok(logged.length >= 4)
  answer = failing(new FailureError('forbidden'))
  t.match(await get(), { status: 403, value: { title: 'forbidden' } })
})

t.test('error responses that handlers return are reported when they are sent, and no others', async (t) => {
  reported.length = 0
  const taken = titled(409, 'taken')
  for (const made of [taken, fine, titled(409, 5), undefined])
    for (answer of [() => made, async () => made]) await get()
  t.strictSame(reported, Array(2).fill(['GET', 409, taken.body]))
})

t.test('request.signal is aborted if it is read after the client has left', async (t) => {
  let late: AbortSignal | undefined
  let gone: Promise<unknown> | undefined
  answer = async (given) => {
    await gone
    late = given.signal
    return { status: 200, body: fine.body }
  }
  t.equal((await get()).status, 200)
  await sleep(50)
  t.equal(late?.aborted, false)
  for (const [leave, event] of [
    ['end', 'end'],
    ['resetAndDestroy', 'close']
  ] as const) {
    late = undefined
    gone = new Promise((resolve) => app.server.once('connection', (socket) => socket.once(event, resolve)))
    const left = connect(port, '127.0.0.1').resume()
    left.write(request('GET /sync'))
    await sleep(50)
    left[leave]()
    await until(() => late !== undefined)
    t.equal(Object(late).aborted, true, leave)
  }
})

t.test('request.log is the log of the request', async (t) => {
  answer = ({ log }) => {
    log.info({ of: 'the handler' }, 'of the handler')
    return { status: 200, body: fine.body }
  }
  t.equal((await get()).status, 200)
  t.match(log.at(-1), { msg: 'of the handler', of: 'the handler', reqId: /./ })
})
