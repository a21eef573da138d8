/** Starts of the process: what it prints, names and reads. test/scripts/mistakes.test.ts has those that are refused. */
import { execFileSync } from 'node:child_process'
import t, { test } from 'tap'
import manifest from '../../package.json' with { type: 'json' }
import { variables } from '../../src/plants/product.ts'
import { renderHelp } from '../../src/service/config/help.ts'
import { create, run, seen, start } from './running.ts'

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

const isTerminal = '--import=data:text/javascript,process.stdout.isTTY=true'
/** Logs at a terminal, with and without the package that formats them, which production may lack. */
const terminals: readonly (readonly [options: string, log: RegExp])[] = [
  [process.env['NODE_OPTIONS'] ?? '', /INFO.*Server (listening) at/],
  [without('pino-pretty'), /^\{"level":30,.*Server (listening) at/m]
]

test('a terminal shows the log as formatted text, without pino-pretty as JSON', async (t) => {
  for (const [options, log] of terminals) {
    const { output } = run(t, { PORT: '0', NODE_OPTIONS: `${options} ${isTerminal}` })
    t.equal(await seen(output, log), 'listening')
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

test('.env is read, and the environment takes precedence', async (t) => {
  const folder = t.testdir({ '.env': 'AUTH_TOKENS=other\nLOG_LEVEL=debug\nBASE_URL=http://x.example/api/\n' })
  const { url, log, output } = await start(t, { CWD: folder, LOG_LEVEL: 'info' })
  t.equal((await fetch(`${url}/api/-/live`)).status, 200)
  t.equal((await create(`${url}/api`, { id: 1, name: 'x' })).status, 200)
  t.notOk(log().some(({ level }) => level === 20))
  await seen(output, /docs +http:\/\/x\.example\/api\/docs\n/)
})

test('HOST=0.0.0.0 is shown as an address that a client can use', async (t) => {
  const { output } = run(t, { PORT: '0', HOST: '0.0.0.0' })
  await seen(output, /service +http:\/\/localhost:\d+/)
  t.notMatch(output(), /service +http:\/\/0\.0\.0\.0/)
})
