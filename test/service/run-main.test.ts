/** A project of another contract, without a store and with its own security, in a separate process. */
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import t, { type Test, test } from 'tap'
import { generate } from '../../src/compiler/compiler.ts'
import { run, seen, unshed } from '../e2e/running.ts'

t.setTimeout(900_000)

const openapi = `openapi: 3.1.0
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
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key } }
`
const door = new URL('../../src/service/service.ts', import.meta.url).href
const app = `import assert from 'node:assert'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineService } from '${door}'
import contract from '../generated/contract.ts'
export default defineService({
  contract,
  handlers: () => ({
    getRoom: async ({ params }) => {
      if (params.room === 'slow') await sleep(500)
      if (params.room === 'broken') setImmediate(() => assert.fail('a broken room'))
      return { status: 200, body: { name: params.room } }
    },
    putRoom: async () => ({ status: 204 })
  }),
  start: async ({ log, signal }) => {
    if (process.env.ENDS) {
      log.info('the last line')
      process.exit(3)
    }
    if (process.env.WAITS) {
      log.info('waiting')
      await sleep(60_000, undefined, { signal: process.env.WAITS === 'deaf' ? undefined : signal })
    }
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
async function museum(t: Test): Promise<string> {
  const folder = t.testdir({ 'openapi.yaml': openapi, src: { 'app.ts': app, 'main.ts': main } })
  await generate({ contract: `${folder}/openapi.yaml`, out: `${folder}/generated` })
  mkdirSync(`${folder}/work`)
  return folder
}

test('the last line of the log is written although the process exits at once', async (t) => {
  const folder = await museum(t)
  const { code, output } = await run(t, { CWD: `${folder}/work`, ENDS: '1' }, [], `${folder}/src/main.ts`)
    .ended
  t.equal(code, 3)
  t.match(output, '"the last line"')
})

test('a project without a store: help, refusals, docs, health, limits, metrics, and a drain', async (t) => {
  const folder = await museum(t)
  const entry = `${folder}/src/main.ts`
  const CWD = `${folder}/work`
  const help = await run(t, { CWD: `${folder}/src` }, ['--help'], entry).ended
  t.match(help.output, /^Museum 1\.2\.3\n.* PORT +port .* \[0\]\n/s)
  t.match(help.output, /^usage: node main\.ts \[/m, 'as it was called')
  t.notMatch(help.output, /AUTH_|DATABASE_URL|[Tt]oken/)

  const wrong = await run(t, { CWD, PORT: 'x', BODY_LIMT: '1' }, [], entry).ended
  t.equal(wrong.code, 1)
  t.match(
    wrong.output,
    /^BODY_LIMT is not a variable of this service; did you mean BODY_LIMIT\?\nPORT is "x"; /
  )

  // DATABASE_URL may be a variable of the project itself.
  const environment = {
    CWD,
    BODY_LIMIT: '100',
    METRICS_PORT: '0',
    DATABASE_URL: 'mongodb://x',
    LOG_LEVEL: 'debug'
  }
  const { child, output, ended } = run(t, environment, [], entry)
  const url = `${await seen(output, /listening at (http:\S+?)"/)}/museum`
  const line = await seen(output, /^(curl .*)$/m)
  t.match(output(), /^Museum\n.*^Show a room:$/ms)
  t.notMatch(output(), /^ +token /m)
  const printed = await unshed(async () => {
    const env = { ...process.env, TOKEN: 'open sesame' }
    const shown = execFileSync('sh', ['-c', `${line} -s`], { encoding: 'utf8', env })
    return new Response(shown, { status: JSON.parse(shown).status })
  }).then((answer) => answer.text())
  t.strictSame(JSON.parse(printed), { name: 'east wing' })

  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { 'x-key': 'open sesame', ...init.headers }
    const answer = await unshed(() => fetch(`${url}${path}`, { ...init, headers }))
    return { status: answer.status, text: await answer.text() }
  }
  const put = (body: string) =>
    ask('/rooms/1', { method: 'PUT', body, headers: { 'content-type': 'text/plain' } })
  t.match(await ask('/docs'), { status: 200, text: /<title>Museum<\/title>/ })
  t.strictSame(await ask('/openapi.yaml'), { status: 200, text: openapi })
  t.match(await ask('/-/live'), { status: 200 })
  t.match(await ask('/-/ready'), { status: 200 })
  t.match(await put('x'), { status: 204 })
  t.match(await put('x'.repeat(101)), { status: 413, text: /"title":"/ })
  t.match(await ask('/rooms/1', { headers: { 'x-key': 'x' } }), { status: 401 })
  const metrics = await fetch(await seen(output, /"url":"(http:[^"]+\/metrics)"/))
  const measured = await metrics.text()
  t.match(measured, /^http_refusals_total\{error="413"\} 1$/m)
  t.notMatch(measured, /^store_/m)

  child.kill('SIGHUP')
  await seen(output, /SIGHUP: there is nothing to read again/)
  const slow = new Promise<string>((resolve, reject) => {
    const sent = request(`${url}/rooms/slow`, { headers: { 'x-key': 'open sesame' } }, (answer) =>
      text(answer).then(resolve, reject)
    )
    sent.on('error', reject).end()
  })
  await ask('/rooms/next')
  child.kill('SIGTERM')
  t.strictSame(JSON.parse(await slow), { name: 'slow' })
  const { code, output: log } = await ended
  t.equal(code, 0)
  t.match(log, /"principal":"visitor"/)
  t.match(log, /"left":\{"connections":\d+,"requests":1\}/, 'nothing waits for a store')
  t.notMatch(log, /"credentials"|"store"/)
  t.notMatch([help, wrong, { output: log + measured + printed }].map((each) => each.output).join(), /plant/i)
})

for (const [WAITS, code, last] of [
  ['for the signal', 0, '"stopped"'],
  ['deaf', 1, 'SHUTDOWN_TIMEOUT of 300 ms']
] as const) {
  test(`SIGTERM ends a service whose start is running: waiting ${WAITS}`, async (t) => {
    const folder = await museum(t)
    const environment = { CWD: `${folder}/work`, WAITS, SHUTDOWN_TIMEOUT: '300' }
    const { child, output, ended } = run(t, environment, [], `${folder}/src/main.ts`)
    await seen(output, /"waiting"/)
    child.kill('SIGTERM')
    const outcome = await ended
    t.equal(outcome.code, code)
    t.match(outcome.output, last)
    t.notMatch(outcome.output, /listening at|start failed|ended before/)
  })
}

test('a parent process gets to know that the project reads no tokens', async (t) => {
  const folder = await museum(t)
  const child = fork(`${folder}/src/main.ts`, { cwd: `${folder}/work`, silent: true })
  t.teardown(() => child.kill('SIGKILL'))
  t.match(await once(child, 'message'), [{ url: /^http:/, usesTokens: false }])
})

test('a parent process that has gone does not end the service', async (t) => {
  const folder = await museum(t)
  const env = { ...process.env, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: '0' }
  const child = fork(`${folder}/src/main.ts`, { cwd: `${folder}/work`, env, silent: true })
  t.teardown(() => child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += data))
  child.disconnect()
  const url = await seen(() => output, /listening at (http:\S+?)"/)
  await seen(() => output, /"msg":"started"/)
  t.equal((await fetch(`${url}/museum/-/live`)).status, 200)
  child.kill('SIGTERM')
  t.strictSame(await once(child, 'exit'), [0, null])
  t.notMatch(output, /unhandled/)
})

test('an error that nothing handles ends the service, after the log has it', async (t) => {
  const folder = await museum(t)
  const { output, ended } = run(t, { CWD: `${folder}/work` }, [], `${folder}/src/main.ts`)
  const url = `${await seen(output, /listening at (http:\S+?)"/)}/museum`
  await fetch(`${url}/rooms/broken`, { headers: { 'x-key': 'open sesame' } }).catch(() => undefined)
  t.match(await ended, { code: 1, output: /"level":60,.*a broken room.*unhandled: the process ends/ })
})

test('a start that cannot be announced does not end the service', async (t) => {
  const folder = await museum(t)
  const failing = "get example(): never { throw new Error('no example') }"
  const text = app.replace('  contract,', `  contract: { ...contract, ${failing} },`)
  writeFileSync(`${folder}/src/app.ts`, text)
  const { output, child, ended } = run(t, { CWD: `${folder}/work` }, [], `${folder}/src/main.ts`)
  const url = `${await seen(output, /listening at (http:\S+?)"/)}/museum`
  await seen(output, /the service runs, but its start could not be announced/)
  t.equal((await fetch(`${url}/-/live`)).status, 200)
  child.kill('SIGTERM')
  t.equal((await ended).code, 0)
})

test('a contract that has changed since its code was generated is one sentence', async (t) => {
  const folder = await museum(t)
  appendFileSync(`${folder}/openapi.yaml`, '# a comment')
  const { code, output } = await run(t, { CWD: `${folder}/work` }, [], `${folder}/src/main.ts`).ended
  t.equal(code, 1)
  t.match(output, /^openapi\.yaml has changed since \S*generated\S* was written: run ".*"\n$/)
})

test('generated code that is not whole is one sentence that names the file and the remedy', async (t) => {
  const folder = await museum(t)
  const entry = `${folder}/src/main.ts`
  const generated = `${folder}/generated`
  const marker = '<<<<<<< HEAD\n'
  const edits: [RegExp, () => void][] = [
    [
      /generated\/operations\.js is missing: run "npm run generate"\n$/,
      () => rmSync(`${generated}/operations.js`)
    ],
    [
      /generated\/contract\.ts:2 cannot be read: .*conflict.*: run "npm run generate"\n$/,
      () => conflict('contract.ts')
    ],
    [
      /^generated\/operations\.js cannot be read: .*: run "npm run generate"\n$/,
      () => conflict('operations.js')
    ],
    [/^the generated code cannot be read: .*\n$/, () => appendFileSync(`${generated}/operations.js`, '}{')],
    [/^validators\.js in .* different builds: run "npm run generate.*\n$/, () => conflict('validators.js')]
  ]
  const conflict = (name: string) =>
    writeFileSync(
      `${generated}/${name}`,
      readFileSync(`${generated}/${name}`, 'utf8').replace('\n', `\n${marker}`)
    )
  for (const [pattern, edit] of edits) {
    await generate({ contract: `${folder}/openapi.yaml`, out: generated })
    edit()
    for (const args of [[], ['--help']]) {
      if (args.length > 0 && /valid/.test(pattern.source)) continue
      const { code, output } = await run(t, { CWD: folder }, args, entry).ended
      t.match(output, pattern)
      t.equal(code, 1)
    }
  }
  writeFileSync(`${folder}/src/app.ts`, 'throw new TypeError("own mistake")')
  await generate({ contract: `${folder}/openapi.yaml`, out: generated })
  t.match(
    (await run(t, { CWD: folder }, [], entry).ended).output,
    /TypeError: own mistake\n +at /,
    'keeps its stack'
  )
})

test('a conflict in generated code is looked for in the folder that package.json names', async (t) => {
  const folder = await museum(t)
  const moved = (text: string) => text.replace('../generated/', '../made/')
  writeFileSync(`${folder}/src/app.ts`, moved(app))
  writeFileSync(
    `${folder}/src/main.ts`,
    moved(main).replace("version: '1.2.3'", "version: '1.2.3', contract: { out: 'made' }")
  )
  await generate({ contract: `${folder}/openapi.yaml`, out: `${folder}/made` })
  appendFileSync(`${folder}/made/operations.js`, '<<<<<<< HEAD\n')
  const { code, output } = await run(t, { CWD: folder }, [], `${folder}/src/main.ts`).ended
  t.match(output, /^made\/operations\.js cannot be read: .*: run "npm run generate"\n$/)
  t.equal(code, 1)
})
