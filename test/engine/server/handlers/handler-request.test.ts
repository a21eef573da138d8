/** Members of a request that the contract does not declare, and listeners of its signal. */
import { once } from 'node:events'
import { request as clientRequest } from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { parse } from 'yaml'
import { until } from '../../../time.ts'
import { compiled, request, serve, servePlugins } from '../../serve.ts'
import { exchange } from '../transport/raw-client.ts'

const contract = await compiled(
  t,
  parse(
    `
paths:
  /things/{id}:
    x-of-the-path: true
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getThing
      tags: [things, reading]
      x-rules: { roles: [admin, { name: owner }], big: 9007199254740993, $ref: '#/nowhere', none: null }
      x-zero: 0
      responses: &json { 200: { description: '', content: { application/json: {} } } }
    put: { operationId: putThing, responses: *json }
`,
    { intAsBigInt: true }
  )
)
const rules = { roles: ['admin', { name: 'owner' }], big: 9007199254740993n, $ref: '#/nowhere', none: null }

interface Seen {
  readonly id: string
  readonly ip: string
  readonly signal: AbortSignal
  readonly operation: { readonly tags: unknown; readonly extensions: Readonly<Record<string, unknown>> }
  readonly allHeaders: object
}

/** Handlers that keep the request. */
function seeing() {
  const seen: Seen[] = []
  const see = (request: Seen) => {
    seen.push(request)
    return { status: 200, body: {} }
  }
  return { seen, handlers: { getThing: see, putThing: see } }
}

const getThing = {
  operationId: 'getThing',
  method: 'GET',
  path: '/things/{id}',
  tags: ['things', 'reading'],
  extensions: { 'x-rules': rules, 'x-zero': 0 }
}

t.test('a request has what was sent, and its operation', async (t) => {
  const { seen, handlers } = seeing()
  const { app, ask, log } = await serve(t, contract, {
    handlers,
    fastify: { genReqId: () => 'request-1', trustProxy: true },
    extend: (app) => app.addHook('onResponse', async ({ log }) => log.info('done'))
  })
  const headers = { 'X-Free': 'a', 'X-Forwarded-For': '203.0.113.7' }
  await ask(request('GET /things/1?by=%61&by', undefined, headers))
  const sent = { method: 'GET', url: '/things/1?by=%61&by', basePath: '', headers: {} }
  t.match(seen[0], { id: 'request-1', ip: '203.0.113.7', ...sent })
  t.match(seen[0]?.allHeaders, { 'x-free': 'a', host: 'localhost' })
  t.strictSame(seen[0]?.operation, getThing)
  t.ok(log.some(({ msg, reqId }) => msg === 'done' && reqId === seen[0]?.id))
  await app.inject({ method: 'HEAD', url: '/things/1' })
  t.match(seen[1], { method: 'HEAD', operation: { method: 'GET' } })
  await ask(request('PUT http://localhost/things/1'))
  const operation = { operationId: 'putThing', method: 'PUT', tags: [], extensions: {} }
  t.match(seen[2], { url: 'http://localhost/things/1', basePath: '', operation })
})

t.test('below a prefix the URL is that of the request, and the path that of the contract', async (t) => {
  for (const [prefix, url, basePath] of [
    ['/v1/:tenant', '/v1/a%20b/things/1?to=/x', '/v1/a%20b'],
    ['/v1/', '/v1/things/1', '/v1'],
    ['/', '/things/1', '']
  ] as const) {
    const { seen, handlers } = seeing()
    const { ask } = await servePlugins(t, contract, { handlers }, [prefix])
    await ask(request(`GET ${url}`))
    t.match(seen[0], { url, basePath, ip: '127.0.0.1', operation: { path: '/things/{id}' } }, prefix)
  }
})

t.test('a handler cannot change the operation for other requests', async (t) => {
  const { seen, handlers } = seeing()
  const { ask } = await serve(t, contract, { handlers })
  await ask(request('GET /things/1'))
  const operation = Object(seen[0]?.operation)
  const changes: readonly (() => void)[] = [
    () => Object.assign(operation, { method: 'PUT' }),
    () => operation.tags.push('more'),
    () => Object.assign(operation.extensions, { 'x-more': 1 }),
    () => operation.extensions['x-rules'].roles.push('guest'),
    () => Object.assign(operation.extensions['x-rules'].roles[1], { name: 'guest' })
  ]
  for (const change of changes) t.throws(change, TypeError)
  await ask(request('GET /things/2'))
  t.strictSame(seen[1]?.operation, getThing)
})

t.test('the address of a client at a Unix socket is empty', async (t) => {
  const socketPath = join(tmpdir(), `handler-request-${process.pid}.sock`)
  const { seen, handlers } = seeing()
  await serve(t, contract, { handlers, listenAt: { path: socketPath } })
  const [response] = await once(clientRequest({ socketPath, path: '/things/1' }).end(), 'response')
  await once(response.resume(), 'end')
  t.equal(seen[0]?.ip, '')
})

t.test('a listener of request.signal that throws is logged, and does not end the process', async (t) => {
  const called: string[] = []
  const run = (name: string) => () => {
    called.push(name)
    throw new Error(name)
  }
  const removed = run('removed')
  const wrong: Readonly<Record<string, (signal: AbortSignal) => void>> = {
    function: (signal) => signal.addEventListener('abort', run('function'), { once: true }),
    object: (signal) => signal.addEventListener('abort', { handleEvent: run('object') }),
    asynchronous: (signal) => signal.addEventListener('abort', () => wait(1).then(run('asynchronous'))),
    onabort: (signal) => {
      signal.onabort = removed
      signal.onabort = run('onabort')
    },
    twice: (signal) => {
      const listener = run('twice')
      signal.addEventListener('abort', listener)
      signal.addEventListener('abort', listener)
    }
  }
  const right: typeof wrong = {
    'not removed': (signal) => {
      signal.addEventListener('abort', removed)
      signal.removeEventListener('abort', removed)
      signal.onabort = removed
      signal.onabort = null
      Reflect.apply(signal.addEventListener, signal, ['abort', null])
      Reflect.apply(signal.removeEventListener, signal, ['abort', null])
      signal.addEventListener('abort', () => void called.push('not removed'))
    },
    'of an API': (signal) => void wait(60_000, undefined, { signal }).catch(() => called.push('of an API'))
  }
  let listen = wrong['function']
  let signal: AbortSignal | undefined
  const getThing = async (request: Seen) => {
    signal = request.signal
    listen?.(signal)
    await until(() => request.signal.aborted)
    return { status: 200, body: {} }
  }
  const { port, log } = await serve(t, contract, { handlers: { getThing, putThing: getThing } })
  for (const [name, each] of Object.entries({ ...wrong, ...right })) {
    called.length = 0
    const before = log.length
    signal = undefined
    listen = each
    const talk = async (socket: Socket) => {
      socket.write(request('GET /things/1'))
      await until(() => signal !== undefined)
    }
    await exchange(port, '', { wait: 0, talk })
    const times = Object.hasOwn(wrong, name) ? 1 : 0
    await until(() => called.length > 0 && log.length >= before + times)
    t.strictSame(called, [name])
    const lines = log.slice(before).filter(({ callback }) => callback === 'a listener of request.signal')
    t.equal(lines.length, times, name)
    if (name === 'onabort') t.type(Object(signal).onabort, 'function')
  }
  t.ok((signal as unknown) instanceof AbortSignal)
})
