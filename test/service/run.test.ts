/** A start that fails closes what it had opened, in reverse order, as a drain does. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { Counter } from 'prom-client'
import { type Test, test } from 'tap'
import contract, { type Handlers } from '../../generated/contract.ts'
import type { Contract } from '../../src/engine/server.ts'
import { readConfig } from '../../src/service/config/config.ts'
import {
  defineService,
  type ServiceStore,
  type Setting,
  type StartSetting,
  type StoreOptions,
  type StoreSetting
} from '../../src/service/definition.ts'
import { createLog } from '../../src/service/observability/log.ts'
import { type Controls, startService } from '../../src/service/run.ts'
import { StartError } from '../../src/service/start-error.ts'
import { until } from '../time.ts'
import { createKey, startIssuer } from './credentials/issuer.ts'

/** Returns a port without a listener, unless it is to stay taken. */
async function port(t: Test, { isTaken = false } = {}): Promise<string> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  if (isTaken) t.teardown(() => server.close())
  else await once(server.close(), 'close')
  return String(port)
}

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
  const metricsPort = await port(t)
  const isServed = () =>
    fetch(`http://127.0.0.1:${metricsPort}/metrics`).then(
      () => true,
      () => false
    )
  const closed: string[] = []
  const lines: string[] = []
  const record = async (what: string) =>
    void closed.push(`${what}, metrics ${(await isServed()) ? 'on' : 'off'}`)
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
  const read = readConfig({ PORT: '0', METRICS_PORT: metricsPort, ...environment }, { tokens })
  if ('problems' in read) throw new Error(read.problems.join('\n'))
  const log = createLog('warn', { write: (line) => void lines.push(line) })
  const service = await startService(definition, read.config, log, onStarting).catch((error: unknown) => ({
    error
  }))
  return { service, closed, lines, isServed }
}

const failures: readonly {
  what: string
  failing: (t: Test) => Promise<Failing>
  error: object
  closed: string[]
}[] = [
  {
    what: 'the token file is missing',
    failing: async () => ({ environment: { AUTH_TOKENS_FILE: '/nowhere' } }),
    error: { name: 'StartError' },
    closed: []
  },
  {
    what: 'security is a function and the project does not say if it has tokens',
    failing: async () => ({ tokens: undefined }),
    error: { name: 'StartError', message: /tokens: true/ },
    closed: []
  },
  {
    what: 'the port of the metrics is taken',
    failing: async (t) => ({ environment: { METRICS_PORT: await port(t, { isTaken: true }) } }),
    error: { name: 'StartError', message: /^METRICS_PORT: .*EADDRINUSE/ },
    closed: []
  },
  {
    what: 'the store cannot be opened',
    failing: async () => ({ openStore: () => Promise.reject(new Error('disk full')) }),
    error: { message: 'disk full' },
    closed: []
  },
  {
    what: 'the handlers cannot be made',
    failing: async () => ({
      handlers: () => {
        throw new Error('no handlers')
      }
    }),
    error: { message: 'no handlers' },
    closed: ['store, metrics on']
  },
  {
    what: 'the port is taken',
    failing: async (t) => ({ environment: { PORT: await port(t, { isTaken: true }) } }),
    error: { name: 'StartError', message: /^HOST and PORT: .*EADDRINUSE/ },
    closed: ['stop of undefined, metrics on', 'app, metrics on', 'store, metrics on']
  },
  {
    what: 'start fails',
    failing: async () => ({ start: () => Promise.reject(new Error('no queue')) }),
    error: { name: 'StartError', message: 'start: no queue' },
    closed: ['app, metrics on', 'store, metrics on']
  },
  {
    what: 'start throws what is no error',
    failing: async () => ({
      start: () => {
        throw 'no queue'
      }
    }),
    error: { name: 'StartError', message: 'start: no queue' },
    closed: ['app, metrics on', 'store, metrics on']
  },
  {
    what: 'start refuses its configuration',
    failing: async () => ({ start: () => Promise.reject(new StartError(['QUEUE: no such queue'])) }),
    error: { name: 'StartError', message: 'QUEUE: no such queue' },
    closed: ['app, metrics on', 'store, metrics on']
  }
]

for (const { what, failing, error, closed: want } of failures) {
  test(`when ${what}, a start closes what it opened before`, async (t) => {
    const { service, closed, isServed } = await start(t, await failing(t))
    t.match(service, { error })
    t.strictSame(closed, want)
    t.equal(await isServed(), false)
  })
}

test('a drain closes everything in the mirrored order', async (t) => {
  const { service, closed, isServed } = await start(t, {})
  if ('error' in service) throw service.error
  t.match(service.token, /^made_/)
  t.equal((await fetch(`${service.url}/-/ready`)).status, 200)
  t.strictSame(service.left(), { connections: 1, requests: 0, waiting: 0 })
  await service.drain()
  t.strictSame(closed, ['stop of undefined, metrics on', 'app, metrics on', 'store, metrics on'])
  t.equal(await isServed(), false)
})

test('an error of start is in the log, with its stack', async (t) => {
  const { lines } = await start(t, { start: () => Promise.reject(new Error('no queue')) })
  t.match(
    lines.map((line) => JSON.parse(line)),
    [{ level: 60, msg: 'start failed', err: { message: 'no queue', stack: /run\.test/ } }]
  )
})

test('start is awaited before the service listens; stop comes after the last response', async (t) => {
  const order: string[] = []
  let url = ''
  const { service, closed } = await start(t, {
    environment: { PORT: await port(t) },
    extend: (app: FastifyInstance) => {
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
      order.push(`started, ${(await isListening(url)) ? 'listening' : 'not listening'}`)
      signal.addEventListener('abort', () => order.push('aborted'))
      return 'work'
    }
  })
  if ('error' in service) throw service.error
  const response = fetch(`${url}/slow`).then((answer) => answer.text())
  await until(() => order.includes('request'))
  await service.drain()
  t.equal(await response, 'done')
  t.strictSame(order, ['started, not listening', 'listening', 'request', 'response', 'aborted'])
  t.strictSame(closed, ['stop of work, metrics on', 'app, metrics on', 'store, metrics on'])
})

const isListening = (url: string) =>
  fetch(url).then(
    () => true,
    () => false
  )

const badStops: readonly { what: string; stop: () => unknown; message: RegExp }[] = [
  {
    what: 'throws',
    stop: () => {
      throw new Error('lost')
    },
    message: /^lost$/
  },
  { what: 'rejects', stop: () => Promise.reject(new Error('lost')), message: /^lost$/ },
  { what: 'hangs', stop: () => new Promise(() => {}), message: /^SHUTDOWN_TIMEOUT of 200 ms$/ }
]

for (const { what, stop, message } of badStops) {
  for (const isTaken of [false, true]) {
    const when = isTaken ? 'of a start whose port is taken' : 'of a drain'
    test(`a stop that ${what} is logged, and the store is closed all the same: ${when}`, async (t) => {
      const environment = { SHUTDOWN_TIMEOUT: '200', PORT: await port(t, { isTaken }) }
      const { service, closed, lines } = await start(t, { environment, stop })
      t.equal('error' in service, isTaken)
      if (!('error' in service)) await service.drain()
      t.strictSame(closed, ['app, metrics on', 'store, metrics on'])
      t.match(
        lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 50),
        [{ msg: 'stop failed', err: { message } }]
      )
    })
  }
}

for (const { what, ending, closed: want } of [
  {
    what: 'goes on to its end',
    ending: async () => 'work',
    closed: ['stop of work, metrics on', 'app, metrics on', 'store, metrics on']
  },
  {
    what: 'ends with the reason of the signal',
    ending: (signal: AbortSignal) => Promise.reject(signal.reason),
    closed: ['app, metrics on', 'store, metrics on']
  }
]) {
  test(`a drain while start is running waits for it, which ${what}; the service never listens`, async (t) => {
    let drained: Promise<void> | undefined
    const { service, closed, lines } = await start(t, {
      extend: (app) => void app.addHook('onListen', async () => t.fail('it listens')),
      onStarting: ({ drain }) => {
        drained = sleep(50).then(drain)
      },
      start: async ({ signal }) => {
        await once(signal, 'abort')
        return ending(signal)
      }
    })
    t.match(service, { error: { name: 'StartError' } })
    await drained
    t.strictSame(closed, want)
    t.strictSame(lines, [])
  })
}

test('metrics of the project are served beside those of every service, and are absent without METRICS_PORT', async (t) => {
  const metricsPort = await port(t)
  const given: unknown[] = []
  const extend = (_app: FastifyInstance, { metrics }: Setting) => {
    given.push(metrics)
    new Counter({ name: 'loans_total', help: 'Loans', registers: metrics ? [metrics] : [] }).inc(3)
  }
  const served = await start(t, { environment: { METRICS_PORT: metricsPort }, extend })
  if ('error' in served.service) throw served.service.error
  t.match(await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(), /^loans_total 3$/m)
  await served.service.drain()
  const without = await start(t, { environment: { METRICS_PORT: '' }, extend })
  if ('error' in without.service) throw without.service.error
  await without.service.drain()
  t.equal(given[1], undefined)
})

test('a service without the keys of its issuer is not ready', async (t) => {
  const issuer = await startIssuer(await createKey('k1'))
  const environment = (url: string) => ({
    AUTH_JWKS_URL: url,
    AUTH_ISSUER: 'https://id.example',
    AUTH_AUDIENCE: 'things'
  })
  const away = await start(t, { environment: environment(`http://127.0.0.1:${await port(t)}/jwks`) })
  const there = await start(t, { environment: environment(issuer.url.href) })
  if ('error' in away.service || 'error' in there.service) throw new Error('a service does not start')
  const ready = async ({ url }: { url: string }) => (await fetch(`${url}/-/ready`)).status
  t.equal(await ready(away.service), 503)
  const { url } = there.service
  while ((await ready({ url })) !== 200);
  t.equal(issuer.fetches(), 1)
  await Promise.all([away.service.drain(), there.service.drain(), issuer.close()])
})

test('a batch that the store could not commit is in the log, a committed one is not', async (t) => {
  let report: StoreOptions['onCommit'] | undefined
  const store: ServiceStore = { depth: 0, ready: async () => true, close: async () => {} }
  const { service, lines } = await start(t, {
    openStore: async (_url: string, { onCommit }: StoreOptions) => {
      report = onCommit
      return store
    }
  })
  if ('error' in service) throw service.error
  report?.({ size: 3, milliseconds: 1, error: undefined })
  t.strictSame(lines, [])
  report?.({ size: 2, milliseconds: 1, error: new Error('disk full') })
  t.match(JSON.parse(String(lines)), {
    msg: 'a batch could not be committed',
    creates: 2,
    err: { message: 'disk full' }
  })
  await service.drain()
})

test('a reload in production warns of weak tokens, as a start does', async (t) => {
  const file = join(t.testdir(), 'tokens')
  writeFileSync(file, `${'x'.repeat(32)}\n`, { mode: 0o600 })
  const environment = { NODE_ENV: 'production', AUTH_TOKENS_FILE: file }
  const { service, lines } = await start(t, { environment })
  if ('error' in service) throw service.error
  t.notMatch(lines.join(), /fewer than 16/)
  writeFileSync(file, 'short\n')
  t.match(await service.reload(), { problems: [], tokens: 1 })
  t.match(lines.join(), /AUTH_TOKENS_FILE: the token in line 1 has fewer than 16/)
  await service.drain()
})

test('a function for security needs no tokens where the project says so', async (t) => {
  const { service } = await start(t, { tokens: false })
  if ('error' in service) throw service.error
  t.equal(service.token, undefined)
  t.equal((await fetch(`${service.url}/-/live`)).status, 200)
  await service.drain()
})
