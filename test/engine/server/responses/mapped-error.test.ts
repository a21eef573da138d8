/** Errors of handlers that `errorResponse` turns into responses. */
import Fastify from 'fastify'
import t from 'tap'
import { contractRoutes, FailureError } from '../../../../src/engine/server.ts'
import { compiled, request, serve } from '../../serve.ts'

class Conflict extends Error {
  override readonly name = 'Conflict'
}

const problem = {
  description: '',
  content: {
    'application/problem+json': {
      schema: { type: 'object', required: ['title'], properties: { title: { type: 'string' } } }
    }
  }
}
const get = (operationId: string, statuses: readonly number[]) => ({
  get: { operationId, responses: Object.fromEntries(statuses.map((status) => [status, problem])) }
})
const contract = await compiled(t, {
  paths: {
    '/sync': get('sync', [200, 409, 500, 503]),
    '/async': get('async', [200, 409, 500, 503]),
    '/plain': get('plain', [200])
  }
})

/** Each row: what is thrown; what `errorResponse` does; the status, the title of the body, and the log. */
interface Row {
  readonly thrown: unknown
  readonly map: (error: unknown, request: never) => unknown
  readonly status: number
  readonly title?: string
  /** Message and error of each line. */
  readonly log: readonly (readonly [message: string, error: string | undefined])[]
}

const title = (error: unknown) => (error instanceof Error ? error.message : `a ${typeof error}`)
const conflict = (error: unknown) => ({ status: 409, body: { title: title(error) } })
const failing = (thrown: unknown) => () => {
  throw thrown
}
const rows: Readonly<Record<string, Row>> = {
  'an error': { thrown: new Conflict('taken'), map: conflict, status: 409, title: 'taken', log: [] },
  'a text': { thrown: 'taken', map: conflict, status: 409, title: 'a string', log: [] },
  nothing: { thrown: undefined, map: conflict, status: 409, title: 'a undefined', log: [] },
  'an unknown error': {
    thrown: new Conflict('lost'),
    map: () => undefined,
    status: 500,
    log: [['internal server error', 'lost']]
  },
  'a FailureError': {
    thrown: new FailureError('unavailable', { cause: new Error('the disk is full') }),
    map: conflict,
    status: 503,
    log: [['something the service depends on is unavailable', 'the disk is full']]
  },
  'a FailureError instead of a response': {
    thrown: new Conflict('lost'),
    map: failing(new FailureError('unavailable', { cause: new Error('the disk is full') })),
    status: 503,
    log: [['something the service depends on is unavailable', 'the disk is full']]
  },
  'a response of 500': {
    thrown: new Conflict('lost'),
    map: () => ({ status: 500, body: { title: 'sorry' } }),
    status: 500,
    title: 'sorry',
    log: [['errorResponse gave 500', 'lost']]
  },
  'a response of 503': {
    thrown: new Conflict('lost'),
    map: () => ({ status: 503, body: { title: 'later' } }),
    status: 503,
    title: 'later',
    log: [['errorResponse gave 503', 'lost']]
  },
  'an undeclared status': {
    thrown: new Conflict('lost'),
    map: () => ({ status: 410, body: { title: 'gone' } }),
    status: 500,
    log: [['NAME answered 410: status 410 is not declared (handlers/NAME.ts)', 'lost']]
  },
  'a wrong body': {
    thrown: new Conflict('lost'),
    map: () => ({ status: 409, body: { title: 1 } }),
    status: 500,
    log: [['NAME answered 409: body/title must be string (handlers/NAME.ts)', 'lost']]
  },
  'no status': {
    thrown: new Conflict('lost'),
    map: () => ({}),
    status: 500,
    log: [['NAME answered undefined: status undefined is not declared (handlers/NAME.ts)', 'lost']]
  },
  'a function that throws': {
    thrown: new Conflict('lost'),
    map: failing(new Error('no map')),
    status: 500,
    log: [
      ['errorResponse failed', 'no map'],
      ['internal server error', 'lost']
    ]
  },
  'a promise': {
    thrown: new Conflict('lost'),
    map: async () => Promise.reject(new Error('never read')),
    status: 500,
    log: [
      ['errorResponse failed', 'errorResponse returned a promise'],
      ['internal server error', 'lost']
    ]
  },
  'a number': {
    thrown: new Conflict('lost'),
    map: () => 409,
    status: 500,
    log: [
      ['errorResponse failed', 'errorResponse returned a value of type number'],
      ['internal server error', 'lost']
    ]
  }
}

/** Reads message and error of each line; the message of an error ends where that of its cause begins. */
const linesOf = (log: readonly Record<string, unknown>[]) =>
  log
    .filter(({ level }) => Number(level) >= 40)
    .map(({ msg, err }) => [msg, String(Object(err).message ?? err).replace(/^.*: /, '')])

t.test('what a handler throws, at once or later, becomes a response', async (t) => {
  let row: Row | undefined
  const { ask, log } = await serve(t, contract, {
    handlers: {
      sync: () => failing(row?.thrown)(),
      async: async () => failing(row?.thrown)(),
      plain: () => ({ status: 200, body: { title: 'fine' } })
    },
    errorBody: ({ code }) => ({ title: code }),
    errorResponse: (error, request) => row?.map(error, request)
  })
  for (const [name, each] of Object.entries(rows)) {
    row = each
    for (const operation of ['sync', 'async']) {
      const before = log.length
      const { status, value } = await ask(request(`GET /${operation}`))
      t.equal(status, each.status, `${name}, ${operation}`)
      if (each.title !== undefined) t.equal(Object(value).title, each.title, name)
      t.strictSame(
        linesOf(log.slice(before)),
        each.log.map(([message, error]) => [message.replaceAll('NAME', operation), error]),
        `${name}, ${operation}`
      )
    }
  }
  t.equal((await ask(request('GET /plain'))).status, 200)
})

t.test(
  'one line maps an error of a repository, also in a plugin, with the request of the handler',
  async (t) => {
    const app = Fastify()
    await app.register(contractRoutes, {
      contract,
      prefix: '/v1',
      security: {},
      handlers: {
        sync: () => failing(new Conflict('taken'))(),
        async: () => ({ status: 200 }),
        plain: () => failing(new Conflict('taken'))()
      },
      errorBody: ({ code }) => ({ title: code }),
      errorResponse: (error, { accepts }) =>
        error instanceof Conflict ? { status: 409, body: { title: String(accepts) } } : undefined
    })
    t.teardown(() => app.close())
    const mapped = await app.inject('/v1/sync')
    t.strictSame([mapped.statusCode, mapped.json()], [409, { title: 'application/problem+json' }])
    const undeclared = await app.inject('/v1/plain')
    t.strictSame([undeclared.statusCode, undeclared.json()], [500, { title: 'response-mismatch' }])
  }
)
