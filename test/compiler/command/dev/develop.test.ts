/** One session of `npm run dev`, from the first page to the last server. */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import {
  addListPlants,
  breakSecurity,
  describePlant,
  fixSecurity,
  requireTag
} from '../../../scripts/contract-edits.ts'
import { until } from '../../../time.ts'
import { DevSession, processesIn } from './dev-session.ts'

t.setTimeout(900_000)

const post = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"id":1,"name":"Fern"}'
}

/** Lets the test end a server, and makes one that does not end when it is asked to. */
const commanded = `process.once('SIGWINCH', () => process.exit(7))
process.prependListener('SIGTERM', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
`

/** Makes a server that never serves. */
const endless = `import { writeFileSync } from 'node:fs'
writeFileSync('started', '')
await new Promise(() => setInterval(() => {}, 1000))
`

// The compiler finds the docs page in the package beside it.
const dev = await DevSession.start(t, { checksTypes: true, hasOwnCompiler: true })

t.test('the docs page reloads only after an edit of a part that it shows', async (t) => {
  t.match(await dev.shows(/types are/), /types are (right|wrong)/)
  const page = await dev.request('/docs')
  const [, src = '', version = ''] =
    /<script src="([^"]+)" data-version="(\w+)">/.exec(await page.text()) ?? []
  t.match(page.headers.get('content-security-policy'), /script-src 'self'/)
  t.match(page.headers.get('content-security-policy'), /connect-src 'self'/)
  t.match(await (await dev.request(src)).text(), 'new EventSource')
  t.equal(await sentVersion(), version)
  await dev.copy.edit('openapi.yaml', describePlant('!'))
  await dev.shows(/serving after/)
  const ofContract = await sentVersion()
  t.not(ofContract, version, 'the contract')
  await dev.copy.edit('src/plants/handlers.ts', (text) => `${text}\n`)
  await dev.shows(/serving after/)
  t.equal(await sentVersion(), ofContract, 'a handler')
  await dev.copy.edit('src/service/docs/page/style.css', (text) => `${text}\n`)
  await dev.shows(/serving after/)
  t.not(await sentVersion(), ofContract, 'its style')
  t.comment('the server that is started ahead has loaded this package: another one serves its edit')
  await sleep(3_000)
  const failures = 'src/engine/server/errors/failure.ts'
  await dev.copy.edit(failures, (text) => text.replace("'no such path'", "'edited'"))
  await dev.shows(/serving after/)
  t.match(await (await dev.request('/nowhere')).json(), { message: 'edited' })
})

/** Returns the first version that the server sends to open pages. */
async function sentVersion(): Promise<string> {
  const stream = await dev.request('/-/reload')
  let text = ''
  for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk
    const sent = /data: (\w+)\n\n/.exec(text)?.[1]
    if (sent !== undefined) return sent
  }
  throw new Error(`the stream has ended: ${stream.headers.get('content-type')}`)
}

t.test('a save is served on the same port with the same token, and type-checked afterwards', async (t) => {
  await dev.copy.edit('openapi.yaml', requireTag)
  const shown = await dev.shows(/types are/)
  t.match(
    shown,
    /compiled in \d+ ms\n[\s\S]*breaking: POST \/plants body\/tag: now required \(was optional\)\ncompatible: POST \/plants 200\/body\/tag: now required \(was optional\)\n[\s\S]*serving after \d+ ms\n/u
  )
  t.notMatch(shown, 'Plant Store', 'the address is shown once')
  t.equal((await dev.request('/plants', post)).status, 400)

  t.comment('a type error is shown until it is corrected, in a file that is not served, too')
  const handler = await dev.copy.read('src/plants/create-plant.ts')
  await dev.copy.edit('src/plants/create-plant.ts', (text) => text.replace('status: 400', 'status: 409'))
  t.match(
    await dev.shows(/types are wrong/),
    /^src\/plants\/create-plant\.ts:16:3 Type '409' is not assignable to type '200 \| 400 .*\(TS2322\)$/m
  )
  const extra = join(dev.copy.folder, 'generated/extra.ts')
  await writeFile(extra, 'export const extra: string = 5\n')
  await dev.copy.edit('src/plants/create-plant.ts', () => handler)
  t.match(
    await dev.shows(/types are wrong/),
    "generated/extra.ts:1:14 Type 'number' is not assignable to type 'string'. (TS2322)"
  )
  await writeFile(extra, 'export {}\n')
  t.match(await dev.shows(/types are right/), /serving as before\ntypes are right/)

  t.comment('a broken contract keeps the server, and shows one block')
  await dev.copy.edit('openapi.yaml', breakSecurity)
  const block = await dev.shows(/waiting for the next change/)
  t.match(
    block,
    /openapi\.yaml:\d+:5 security scheme bearer is not declared.*\n +\d+ \| {3}- bearer: \[\]\n +\| {5}\^\n/
  )
  t.match(block, 'the last good server goes on')
  t.ok(block.split('\n').length < 20)
  t.equal((await dev.request('/plants', post)).status, 400)
  await dev.copy.edit('openapi.yaml', fixSecurity)
  await dev.shows(/serving as before\ntypes are right/)

  t.comment('a source with a syntax error keeps the server, too')
  const failures = await dev.copy.read('src/plants/failures.ts')
  await writeFile(join(dev.copy.folder, 'src/plants/failures.ts'), `${failures}\nconst =\n`)
  t.match(
    await dev.shows(/waiting for the next change/),
    /the server did not start:[\s\S]*SyntaxError[\s\S]*the last good server goes on/u
  )
  t.match(await dev.shows(/types are wrong/), 'Variable declaration expected. (TS1134)')
  t.equal((await dev.request('/plants', post)).status, 400)
  t.comment('a save overtakes a server that is still starting')
  await writeFile(join(dev.copy.folder, 'src/plants/failures.ts'), `${failures}\n${endless}`)
  await until(() => existsSync(join(dev.copy.folder, 'started')))
  await writeFile(
    join(dev.copy.folder, 'src/plants/failures.ts'),
    `${failures.replace('mismatch: 4001', 'mismatch: 4009')}\n${commanded}`
  )
  t.notMatch(await dev.shows(/serving after/), 'tag: now required', 'changes are shown once')
  t.match(await (await dev.request('/plants', post)).json(), { error: 4009 })

  t.comment('an edit of the compiler serves nothing new')
  await dev.copy.edit('src/compiler/command/dev.ts', (text) => `${text}\n`)
  t.match(await dev.shows(/serving as before/), 'the compiler has changed: start npm run dev again to use it')
  t.comment('a server that ends by itself')
  for (const pid of processesIn(dev.copy.folder)) signal(Number(pid), 'SIGWINCH')
  t.match(await dev.shows(/next change/), 'the server ended (7); it starts again with the next change')
})

/** Sends a signal to a process that may have ended by now, as a check of the types does. */
function signal(pid: number, name: string): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (Object(error).code !== 'ESRCH') throw error
  }
}

t.test('a new operation without a handler is reported, and its stub is served', async (t) => {
  await dev.copy.edit('openapi.yaml', addListPlants)
  const shown = await dev.shows(/waiting for the next change/)
  t.match(shown, 'compatible: GET /plants added')
  t.match(shown, 'it goes into src/plants/list-plants.ts')
  t.match(shown, 'operation listPlants has no handler\n')
  t.match(shown, 'no server is running')
  t.match(await dev.copy.generate('--stubs'), { code: 0 })
  await dev.shows(/serving after/)
  t.match(await (await dev.request('/plants')).json(), { error: 5010 })
  t.equal(await dev.end('SIGTERM'), 0)
  await t.rejects(fetch(dev.url), 'a server that does not end is killed')
})
