/** Handlers within `around`. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { FailureError } from '../../../../src/engine/server.ts'
import { until } from '../../../time.ts'
import { compiled, request, serve } from '../../serve.ts'

t.setTimeout(900_000)

type Handle = () => Promise<{ status: number; body?: unknown }>
type Around = (request: { query: { by?: string } }, handle: Handle) => unknown

const contract = await compiled(
  t,
  parse(`
paths:
  /things:
    get:
      operationId: list
      parameters: [{ name: by, in: query, schema: { type: string } }]
      responses:
        200: &text { description: '', content: { application/json: { schema: { type: string } }, text/plain: {} } }
        409: *text
  /bytes:
    get:
      operationId: bytes
      responses: { 200: { description: '', content: { application/octet-stream: {} } } }
`)
)

/** Serves the contract; `calls` counts the calls of its handlers. */
async function served(t: Test, around: Around, list: () => unknown = () => ({ status: 200, body: 'x' })) {
  const calls: string[] = []
  const handlers = {
    list: () => {
      calls.push('list')
      return list()
    },
    bytes: () => ({ status: 200, body: Readable.from([Buffer.from('ab'), Buffer.from('cd')]) })
  }
  const errorResponse = (error: unknown) => ({ status: 409, body: String(error) })
  const service = await serve(t, contract, { handlers, around: around as never, errorResponse })
  return { ...service, calls, get: (target = '/things') => service.ask(request(`GET ${target}`)) }
}

const thrown = async (error: unknown): Promise<never> => {
  await turn()
  throw error
}

t.test('a transaction is around every handler', async (t) => {
  const done: string[] = []
  const transaction = async (work: Handle) => {
    done.push('begin')
    try {
      const result = await work()
      done.push('commit')
      return result
    } catch (error) {
      done.push('rollback')
      throw error
    }
  }
  let fails = false
  const { get, port } = await served(
    t,
    (_request, handle) => transaction(handle),
    () => {
      done.push('handler')
      if (fails) throw new Error('taken')
      return { status: 200, body: 'x' }
    }
  )
  t.strictSame([(await get()).value, done.splice(0)], ['x', ['begin', 'handler', 'commit']])
  fails = true
  t.strictSame([(await get()).value, done.splice(0)], ['Error: taken', ['begin', 'handler', 'rollback']])
  const bytes = await fetch(`http://127.0.0.1:${port}/bytes`)
  t.strictSame([await bytes.text(), done], ['abcd', ['begin', 'commit']])
})

t.test('the handler runs in the context of around, whose result is the response', async (t) => {
  const storage = new AsyncLocalStorage<string>()
  const { get } = await served(
    t,
    ({ query }, handle) => storage.run(query.by ?? 'nobody', handle),
    async () => {
      await turn()
      return { status: 200, body: storage.getStore() }
    }
  )
  const bodies = await Promise.all(['/things?by=a', '/things', '/things?by=b'].map((target) => get(target)))
  t.strictSame(
    bodies.map(({ value }) => value),
    ['a', 'nobody', 'b']
  )
})

const misuse = 'around called handle again before the handler had failed'

const noResponse = 'around returned no response: return that of handle()'

/** Status and body of the response, calls of the handler, the error that is logged, and the handler. */
type Row = readonly [
  Around,
  status: number,
  body: string,
  calls: number,
  error?: string | undefined,
  list?: () => unknown
]

const again: Around = (_, handle) => handle().catch(handle)
const early: Around = (_, handle) => [own, handle()][0]
const own = { status: 200, body: 'own' }
const rows: Readonly<Record<string, Row>> = {
  'sees the response': [async (_, handle) => ({ ...(await handle()), body: 'xy' }), 200, 'xy', 1],
  'never calls it': [() => own, 200, 'own', 0],
  'throws at once': [() => BigInt('x'), 409, 'SyntaxError: Cannot convert x to a BigInt', 0],
  'throws later': [() => thrown(new Error('no connection')), 409, 'Error: no connection', 0],
  'throws a failure': [() => thrown(new FailureError('overloaded')), 503, 'overloaded', 0],
  'answers what breaks the contract': [
    () => ({ status: 201 }),
    500,
    'response-mismatch',
    0,
    'list answered 201: '
  ],
  'returns nothing': [async (_, handle) => void (await handle()), 500, 'internal', 1, noResponse],
  'returns null': [() => null, 500, 'internal', 0, noResponse],
  'calls it twice': [async (_, handle) => (await handle()) && handle(), 500, 'internal', 1, misuse],
  'calls it twice at once, and ignores that': [
    (_, handle) => [handle(), handle()][0],
    500,
    'internal',
    1,
    misuse
  ],
  'tries again, and fails again': [again, 409, 'deadlock', 2, undefined, () => thrown('deadlock')],
  'ignores that the handler fails': [early, 200, 'own', 1, 'late', () => thrown(new Error('late'))]
}

t.test('what around does decides the response', async (t) => {
  for (const [name, [around, status, body, times, error, list]] of Object.entries(rows)) {
    const { get, calls, log } = await served(t, around, list)
    const { status: found, value } = await get()
    t.strictSame([found, Object(value).code ?? value, calls.length], [status, body, times], name)
    if (error !== undefined) await until(() => log.some(({ err }) => err !== undefined))
    const errors = log.flatMap(({ err }) => (err === undefined ? [] : [String(Object(err).message)]))
    t.match(errors, error === undefined ? [] : [error], name)
    t.equal(errors.length, error === undefined ? 0 : 1, name)
  }
})

t.test('a stream that comes when around has returned is destroyed', async (t) => {
  const late = Readable.from(['x'])
  const { get } = await served(
    t,
    (_request, handle) => Promise.race([handle(), { status: 200, body: 'early' }]),
    async () => {
      await turn()
      return { status: 200, body: late }
    }
  )
  t.equal((await get()).value, 'early')
  await until(() => late.destroyed)
  t.ok(late.destroyed)
})
