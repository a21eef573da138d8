/** Errors of handlers, which `errorResponse` may turn into responses, and the signal of a client that has left. */
import { connect } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import t from 'tap'
import { parse } from 'yaml'
import { FailureError } from '../../../../src/engine/server.ts'
import { sleep, until } from '../../../time.ts'
import { compiled, request, type Service, serve, servePlugins } from '../../serve.ts'

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

interface Row {
  readonly thrown?: unknown
  readonly map: Mapped
  readonly status: number
  readonly title?: string
  /** Message and error of each line. */
  readonly log?: readonly (readonly [message: string, error: string])[]
}
const broken = (map: Mapped, answered: string): Row => ({
  map,
  status: 500,
  log: [[`sync answered ${answered} (handlers/sync.ts)`, 'lost']]
})
const failed = (map: Mapped, reason: string): Row => ({
  map,
  status: 500,
  log: [['errorResponse failed', reason], internal]
})
const rows: Readonly<Record<string, Row>> = {
  'an error': { thrown: new Conflict('taken'), map: conflict, status: 409, title: 'taken' },
  'a text': { thrown: 'taken', map: conflict, status: 409, title: 'a string' },
  nothing: { thrown: undefined, map: conflict, status: 409, title: 'a undefined' },
  'an unknown error': { map: () => undefined, status: 500, log: [internal] },
  'a FailureError': { thrown: unavailable(), map: conflict, status: 503, log: [noDisk] },
  'a FailureError instead of a response': { map: failing(unavailable()), status: 503, log: [noDisk] },
  'a response of 500': {
    map: () => titled(500, 'sorry'),
    status: 500,
    title: 'sorry',
    log: [['errorResponse gave 500', 'lost']]
  },
  'a response of 503': {
    map: () => titled(503, 'later'),
    status: 503,
    title: 'later',
    log: [['errorResponse gave 503', 'lost']]
  },
  'an undeclared status': broken(() => titled(410, 'gone'), '410: status 410 is not declared'),
  'a wrong body': broken(() => titled(409, 1), '409: body/title must be string'),
  'no status': broken(() => ({}), 'undefined: status undefined is not declared'),
  'a function that throws': failed(failing(new Error('no map')), 'no map'),
  'a promise': failed(
    async () => Promise.reject(new Error('never read')),
    'errorResponse returned a promise'
  ),
  'a number': failed(() => 409, 'errorResponse returned a value of type number')
}

/** Reads message and error of each line; the message of an error ends where that of its cause begins. */
const linesOf = (lines: readonly Record<string, unknown>[]) =>
  lines
    .filter(({ level }) => Number(level) >= 40)
    .map(({ msg, err }) => [msg, String(Object(err).message ?? err).replace(/^.*: /, '')])

t.test('what a handler throws, at once or later, becomes a response', async (t) => {
  for (const [name, row] of Object.entries(rows)) {
    map = row.map
    const thrown = Object.hasOwn(row, 'thrown') ? row.thrown : lost
    for (answer of [failing(thrown), async () => failing(thrown)()]) {
      const before = log.length
      const { status, value } = await get()
      t.equal(status, row.status, name)
      if (row.title !== undefined) t.equal(Object(value).title, row.title, name)
      t.strictSame(linesOf(log.slice(before)), row.log ?? [], name)
    }
  }
  t.equal((await ask(request('GET /plain'))).status, 200)
})

t.test('an error is mapped in a plugin, too, with the request of the handler', async (t) => {
  const service: Service = {
    handlers: { sync: failing(new Conflict('taken')), plain: failing(new Conflict('taken')) },
    errorBody: ({ code }) => ({ title: code }),
    errorResponse: (error, { accepts }: { accepts: readonly string[] }) =>
      error instanceof Conflict ? { status: 409, body: { title: String(accepts) } } : undefined
  }
  const { ask } = await servePlugins(t, contract, service, ['/v1'])
  t.match(await ask(request('GET /v1/sync')), { status: 409, value: { title: 'application/problem+json' } })
  t.match(await ask(request('GET /v1/plain')), { status: 500, value: { title: 'response-mismatch' } })
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
  t.ok(
    log.filter(({ failure, err }) => failure === 'internal' && Object(err).message === 'secret').length >= 4
  )
  answer = failing(new FailureError('forbidden'))
  t.match(await get(), { status: 403, value: { title: 'forbidden' } })
  answer = () => Promise.reject(new FailureError('overloaded', { headers: { 'retry-after': '1' } }))
  t.match(await get(), { status: 503, value: { title: 'overloaded' } })
})

t.test('error responses that handlers return are reported when they are sent, and no others', async (t) => {
  reported.length = 0
  const taken = titled(409, 'taken')
  for (const made of [taken, fine, titled(409, 5), undefined])
    for (answer of [() => made, async () => made]) await get()
  t.strictSame(reported, Array(2).fill(['GET', 409, taken.body]))
})

t.test('request.signal is aborted if it is read after the client has left', async (t) => {
  const signals: AbortSignal[] = []
  answer = async ({ signal }) => {
    signals.push(signal)
    return { status: 200, body: fine.body }
  }
  t.equal((await get()).status, 200)
  await sleep(50)
  t.equal(signals[0]?.aborted, false)
  for (const [leave, event] of [
    ['end', 'end'],
    ['resetAndDestroy', 'close']
  ] as const) {
    const gone = new Promise((resolve) =>
      app.server.once('connection', (socket) => socket.once(event, resolve))
    )
    let late: AbortSignal | undefined
    answer = async (given) => {
      left[leave]()
      await gone
      late = given.signal
      return { status: 200, body: fine.body }
    }
    const left = connect(port, '127.0.0.1').resume()
    left.write(request('GET /sync'))
    await until(() => late !== undefined)
    t.equal(late?.aborted, true, leave)
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
