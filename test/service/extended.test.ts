/** A project with `extend`, variables of its own and a store of node:sqlite, in a separate process. */
import { mkdirSync } from 'node:fs'
import root, { type Test, test } from 'tap'
import { generate } from '../../src/compiler/compiler.ts'
import { run, seen, unshed } from '../e2e/running.ts'

root.setTimeout(900_000)

const openapi = `openapi: 3.1.0
info: { title: Desk, version: '1' }
paths:
  /tickets:
    get: { operationId: list, responses: { '200': { description: All, content: { application/json: { schema: { type: array, items: { type: string } } } } } } }
`
const door = new URL('../../src/service/service.ts', import.meta.url).href
const app = `import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineService } from '${door}'
import contract from '../generated/contract.ts'

class Tickets extends DatabaseSync {
  log
  close() {
    super.close()
    this.log.info('the store is closed')
  }
}

export default defineService({
  contract,
  environment: {
    HOOK_SECRET: {
      help: 'secret of the web hook',
      parse: (text) => {
        if (text.length < 8) throw new Error('expected eight characters, got ' + text)
        return text
      }
    },
    MODE: { help: 'what extend does', default: 'plain', parse: (text) => text }
  },
  openStore: async (_url, { log }) => Object.assign(new Tickets(':memory:'), { log }),
  security: {},
  handlers: (store) => ({ list: async () => ({ status: 200, body: [typeof store.prepare] }) }),
  extend: async (app, { store, config, log }) => {
    const { MODE, HOOK_SECRET } = config.own
    if (MODE === 'collides') app.get('/tickets', async () => 1)
    if (MODE === 'broken') Object(undefined).nothing.more
    if (MODE === 'late') app.addHook('onReady', async () => Object(undefined).nothing.more)
    if (MODE === 'schema') app.get('/x', { schema: { querystring: { type: 'nonsense' } } }, async () => 1)
    app.get('/slow', async ({ headers }) => {
      log.info('slow')
      await sleep(500)
      return store.prepare('SELECT ? AS known').get(String(headers['x-secret'] === HOOK_SECRET))
    })
    const streams = new Set()
    app.get('/stream', async (_request, reply) => {
      reply.hijack()
      reply.raw.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\\n\\n')
      streams.add(reply.raw)
    })
    app.addHook('preClose', async () => {
      for (const stream of streams) stream.end('data: bye\\n\\n')
    })
    app.addHook('onClose', async () => {
      log.info('the plugin is closed')
      if (MODE === 'hangs') await new Promise(() => setInterval(() => {}, 1000))
    })
  },
  errorBody: ({ status, message }) => ({ status, title: message })
})
`
const main = `import { runMain } from '${door}'
await runMain({
  manifest: { version: '1.2.3' },
  contract: async () => (await import('../generated/contract.ts')).default,
  service: async () => (await import('./app.ts')).default,
  defaults: { PORT: '0' }
})
`
const folder = root.testdir({ 'openapi.yaml': openapi, src: { 'app.ts': app, 'main.ts': main } })
await generate({ contract: `${folder}/openapi.yaml`, out: `${folder}/generated` })
mkdirSync(`${folder}/work`)

const desk = (t: Test, environment: Record<string, string>, args: readonly string[] = []) =>
  run(t, { CWD: `${folder}/work`, ...environment }, args, `${folder}/src/main.ts`)

const set = { HOOK_SECRET: 'open sesame' }

test('--help lists the variables of the project', async (t) => {
  const { code, output } = await desk(t, {}, ['--help']).ended
  t.equal(code, 0)
  t.match(
    output,
    /^ {2}HOOK_SECRET +secret of the web hook; required\n {2}MODE +what extend does \[plain\]$/m
  )
})

const refusals: readonly { what: string; environment: Record<string, string>; want: RegExp }[] = [
  {
    what: 'wrong variables, all at once and without their values',
    environment: { HOOK_SECRET: 'hunter2', PORT: 'x' },
    want: /^PORT is "x"; .*\nHOOK_SECRET: expected eight characters, got …\n$/
  },
  {
    what: 'a required variable',
    environment: {},
    want: /^HOOK_SECRET is not set: secret of the web hook\n$/
  },
  {
    what: 'a route of the contract',
    environment: { ...set, MODE: 'collides' },
    want: /^extend adds GET \/tickets, which is the operation list .*$/m
  },
  {
    what: 'a schema that cannot be compiled',
    environment: { ...set, MODE: 'schema' },
    want: /^extend: Failed building the validation schema for GET: \/x, .*$/m
  }
]

for (const { what, environment, want } of refusals)
  test(`a start is refused in sentences: ${what}`, async (t) => {
    const { code, output } = await desk(t, environment).ended
    t.equal(code, 1)
    t.match(output, want)
    t.notMatch(output, /^ +at |hunter2/m)
  })

for (const MODE of ['broken', 'late'])
  test(`a mistake in extend is an error with a stack, and what is open is closed: ${MODE}`, async (t) => {
    const { code, output } = await desk(t, { ...set, MODE }).ended
    t.equal(code, 1)
    t.match(output, /TypeError: Cannot read properties of undefined.*src\/app\.ts:\d+/s)
    t.match(output, /"the store is closed"/)
  })

test('a drain finishes requests beside the contract, then closes plugins, then the store', async (t) => {
  const { child, output, ended } = desk(t, set)
  const url = await seen(output, /listening at (http:\S+?)"/)
  await unshed(() => fetch(`${url}/tickets`))
  const headers = { 'x-secret': 'open sesame', connection: 'keep-alive' }
  const slow = fetch(`${url}/slow`, { headers })
  await seen(output, /"(slow)"/)
  child.kill('SIGTERM')
  const answered = await slow
  t.strictSame([answered.headers.get('connection'), await answered.json()], ['close', { known: 'true' }])
  const { code, output: log } = await ended
  t.equal(code, 0)
  t.match(log, /"route":"\/slow"/)
  t.match(log, /"the plugin is closed".*"the store is closed".*"stopped"/s)
  t.match(log, /"left":\{"connections":\d+,"requests":1\}/, 'a store without a queue has no number of writes')
})

test('a stream beside the contract that its hook for preClose ends is complete', async (t) => {
  const { child, output, ended } = desk(t, { ...set, SHUTDOWN_TIMEOUT: '10000' })
  const url = await seen(output, /listening at (http:\S+?)"/)
  const stream = await unshed(() => fetch(`${url}/stream`))
  child.kill('SIGTERM')
  t.equal(await stream.text(), 'data: 1\n\ndata: bye\n\n')
  t.match(await ended, { code: 0, output: /"the plugin is closed"/ })
})

test('SHUTDOWN_TIMEOUT bounds a plugin that does not close', async (t) => {
  const { child, output, ended } = desk(t, { ...set, MODE: 'hangs', SHUTDOWN_TIMEOUT: '500' })
  await seen(output, /"msg":"(started)"/)
  child.kill('SIGTERM')
  t.match(await ended, { code: 1, output: /"the plugin is closed".*SHUTDOWN_TIMEOUT of 500 ms/s })
})
