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
const disconnected = new Error('no connection')

interface Row {
  readonly around: Around
  readonly list?: () => unknown
  /** Status and body of the response, calls of the handler, and the error that is logged. */
  readonly want: readonly [status: number, body: string, calls: number, error?: string]
}

const rows: Readonly<Record<string, Row>> = {
  'sees the response': {
    around: async (_request, handle) => ({ ...(await handle()), body: 'xy' }),
    want: [200, 'xy', 1]
  },
  'never calls it': { around: () => ({ status: 200, body: 'own' }), want: [200, 'own', 0] },
  'throws at once': {
    around: () => {
      throw disconnected
    },
    want: [409, 'Error: no connection', 0]
  },
  'throws later': { around: () => thrown(disconnected), want: [409, 'Error: no connection', 0] },
  'throws a failure': { around: () => thrown(new FailureError('overloaded')), want: [503, 'overloaded', 0] },
  'answers what breaks the contract': {
    around: () => ({ status: 201 }),
    want: [500, 'response-mismatch', 0, 'list answered 201: status 201 is not declared']
  },
  'returns nothing': {
    around: async (_request, handle) => void (await handle()),
    want: [500, 'internal', 1, noResponse]
  },
  'returns null': { around: () => null, want: [500, 'internal', 0, noResponse] },
  'calls it twice': {
    around: async (_request, handle) => (await handle()) && handle(),
    want: [500, 'internal', 1, misuse]
  },
  'calls it twice at once, and ignores that': {
    around: (_request, handle) => {
      const response = handle()
      handle()
      return response
    },
    want: [500, 'internal', 1, misuse]
  },
  'tries again, and fails again': {
    around: (_request, handle) => handle().catch(handle),
    list: () => thrown('deadlock'),
    want: [409, 'deadlock', 2]
  },
  'ignores that the handler fails': {
    around: (_request, handle) => {
      handle()
      return { status: 200, body: 'own' }
    },
    list: () => thrown(new Error('late')),
    want: [200, 'own', 1, 'late']
  }
}

t.test('what around does decides the response', async (t) => {
  for (const [name, { around, list, want }] of Object.entries(rows)) {
    const { get, calls, log } = await served(t, around, list)
    const { status, value } = await get()
    const [wantStatus, wantBody, wantCalls, wantError] = want
    const found = [status, Object(value).code ?? value, calls.length]
    t.strictSame(found, [wantStatus, wantBody, wantCalls], name)
    if (wantError !== undefined) await until(() => log.some(({ err }) => err !== undefined))
    const errors = log.flatMap(({ err }) => (err === undefined ? [] : [String(Object(err).message)]))
    t.equal(errors.length, wantError === undefined ? 0 : 1, name)
    t.ok(
      errors.every((error) => error.startsWith(String(wantError))),
      name
    )
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
