/** A project of another contract in a process of its own: its start, its streams, its signals and its end. */
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import root, { type Test, test } from 'tap'
import { generate } from '../../src/compiler/compiler.ts'
import { run, seen, unshed } from '../e2e/running.ts'
import { openClient } from '../engine/server/responses/streams.ts'
import { until } from '../time.ts'

root.setTimeout(900_000)

const openapi = `openapi: 3.2.0
info: { title: Museum, version: '3' }
servers: [{ url: https://museum.example/museum }]
security: [{ key: [] }]
paths:
  /rooms/{room}:
    get:
      operationId: getRoom
      summary: Show a room
      parameters: [{ name: room, in: path, required: true, schema: { type: string, examples: [east wing] } }]
      responses:
        '200': { description: It, content: { application/json: { schema: { type: object, properties: { name: { type: string } } } } } }
    put:
      operationId: putRoom
      parameters: [{ name: room, in: path, required: true, schema: { type: string } }]
      requestBody: { required: true, content: { text/plain: { schema: { type: string } } } }
      responses: { '204': { description: Kept } }
  /ticks/{from}:
    get:
      operationId: ticks
      security: []
      parameters: [{ name: from, in: path, required: true, schema: { type: string } }]
      responses:
        '200':
          description: Ticks
          content: { text/event-stream: { itemSchema: { type: object, properties: { data: { type: object } } } } }
  /silent/{of}:
    get:
      operationId: silent
      security: []
      parameters: [{ name: of, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: Nothing, content: { application/jsonl: { itemSchema: {} } } } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
`
const door = new URL('../../src/service/service.ts', import.meta.url).href
const app = `import assert from 'node:assert'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineService } from '${door}'
import contract from '../generated/contract.ts'

class Rooms extends DatabaseSync {
  log
  close() {
    super.close()
    this.log.info('the store is closed')
  }
}

export default defineService({
  contract,
  heartbeat: 50,
  environment: {
    HOOK_SECRET: {
      help: 'secret of the web hook',
      parse: (text) => {
        if (text.length < 8) throw new Error('expected eight characters, got ' + text)
        return text
      }
    },
    MODE: { help: 'what the service does', default: 'plain', parse: (text) => text }
  },
  openStore: async (_url, { log }) => Object.assign(new Rooms(':memory:'), { log }),
  handlers: (store) => ({
    getRoom: async ({ params }) => {
      if (params.room === 'slow') await sleep(500)
      if (params.room === 'broken') setImmediate(() => assert.fail('a broken room'))
      return { status: 200, body: { name: params.room } }
    },
    putRoom: async () => ({ status: 204 }),
    ticks: () => ({
      status: 200,
      body: (async function* () {
        for (let tick = 0; ; tick++) {
          yield { data: { tick } }
          await sleep(200)
        }
      })()
    }),
    silent: () => ({
      status: 200,
      body: { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) }
    })
  }),
  extend: async (app, { store, config, log }) => {
    const { MODE, HOOK_SECRET } = config.own
    if (MODE === 'collides') app.put('/rooms/:id', async () => 1)
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
  start: async ({ log, signal, config: { own: { MODE } } }) => {
    if (MODE === 'ends') {
      log.info('the last line')
      process.exit(3)
    }
    if (!MODE.startsWith('waits')) return
    log.info('waiting')
    await sleep(60_000, undefined, { signal: MODE === 'waits, deaf' ? undefined : signal })
  },
  security: { key: (key) => key === 'open sesame' && { id: 'visitor' } },
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

/** Returns the folder of the project. */
async function project(t: Test): Promise<string> {
  const folder = t.testdir({ 'openapi.yaml': openapi, src: { 'app.ts': app, 'main.ts': main }, work: {} })
  await generate({ contract: `${folder}/openapi.yaml`, out: `${folder}/generated` })
  return folder
}

const folder = await project(root)
const entry = `${folder}/src/main.ts`

const museum = (t: Test, environment: Record<string, string> = {}, args: readonly string[] = []) =>
  run(t, { CWD: `${folder}/work`, HOOK_SECRET: 'open sesame', ...environment }, args, entry)

async function listening(t: Test, environment: Record<string, string> = {}) {
  const running = museum(t, environment)
  const url = `${await seen(running.output, /listening at (http:\S+?)"/)}/museum`
  return { ...running, url }
}

test('--help lists the variables of the project, and none of others', async (t) => {
  const { code, output } = await museum(t, { CWD: `${folder}/src` }, ['--help']).ended
  t.equal(code, 0)
  t.match(output, /^Museum 1\.2\.3\n.* PORT +port .* \[0\]\n/s)
  t.match(output, /^usage: node main\.ts \[/m, 'as it was called')
  t.match(
    output,
    /^ {2}HOOK_SECRET +secret of the web hook; required\n {2}MODE +what the service does \[plain\]$/m
  )
  t.notMatch(output, /AUTH_|DATABASE_URL|[Tt]oken|plant/i)
})

/** Starts that end: the code and the output, a sentence without a stack and without values. */
const endings: readonly (readonly [environment: Record<string, string>, code: number, output: RegExp])[] = [
  [
    { HOOK_SECRET: 'hunter2', PORT: 'x' },
    1,
    /^PORT is "x"; .*\nHOOK_SECRET: expected eight characters, got …\n$/
  ],
  [
    { HOOK_SECRET: '', BODY_LIMT: '1' },
    1,
    /^BODY_LIMT is .*; did you mean BODY_LIMIT\?\nHOOK_SECRET is not set: /
  ],
  [{ MODE: 'collides' }, 1, /^extend adds PUT \/museum\/rooms\/:id, which is the operation putRoom .*$/m],
  [{ MODE: 'schema' }, 1, /^extend: Failed building the validation schema for GET: \/museum\/x, .*$/m],
  [{ MODE: 'ends' }, 3, /"the last line"/]
]

for (const [environment, want, pattern] of endings)
  test(`a start ends with ${pattern}`, async (t) => {
    const { code, output } = await museum(t, environment).ended
    t.equal(code, want)
    t.match(output, pattern)
    t.notMatch(output, /^ +at |hunter2/m)
  })

test('a mistake in extend is an error with a stack, and what is open is closed', async (t) => {
  const { code, output } = await museum(t, { MODE: 'late' }).ended
  t.equal(code, 1)
  t.match(output, /TypeError: Cannot read properties of undefined.*src\/app\.ts:\d+/s)
  t.match(output, /"the store is closed"/)
})

test('the welcome, refusals, docs, health, limits, metrics, and a drain that finishes requests', async (t) => {
  // DATABASE_URL may be a variable of the project itself.
  const limits = { BODY_LIMIT: '100', METRICS_PORT: '0', DATABASE_URL: 'mongodb://x' }
  const { child, output, ended, url } = await listening(t, limits)
  const line = await seen(output, /^(curl .*)$/m)
  t.match(output(), /^Museum\n.*^Show a room:$/ms)
  t.notMatch(output(), /^ +token /m)
  const printed = await unshed(async () => {
    const env = { ...process.env, TOKEN: 'open sesame' }
    const shown = execFileSync('sh', ['-c', `${line} -s`], { encoding: 'utf8', env })
    return new Response(shown, { status: JSON.parse(shown).status })
  })
  t.strictSame(await printed.json(), { name: 'east wing' })
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { 'x-key': 'open sesame', ...init.headers }
    const answer = await unshed(() => fetch(`${url}${path}`, { ...init, headers }))
    return { status: answer.status, text: await answer.text(), connection: answer.headers.get('connection') }
  }
  const put = (body: string) =>
    ask('/rooms/1', { method: 'PUT', body, headers: { 'content-type': 'text/plain' } })
  t.match(await ask('/docs'), { status: 200, text: /<title>Museum<\/title>/ })
  t.match(await ask('/openapi.yaml'), { status: 200, text: openapi })
  t.match(await ask('/-/ready'), { status: 200 })
  t.match(await put('x'), { status: 204 })
  t.match(await put('x'.repeat(101)), { status: 413, text: /"title":"/ })
  t.match(await ask('/rooms/1', { headers: { 'x-key': 'x' } }), { status: 401 })
  const metrics = await fetch(await seen(output, /"url":"(http:[^"]+\/metrics)"/))
  const measured = await metrics.text()
  t.match(measured, /^http_refusals_total\{error="413"\} 1$/m)
  child.kill('SIGHUP')
  await seen(output, /SIGHUP: there is nothing to read again/)
  const slow = [ask('/rooms/slow'), ask('/slow', { headers: { 'x-secret': 'open sesame' } })]
  await seen(output, /"(slow)"/)
  child.kill('SIGTERM')
  t.match(await Promise.all(slow), [
    { text: '{"name":"slow"}', connection: 'close' },
    { text: '{"known":"true"}', connection: 'close' }
  ])
  const { code, output: log } = await ended
  t.equal(code, 0)
  t.match(log, /"principal":"visitor"/)
  t.match(log, /"left":\{"connections":\d+,"requests":2\}/, 'a store without a queue has no number of writes')
  t.match(log, /"the plugin is closed".*"the store is closed".*"stopped"/s)
  t.equal(/.*(?:"credentials"|"store"|plant).*/i.exec(log + measured)?.[0], undefined)
})

/** Opens a stream; again, when the service sheds it, as it does on a stalled machine. */
async function stream(t: Test, url: string, name: string) {
  for (;;) {
    const client = await openClient(t, Number(new URL(url).port), `museum/${name}/0`)
    await until(() => client.text() !== '')
    if (!client.text().startsWith('HTTP/1.1 503')) return client
  }
}

test('SIGTERM ends open streams complete, those beside the contract by their hook for preClose', async (t) => {
  const { child, ended, url } = await listening(t, { SHUTDOWN_TIMEOUT: '10000' })
  const clients = [
    await stream(t, url, 'ticks'),
    await stream(t, url, 'ticks'),
    await stream(t, url, 'silent')
  ]
  t.match(clients[2]?.text(), /^HTTP\/1.1 200 OK\r\n/, 'heartbeats have the time of the definition')
  const beside = await unshed(() => fetch(`${url}/stream`))
  child.kill('SIGTERM')
  const { code, output } = await ended
  t.equal(code, 0)
  t.match(output, /"streams":3,.*"open streams were ended".*"the plugin is closed".*"stopped"/s)
  t.notMatch(output, /"level":(50|60)/)
  await until(() => clients.every((client) => client.ending() !== 'open'))
  for (const client of clients) t.ok(client.isWhole())
  t.equal(await beside.text(), 'data: 1\n\ndata: bye\n\n')
})

test('a short time for the shutdown is enough, with clients that do not read, too', async (t) => {
  const { child, ended, url } = await listening(t, { SHUTDOWN_TIMEOUT: '1000' })
  const client = await stream(t, url, 'ticks')
  client.socket.pause()
  child.kill('SIGTERM')
  t.match(await ended, { code: 0, output: /"streams":1,.*"open streams were ended"/ })
})

/** Services that a SIGTERM finds before they listen, or with a plugin that does not close. */
const shutdowns: readonly (readonly [MODE: string, found: RegExp, code: number, last: RegExp])[] = [
  ['waits', /"waiting"/, 0, /"stopped"/],
  ['waits, deaf', /"waiting"/, 1, /SHUTDOWN_TIMEOUT of 500 ms/],
  ['hangs', /"msg":"started"/, 1, /"the plugin is closed".*SHUTDOWN_TIMEOUT of 500 ms/s]
]

for (const [MODE, found, code, output] of shutdowns)
  test(`SIGTERM ends a service that ${MODE}`, async (t) => {
    const running = museum(t, { MODE, SHUTDOWN_TIMEOUT: '500' })
    await seen(running.output, found)
    running.child.kill('SIGTERM')
    const ended = await running.ended
    t.match(ended, { code, output })
    t.notMatch(ended.output, /start failed|ended before/)
  })

test('a parent process gets to know that the project reads no tokens; the service outlives it', async (t) => {
  const env = { ...process.env, HOOK_SECRET: 'open sesame', HOST: '127.0.0.1', PORT: '0' }
  const forked = (more: Record<string, string>) => {
    const child = fork(entry, { cwd: `${folder}/work`, env: { ...env, ...more }, silent: true })
    t.teardown(() => child.kill('SIGKILL'))
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += data))
    return { child, output: () => output }
  }
  t.match(await once(forked({}).child, 'message'), [{ url: /^http:/, usesTokens: false }])
  const { child, output } = forked({ NODE_ENV: 'production' })
  child.disconnect()
  const url = await seen(output, /listening at (http:\S+?)"/)
  await seen(output, /"msg":"started"/)
  t.equal((await fetch(`${url}/museum/-/live`)).status, 200)
  child.kill('SIGTERM')
  t.strictSame(await once(child, 'exit'), [0, null])
  t.notMatch(output(), /unhandled/)
})

test('an error that nothing handles ends the service, after the log has it', async (t) => {
  const { url, ended } = await listening(t)
  await fetch(`${url}/rooms/broken`, { headers: { 'x-key': 'open sesame' } }).catch(() => undefined)
  t.match(await ended, { code: 1, output: /"level":60,.*a broken room.*unhandled: the process ends/ })
})

test('a start that cannot be announced does not end the service', async (t) => {
  const failing = "get example(): never { throw new Error('no example') }"
  t.teardown(() => writeFileSync(`${folder}/src/app.ts`, app))
  const text = app.replace('  contract,', `  contract: { ...contract, ${failing} },`)
  writeFileSync(`${folder}/src/app.ts`, text)
  const { output, child, ended, url } = await listening(t)
  await seen(output, /the service runs, but its start could not be announced/)
  t.equal((await fetch(`${url}/-/live`)).status, 200)
  child.kill('SIGTERM')
  t.equal((await ended).code, 0)
})

test('generated code that is not whole is one sentence that names the file and the remedy', async (t) => {
  const folder = await project(t)
  const conflict = (name: string) => {
    const path = `${folder}/generated/${name}`
    writeFileSync(path, readFileSync(path, 'utf8').replace('\n', '\n<<<<<<< HEAD\n'))
  }
  const operations = `${folder}/generated/operations.js`
  const fix = 'run "npm run generate'
  const edits: readonly (readonly [edit: () => void, output: RegExp])[] = [
    [() => rmSync(operations), RegExp(`generated/operations\\.js is missing: ${fix}"\n$`)],
    [
      () => conflict('contract.ts'),
      RegExp(`generated/contract\\.ts:2 cannot be read: .*conflict.*: ${fix}"\n$`)
    ],
    [() => conflict('operations.js'), RegExp(`^generated/operations\\.js cannot be read: .*: ${fix}"\n$`)],
    [() => appendFileSync(operations, '}{'), /^the generated code cannot be read: .*\n$/],
    [() => conflict('validators.js'), RegExp(`^validators\\.js in .* different builds: ${fix}`)]
  ]
  const ended = async (args: readonly string[] = []) =>
    run(t, { CWD: folder, HOOK_SECRET: 'open sesame' }, args, `${folder}/src/main.ts`).ended
  for (const [index, [edit, output]] of edits.entries()) {
    await generate({ contract: `${folder}/openapi.yaml`, out: `${folder}/generated` })
    edit()
    t.match(await ended(), { code: 1, output })
    if (index < 4) t.match(await ended(['--help']), { code: 1, output })
  }
  writeFileSync(`${folder}/src/app.ts`, 'throw new TypeError("own mistake")')
  await generate({ contract: `${folder}/openapi.yaml`, out: `${folder}/generated` })
  t.match(await ended(), { output: /TypeError: own mistake\n +at / }, 'keeps its stack')
  // A conflict is looked for in the folder that package.json names.
  const moved = (text: string) => text.replace('../generated/', '../made/')
  writeFileSync(`${folder}/src/app.ts`, moved(app))
  const manifest = "version: '1.2.3', contract: { out: 'made' }"
  writeFileSync(`${folder}/src/main.ts`, moved(main).replace("version: '1.2.3'", manifest))
  await generate({ contract: `${folder}/openapi.yaml`, out: `${folder}/made` })
  appendFileSync(`${folder}/made/operations.js`, '<<<<<<< HEAD\n')
  t.match(await ended(), { code: 1, output: RegExp(`^made/operations\\.js cannot be read: .*: ${fix}"\n$`) })
})
