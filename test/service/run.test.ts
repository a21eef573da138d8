/** A start that fails closes what it had opened, in reverse order, as a drain does. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type Test, test } from 'tap'
import contract, { type Handlers } from '../../generated/contract.ts'
import type { Contract } from '../../src/engine/server.ts'
import { readConfig } from '../../src/service/config/config.ts'
import { defineService, type ServiceStore, type StoreOptions } from '../../src/service/definition.ts'
import { createLog } from '../../src/service/observability/log.ts'
import { startService } from '../../src/service/run.ts'
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
  /** True when AUTH_* variables exist. */
  readonly tokens?: boolean | undefined
}

/** Starts a service; records the order of closing, and whether the metrics are still served at that moment. */
async function start(t: Test, { environment = {}, ...options }: Failing) {
  const { tokens, ...failing } = { tokens: true, ...options }
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
    ...failing
  })
  const read = readConfig({ PORT: '0', METRICS_PORT: metricsPort, ...environment }, { tokens })
  if ('problems' in read) throw new Error(read.problems.join('\n'))
  const service = await startService(
    definition,
    read.config,
    createLog('warn', { write: (line) => void lines.push(line) })
  ).catch((error: unknown) => ({ error }))
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
  t.strictSame(closed, ['app, metrics on', 'store, metrics on'])
  t.equal(await isServed(), false)
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
