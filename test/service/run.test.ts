/** Starts and ends of a service: what a failed start closes, the signals, and the background work. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import type { FastifyInstance } from 'fastify'
import { Counter } from 'prom-client'
import { type Test, test } from 'tap'
import contract, { type Handlers } from '../../generated/contract.ts'
import type { Contract } from '../../src/engine/server.ts'
import { readConfig } from '../../src/service/config/config.ts'
import { StartError } from '../../src/service/config/start-error.ts'
import {
  defineService,
  type ServiceStore,
  type Setting,
  type StartSetting,
  type StoreOptions,
  type StoreSetting
} from '../../src/service/definition.ts'
import { createLog } from '../../src/service/observability/log.ts'
import { type Controls, depthOf, hasQueue, startService } from '../../src/service/run.ts'
import { createShutdown, holdHangup, onSignals } from '../../src/service/serve.ts'
import { freePort, takenPort } from '../ports.ts'
import { sleep, until } from '../time.ts'
import { createKey, startIssuer } from './credentials/issuer.ts'

/** Handlers that no request of this test reaches, for any operations. */
const handlers = Object.fromEntries(
  (contract as Contract).operations.map(({ operationId }) => [operationId, () => Promise.reject(operationId)])
) as unknown as Handlers

interface Failing {
  readonly environment?: Readonly<Record<string, string>>
  readonly openStore?: (url: string, options: StoreOptions) => Promise<ServiceStore>
  readonly handlers?: () => never
  readonly extend?: (app: FastifyInstance, setting: StoreSetting<ServiceStore>) => unknown
  readonly start?: (setting: StartSetting<ServiceStore>) => unknown
  readonly stop?: (started: unknown) => unknown
  readonly onStarting?: (controls: Controls) => void
  /** True when AUTH_* variables exist. */
  readonly tokens?: boolean | undefined
}

/** Starts a service; records the order of closing, and whether the metrics are still served at that moment. */
async function start(t: Test, { environment = {}, ...options }: Failing) {
  const { tokens, onStarting, ...failing } = { tokens: true, onStarting: undefined, ...options }
  const metricsPort = String(await freePort())
  const isServed = () =>
    fetch(`http://127.0.0.1:${metricsPort}/metrics`).then(
      () => true,
      () => false
    )
  const closed: string[] = []
  const lines: Record<string, unknown>[] = []
  const record = async (what: string) =>
    void closed.push(`${what}${(await isServed()) ? '' : ' without metrics'}`)
  const onFastify = (message: unknown) => {
    const { fastify } = message as { readonly fastify: FastifyInstance }
    fastify.addHook('onClose', () => record('app'))
  }
  subscribe('fastify.initialization', onFastify)
  t.teardown(() => unsubscribe('fastify.initialization', onFastify))
  const store: ServiceStore = { depth: 0, ready: async () => true, close: () => record('store') }
  const definition = defineService({
    contract,
    handlers: (_store: ServiceStore) => handlers,
    security: (authenticate) => ({ bearerAuth: authenticate }),
    openStore: async () => store,
    errorBody: ({ message }) => ({ error: 1, message }),
    errorLabel: () => 1,
    tokenPrefix: 'made_',
    stop: (started) => record(`stop of ${started}`),
    ...failing
  })
  const config = readConfig({ PORT: '0', METRICS_PORT: metricsPort, ...environment }, { tokens })
  const log = createLog('warn', { write: (line) => void lines.push(JSON.parse(line)) })
  const service = await startService(definition, config, log, onStarting).catch((error: unknown) => ({
    error
  }))
  return { service, closed, lines, isServed }
}

/** Starts a service that does not fail. */
async function running(t: Test, options: Failing) {
  const { service, ...others } = await start(t, options)
  if ('error' in service) throw service.error
  return { service, ...others }
}

const rejecting = (error: unknown) => () => Promise.reject(error)
const throwing = (thrown: unknown) => () => {
  throw thrown
}
const appAndStore = ['app', 'store']
const inOrder = ['stop of undefined', ...appAndStore]

/** Starts that fail, with the error, and what each closes. */
const failures: readonly (readonly [failing: Failing, message: RegExp, closed: readonly string[]])[] = [
  [{ environment: { AUTH_TOKENS_FILE: '/nowhere' } }, /^AUTH_TOKENS_FILE: ENOENT/, []],
  [{ tokens: undefined }, /^security is a function: give runMain "tokens: true"/, []],
  [{ environment: { METRICS_PORT: 'taken' } }, /^METRICS_PORT: .*EADDRINUSE/, []],
  [{ openStore: rejecting(new Error('disk full')) }, /^disk full$/, []],
  [{ handlers: throwing(new Error('no handlers')) }, /^no handlers$/, ['store']],
  [{ environment: { PORT: 'taken' } }, /^HOST and PORT: .*EADDRINUSE/, inOrder],
  [{ start: rejecting(new Error('no queue')) }, /^start: no queue$/, appAndStore],
  [{ start: throwing('no queue') }, /^start: no queue$/, appAndStore],
  [{ start: rejecting(new StartError(['QUEUE: no such queue'])) }, /^QUEUE: no such queue$/, appAndStore]
]

test('a start that fails closes what it opened before', async (t) => {
  const taken = String(await takenPort(t))
  for (const [{ environment = {}, ...failing }, message, want] of failures) {
    const set = Object.entries(environment).map(([name, value]) => [name, value === 'taken' ? taken : value])
    const { service, closed, lines, isServed } = await start(t, {
      ...failing,
      environment: Object.fromEntries(set)
    })
    const isMistake = !/^(disk full|no handlers)$/.test(Object(service).error.message)
    t.match(service, { error: { message, name: isMistake ? 'StartError' : 'Error' } })
    t.strictSame(closed, want)
    t.equal(await isServed(), false)
    t.match(lines, 'start' in failing ? [{ level: 60, msg: 'start failed' }] : [])
  }
  const { lines } = await start(t, { start: rejecting(new Error('no queue')) })
  t.match(lines, [{ err: { message: 'no queue', stack: /run\.test/ } }], 'with its stack')
})

test('a drain closes everything in the mirrored order', async (t) => {
  const { service, closed, isServed } = await running(t, {})
  t.match(service.token, /^made_/)
  t.equal((await fetch(`${service.url}/-/ready`)).status, 200)
  t.strictSame(service.left(), { connections: 1, requests: 0, waiting: 0 })
  await service.drain()
  t.strictSame(closed, inOrder)
  t.equal(await isServed(), false)
})

test('start is awaited before the service listens; stop comes after the last response', async (t) => {
  const order: string[] = []
  let url = ''
  const { service, closed } = await running(t, {
    environment: { PORT: String(await freePort()) },
    extend: (app) => {
      app.get('/slow', async () => {
        order.push('request')
        await sleep(300)
        order.push('response')
        return 'done'
      })
      app.addHook('onListen', async () => void order.push('listening'))
    },
    start: async ({ config, signal }) => {
      url = `http://127.0.0.1:${config.port}`
      await sleep(50)
      const state = await fetch(url).then(
        () => 'listening',
        () => 'not listening'
      )
      order.push(`started, ${state}`)
      signal.addEventListener('abort', () => order.push('aborted'))
      return 'work'
    }
  })
  const response = fetch(`${url}/slow`).then((answer) => answer.text())
  await until(() => order.includes('request'))
  await service.drain()
  t.equal(await response, 'done')
  t.strictSame(order, ['started, not listening', 'listening', 'request', 'response', 'aborted'])
  t.strictSame(closed, ['stop of work', ...appAndStore])
})

const badStops: readonly (readonly [stop: () => unknown, message: string])[] = [
  [throwing(new Error('lost')), 'lost'],
  [rejecting(new Error('lost')), 'lost'],
  [() => new Promise(() => {}), 'SHUTDOWN_TIMEOUT of 200 ms']
]

test('a stop that fails or hangs is logged, and the store is closed all the same', async (t) => {
  for (const isTaken of [false, true])
    for (const [stop, message] of badStops) {
      const PORT = String(await (isTaken ? takenPort(t) : freePort()))
      const environment = { SHUTDOWN_TIMEOUT: '200', PORT }
      const { service, closed, lines } = await start(t, { environment, stop })
      t.equal('error' in service, isTaken)
      if (!('error' in service)) await service.drain()
      t.strictSame(closed, appAndStore)
      t.match(lines, [{ level: 50, msg: 'stop failed', err: { message } }])
    }
})

test('a drain while start is running waits for it, and the service never listens', async (t) => {
  const endings: readonly (readonly [end: (signal: AbortSignal) => unknown, closed: readonly string[]])[] = [
    [async () => 'work', ['stop of work', ...appAndStore]],
    [(signal) => Promise.reject(signal.reason), appAndStore]
  ]
  for (const [end, want] of endings) {
    let drained: Promise<void> | undefined
    const { service, closed, lines } = await start(t, {
      extend: (app) => void app.addHook('onListen', async () => t.fail('it listens')),
      onStarting: ({ drain }) => {
        drained = sleep(50).then(drain)
      },
      start: async ({ signal }) => {
        await once(signal, 'abort')
        return end(signal)
      }
    })
    t.match(service, { error: { name: 'StartError' } })
    await drained
    t.strictSame(closed, want)
    t.strictSame(lines, [])
  }
})

test('metrics of the project are served beside those of every service, and are absent without METRICS_PORT', async (t) => {
  const metricsPort = String(await freePort())
  const given: unknown[] = []
  const extend = (_app: FastifyInstance, { metrics }: Setting) => {
    given.push(metrics)
    new Counter({ name: 'loans_total', help: 'Loans', registers: metrics ? [metrics] : [] }).inc(3)
  }
  const served = await running(t, { environment: { METRICS_PORT: metricsPort }, extend })
  const exposed = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  t.match(await exposed(), /^store_batch_size_sum 0$[\s\S]*^loans_total 3$/m)
  await served.service.drain()
  const storeless = await running(t, {
    environment: { METRICS_PORT: metricsPort },
    openStore: undefined as never
  })
  t.notMatch(await exposed(), /^store_/m)
  await storeless.service.drain()
  // A function for security needs no tokens where the project says so.
  const without = await running(t, { environment: { METRICS_PORT: '' }, extend, tokens: false })
  t.equal(without.service.token, undefined)
  await without.service.drain()
  t.equal(given[1], undefined)
})

test('a service without the keys of its issuer is not ready', async (t) => {
  const issuer = await startIssuer(await createKey('k1'))
  const claims = { AUTH_ISSUER: 'https://id.example', AUTH_AUDIENCE: 'things' }
  const urls = [`http://127.0.0.1:${await freePort()}/jwks`, issuer.url.href]
  const started = urls.map((url) => running(t, { environment: { ...claims, AUTH_JWKS_URL: url } }))
  const [away, there] = (await Promise.all(started)).map(({ service }) => service)
  const ready = async (url = '') => (await fetch(`${url}/-/ready`)).status
  t.equal(await ready(away?.url), 503)
  while ((await ready(there?.url)) !== 200);
  t.equal(issuer.fetches(), 1)
  await Promise.all([away?.drain(), there?.drain(), issuer.close()])
})

test('a batch that the store could not commit is in the log, a committed one is not', async (t) => {
  let report: StoreOptions['onCommit'] | undefined
  const { service, lines } = await running(t, {
    openStore: async (_url, { onCommit }) => {
      report = onCommit
      return { close: async () => {} }
    }
  })
  report?.({ size: 3, milliseconds: 1, error: undefined })
  t.strictSame(lines, [])
  report?.({ size: 2, milliseconds: 1, error: new Error('disk full') })
  t.match(lines, [{ msg: 'a batch could not be committed', creates: 2, err: { message: 'disk full' } }])
  t.notOk('waiting' in service.left(), 'a store without a queue has no number of writes that wait')
  await service.drain()
})

test('the number of writes that wait is a number, or NaN and a line in the log', async (t) => {
  for (const [get, depth] of [
    [() => 3, 3],
    [() => '3', Number.NaN],
    [() => undefined, Number.NaN],
    [throwing(new Error('secret')), Number.NaN]
  ] as const) {
    const lines: unknown[] = []
    const log = createLog('info', { write: (line) => lines.push(JSON.parse(line)) })
    const store = Object.defineProperty({}, 'depth', { get }) as ServiceStore
    t.ok(hasQueue(store))
    t.same(depthOf(store, log), depth)
    t.match(lines, depth === 3 ? [] : [{ callback: 'store.depth' }])
  }
})

const changes = { added: ['token:1'], removed: [], changed: [], tokens: 1 }
const kept = 'SIGHUP: tokens stay as they were'

/** Outcomes of a reload, and its line in the log. */
const reloads: readonly (readonly [reload: Controls['reload'], line: object])[] = [
  [async () => changes, { level: 30, msg: 'SIGHUP: tokens are read again', added: ['token:1'], tokens: 1 }],
  [rejecting(new StartError(['line 1'])), { level: 50, msg: kept, problems: ['line 1'] }],
  [rejecting(new Error('a defect')), { level: 50, msg: kept, err: { message: 'a defect' } }]
]

test('whatever the reload of a SIGHUP does, it is logged, and the process goes on', async (t) => {
  const names = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
  const before = new Map(names.map((name) => [name, process.listeners(name)]))
  const restore = () => {
    for (const [name, kept] of before)
      for (const listener of process.listeners(name))
        if (!kept.includes(listener)) process.removeListener(name, listener)
  }
  t.teardown(restore)
  const config = readConfig({ AUTH_TOKENS: 'alice' }, { tokens: true })
  for (const [reload, line] of reloads) {
    restore()
    const lines: unknown[] = []
    const log = createLog('info', { write: (text) => lines.push(JSON.parse(text)) })
    const exit = (code: number) => t.fail(`exits ${code}`)
    onSignals({ reload, drain: async () => {}, left: () => ({}) }, { config, log, exit })()
    await until(() => lines.length > 0)
    t.match(lines, [line])
  }
})

test('a SIGHUP that arrives during the start does not end the process, and is handled afterwards', async (t) => {
  const before = process.listeners('SIGHUP')
  t.teardown(() => {
    const [held] = process.listeners('SIGHUP').filter((listener) => !before.includes(listener))
    if (held !== undefined) process.off('SIGHUP', held)
  })
  let [arrived, handled] = [0, 0]
  const setHandler = holdHangup()
  process.once('SIGHUP', () => void arrived++)
  process.kill(process.pid, 'SIGHUP')
  await until(() => arrived === 1)
  setHandler(() => void handled++)
  await until(() => handled === 1)
  process.kill(process.pid, 'SIGHUP')
  await until(() => handled === 2)
  t.equal(handled, 2)
})

const never = () => new Promise<void>(() => {})
const undone = 'stopped before everything was done'

/** A drain, the signals that arrive, the exit code, and the lines of the log. */
const shutdowns: readonly (readonly [
  drain: () => Promise<void>,
  signals: string,
  code: number,
  lines: string[]
])[] = [
  [async () => {}, 'SIGTERM', 0, ['SIGTERM: draining', 'stopped']],
  [never, 'SIGINT', 1, ['SIGINT: draining', `${undone}: SHUTDOWN_TIMEOUT of 300 ms`]],
  [never, 'SIGTERM, later SIGINT', 1, ['SIGTERM: draining', `${undone}: SIGINT while draining`]],
  // From the terminal and from npm.
  [() => sleep(30), 'SIGINT, SIGINT', 0, ['SIGINT: draining', 'stopped']],
  [rejecting(new Error('disk full')), 'SIGTERM', 1, ['SIGTERM: draining', undone]]
]

test('a signal drains and exits 0; a second one, the time-out or an error exits 1', async (t) => {
  const config = readConfig({ SHUTDOWN_TIMEOUT: '300' })
  for (const [drain, signals, want, messages] of shutdowns) {
    const lines: Record<string, unknown>[] = []
    const log = createLog('info', { write: (text) => lines.push(JSON.parse(text)) })
    const code = new Promise<number>((exit) => {
      const shutdown = createShutdown({ drain, left: () => ({ requests: 3 }) }, { config, log, exit })
      for (const signal of signals.split(', '))
        if (signal.startsWith('later ')) setTimeout(shutdown, 150, signal.replace('later ', ''))
        else shutdown(signal)
    })
    t.equal(await code, want, signals)
    await sleep(100)
    const found = lines.slice(0, messages.length).map(({ msg }) => msg)
    t.strictSame(found, messages, signals)
    t.strictSame(lines[0]?.['left'], { requests: 3 }, 'what is left is logged')
  }
})
