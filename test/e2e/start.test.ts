import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import t, { test } from 'tap'
import manifest from '../../package.json' with { type: 'json' }
import { variables } from '../../src/plants/product.ts'
import { renderHelp } from '../../src/service/config/help.ts'
import { create, run, seen, start, token, unshed } from './running.ts'

t.setTimeout(900_000)

const printed: readonly { args: readonly string[]; want: string }[] = [
  { args: ['--help'], want: renderHelp(`Plant Store ${manifest.version}`, variables) },
  { args: ['--version'], want: `${manifest.version}\n` }
]

for (const { args, want } of printed) {
  test(`${args} prints and ends`, async (t) => {
    t.match(await run(t, { PORT: 'nonsense' }, args).ended, { code: 0, output: want })
  })
}

const refused: readonly {
  what: string
  args?: string[]
  environment: Record<string, string>
  want: RegExp[]
}[] = [
  {
    what: 'several invalid variables',
    environment: { PORT: 'x', AUTH_TOKEN: 'hunter2', LOG_LEVEL: 'loud' },
    want: [
      /^AUTH_TOKEN is not a variable.*AUTH_TOKENS\?$/m,
      /^PORT is "x"; expected/m,
      /^LOG_LEVEL is "loud"/m
    ]
  },
  {
    what: 'no credentials in production',
    environment: { NODE_ENV: 'production' },
    want: [/^none of AUTH_TOKENS/m]
  },
  { what: 'an unknown option', args: ['--port'], environment: {}, want: [/^--port is not an option/] },
  {
    what: 'a missing token file',
    environment: { AUTH_TOKENS_FILE: '/nowhere' },
    want: [/^AUTH_TOKENS_FILE: ENOENT/]
  },
  {
    what: 'a host of another machine',
    environment: { HOST: '192.0.2.1' },
    want: [/^HOST and PORT: .*192\.0\.2\.1/]
  },
  {
    what: 'a database that cannot be opened',
    environment: { DATABASE_URL: 'sqlite:/dev/null/x' },
    want: [/DATABASE_URL|\/dev\/null/]
  }
]

for (const { what, args = [], environment, want } of refused) {
  test(`with ${what} the service does not start, and says why in sentences`, async (t) => {
    const { code, output } = await run(t, environment, args).ended
    t.equal(code, 1)
    for (const sentence of want) t.match(output, sentence)
    t.notMatch(output, /^ +at |hunter2/m, 'neither a stack nor a secret')
  })
}

/** Simulates a missing module: resolves its name to one that does not exist, or to `other`. */
const without = (module: string, other = `${module}.gone`): string => {
  const hook = `import { registerHooks } from 'node:module'
registerHooks({ resolve: (name, context, next) => next(name === '${module}' ? '${other}' : name, context) })`
  return `${process.env['NODE_OPTIONS'] ?? ''} --import=data:text/javascript,${encodeURIComponent(hook)}`
}

test('a package that is not installed is named', async (t) => {
  const environments = { postgres: { DATABASE_URL: 'postgres://127.0.0.1:9/x' }, fastify: {} }
  for (const [name, environment] of Object.entries(environments)) {
    const { code, output } = await run(t, { ...environment, NODE_OPTIONS: without(name) }).ended
    t.equal(code, 1)
    t.match(output, new RegExp(`^the package ${name}\\.gone is not installed`, 'm'))
    t.notMatch(output, /^ +at /m)
  }
})

const defects: readonly { what: string; hook: string; want: RegExp }[] = [
  {
    what: 'in a package',
    hook: without('@contract-first/service', 'data:text/javascript,missing()'),
    want: /ReferenceError: missing/
  },
  { what: 'of the start', hook: without('./run.ts'), want: /run\.ts\.gone/ }
]

for (const { what, hook, want } of defects) {
  test(`an unexpected error ${what} ends the start with its stack`, async (t) => {
    const { code, output } = await run(t, { NODE_OPTIONS: hook }).ended
    t.equal(code, 1)
    t.match(output, want)
    t.match(output, /^ +at /m, 'a stack')
  })
}

test('without pino-pretty, as in production, a terminal shows the log as JSON', async (t) => {
  const isTerminal = '--import=data:text/javascript,process.stdout.isTTY=true'
  const { output } = run(t, { PORT: '0', NODE_OPTIONS: `${without('pino-pretty')} ${isTerminal}` })
  t.match(await seen(output, /^\{"level":30,.*Server (listening) at/m), 'listening')
})

test('an issuer that cannot be reached is logged, and does not prevent the start', async (t) => {
  const { output, url } = await start(t, {
    AUTH_JWKS_URL: 'http://127.0.0.1:9/jwks',
    AUTH_ISSUER: 'https://id.example',
    AUTH_AUDIENCE: 'plants'
  })
  await seen(output, /"level":40.*AUTH_JWKS_URL: /)
  t.equal((await create(url, { id: 1, name: 'x' })).status, 200, 'configured tokens are accepted')
})

test('a port in use prevents the start, and the message names its variable', async (t) => {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.teardown(() => server.close())
  const taken = String((server.address() as AddressInfo).port)
  for (const [name, PORT] of [
    ['HOST and PORT', taken],
    ['METRICS_PORT', '0']
  ] as const) {
    const { code, output } = await run(t, { PORT, METRICS_PORT: taken === PORT ? 'off' : taken }).ended
    t.equal(code, 1)
    t.match(output, new RegExp(`^${name}: .*EADDRINUSE`, 'm'))
    t.notMatch(output, /^ +at /m)
  }
})

test('without credentials the service makes a token and prints a curl line that works', async (t) => {
  const { output } = await start(t, { AUTH_TOKENS: '' })
  await seen(output, /^curl .*$/m)
  const [line = ''] = /^curl .*$/m.exec(output()) ?? []
  const answer = execFileSync('sh', ['-c', `${line} -s`], { encoding: 'utf8' })
  t.strictSame(JSON.parse(answer), { name: 'Monstera deliciosa', tag: 'climber' })
})

test('a configured token is never printed, and production prints no welcome', async (t) => {
  const { output, url } = await start(t, { NODE_ENV: 'production' })
  t.equal((await create(url, { id: 1, name: 'x' })).status, 200)
  t.notMatch(output(), /curl|hunter2/)
})

test('a parent process gets the URL and the kind of credentials over IPC, and no welcome is printed', async (t) => {
  const main = new URL('../../src/main.ts', import.meta.url)
  const env = { ...process.env, PORT: '0', AUTH_TOKENS: token, NODE_ENV: '' }
  const child = fork(main, { cwd: t.testdir({}), env, silent: true })
  t.teardown(() => child.kill('SIGKILL'))
  const output = Array.fromAsync(child.stdout ?? [])
  const [{ url, usesTokens }] = await once(child, 'message')
  t.equal(usesTokens, true)
  t.equal((await fetch(`${url}/-/live`)).status, 200)
  child.kill('SIGTERM')
  t.same(await once(child, 'close'), [0, null])
  t.notMatch((await output).join(''), /curl/)
})

test('.env is read, and the environment takes precedence', async (t) => {
  const folder = t.testdir({ '.env': 'AUTH_TOKENS=other\nLOG_LEVEL=debug\nBASE_URL=http://x.example/api/\n' })
  const { url, log } = await start(t, { CWD: folder, LOG_LEVEL: 'info' })
  t.equal((await fetch(`${url}/api/-/live`)).status, 200)
  t.equal((await create(`${url}/api`, { id: 1, name: 'x' })).status, 200)
  t.notOk(log().some(({ level }) => level === 20))
})

test('the path of BASE_URL prefixes every path', async (t) => {
  const { url, output } = await start(t, { BASE_URL: 'https://x.example/api' })
  for (const path of ['/docs', '/openapi.yaml', '/openapi.json', '/-/live', '/-/ready']) {
    t.equal((await unshed(() => fetch(`${url}/api${path}`))).status, 200, path)
    const outside = await unshed(() => fetch(`${url}${path}`, { redirect: 'manual' }))
    t.equal(outside.status, path === '/docs' ? 302 : 404, path)
  }
  t.ok(await seen(output, /(https:\/\/x\.example\/api\/docs)/))
})

test('HOST may be a name', async (t) => {
  const { url } = await start(t, { HOST: 'localhost' })
  t.match(url, /^http:\/\/(127\.0\.0\.1|\[::1\]):\d+$/)
  t.equal((await fetch(`${url}/-/live`)).status, 200)
})
