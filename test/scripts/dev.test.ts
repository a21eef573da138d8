import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import t from 'tap'
import { ProjectCopy } from '../e2e/project-copy.ts'
import { until } from '../time.ts'
import { addListPlants, breakSecurity, mendSecurity, requireTag } from './contract-edits.ts'
import { DevSession, processesIn } from './dev-session.ts'

const post = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"id":1,"name":"Fern"}'
}
const described = (text: string) => (contract: string) =>
  contract.replace(/description: A plant in the store.*/, `description: A plant in the store${text}`)

t.setTimeout(300_000)

t.test('a save is served on the same port with the same token, and type-checked afterwards', async (t) => {
  const dev = await DevSession.start(t, { checksTypes: true })
  t.match(await dev.shows(/types are/), /types are (right|wrong)/)
  await dev.copy.edit('openapi.yaml', requireTag)
  const shown = await dev.shows(/types are/)
  t.match(shown, /serving after \d+ ms\ncompiled in \d+ ms\n[\s\S]*schemas: Plant\.tag now required\n/u)
  t.notMatch(shown, 'Plant Store', 'the address is shown once')
  t.equal((await dev.request('/plants', post)).status, 400)

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
  await dev.copy.edit('openapi.yaml', mendSecurity)
  await dev.shows(/serving as before/)

  t.comment('a source with a syntax error keeps the server, too')
  const failures = await dev.copy.read('src/plants/failures.ts')
  await writeFile(join(dev.copy.folder, 'src/plants/failures.ts'), `${failures}\nconst =\n`)
  t.match(
    await dev.shows(/waiting for the next change/),
    /the server did not start:[\s\S]*SyntaxError[\s\S]*the last good server goes on/u
  )
  t.equal((await dev.request('/plants', post)).status, 400)
  await writeFile(
    join(dev.copy.folder, 'src/plants/failures.ts'),
    failures.replace('mismatch: 4001', 'mismatch: 4009')
  )
  await dev.shows(/serving after/)
  t.match(await (await dev.request('/plants', post)).json(), { error: 4009 })
  t.equal(await dev.end('SIGINT'), 0)
})

t.test('a new operation: its missing handler is reported, and its stub is served', async (t) => {
  const dev = await DevSession.start(t)
  await dev.copy.edit('openapi.yaml', addListPlants)
  const shown = await dev.shows(/waiting for the next change/)
  t.match(shown, 'operations: + listPlants')
  t.match(shown, 'it goes into src/plants/list-plants.ts')
  t.match(shown, 'operation listPlants has no handler\n')
  t.equal((await dev.request('/plants')).status, 405, 'the last good server')
  t.match(await dev.copy.run('node scripts/generate.ts --stubs'), { code: 0 })
  await dev.shows(/serving after/)
  t.match(await (await dev.request('/plants')).json(), { error: 5010 })
  t.equal(await dev.end('SIGTERM'), 0)
})

t.test('a save is noticed however the editor writes, and in every file of the contract', async (t) => {
  const dev = await DevSession.start(t)
  const file = join(dev.copy.folder, 'openapi.yaml')
  const contract = await dev.copy.read('openapi.yaml')
  const isServed = async (mark: string) => {
    while (!(await (await dev.request('/openapi.json')).text()).includes(mark)) await sleep(10)
    return true
  }
  t.comment('renamed over')
  await writeFile(`${file}.next`, described(', renamed')(contract))
  await rename(`${file}.next`, file)
  t.ok(await isServed('store, renamed'))
  t.comment('moved away and written again')
  await rename(file, `${file}~`)
  await sleep(40)
  await writeFile(file, described(', anew')(contract))
  t.ok(await isServed('store, anew'))
  t.comment('a burst')
  for (let count = 0; count < 25; count++) {
    await writeFile(file, described(`, burst ${count}.`)(contract))
    await sleep(count % 5)
  }
  t.ok(await isServed('burst 24.'))
  t.comment('a reference to a file that is written later')
  await writeFile(
    file,
    contract.replace("$ref: '#/components/schemas/NewPlant'", '$ref: schemas/new-plant.yaml')
  )
  await dev.shows(/schemas\/new-plant\.yaml[\s\S]*waiting/u)
  await dev.copy.run(
    "mkdir schemas && printf 'description: Split off\\ntype: object\\nproperties: {id: {type: integer, format: int64}, name: {type: string}}\\nrequired: [id, name]\\n' > schemas/new-plant.yaml"
  )
  t.ok(await isServed('Split off'))
  await dev.copy.edit('schemas/new-plant.yaml', (text) => text.replace('Split off', 'On its own'))
  t.ok(await isServed('On its own'))
  t.equal(await dev.end('SIGHUP'), 0)
})

t.test('the docs page learns of a new contract by server-sent events', async (t) => {
  const dev = await DevSession.start(t)
  const page = await dev.request('/docs')
  const [, src = '', version = ''] =
    /<script src="([^"]+)" data-version="(\w+)">/.exec(await page.text()) ?? []
  t.match(page.headers.get('content-security-policy'), /script-src 'self'/)
  t.match(page.headers.get('content-security-policy'), /connect-src 'self'/)
  t.match(await (await dev.request(src)).text(), 'new EventSource')
  const versionTold = async () => {
    const stream = await dev.request(src.replace(/\.js$/, ''))
    t.equal(stream.headers.get('content-type'), 'text/event-stream')
    let text = ''
    for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk
      const told = /data: (\w+)\n\n/.exec(text)?.[1]
      if (told !== undefined) return { told, ended: stream }
    }
    throw new Error('the stream has ended')
  }
  t.equal((await versionTold()).told, version)
  await dev.copy.edit('openapi.yaml', described('!'))
  await dev.shows(/serving after/)
  t.not((await versionTold()).told, version)
  await dev.end('SIGINT')
})

t.test('npm start serves the docs page without the reloading script', async (t) => {
  const copy = await ProjectCopy.make(t)
  const { output } = await copy.start('node src/main.ts', /curl/)
  const [, url] = /service +(\S+)/.exec(output) ?? []
  t.notMatch(await (await fetch(`${url}/docs`)).text(), 'reload')
  t.equal((await fetch(`${url}/-/reload.js`)).status, 404)
})

for (const wait of [0, 60, 150, 225, 300, 400, 500, 700]) {
  t.test(`a signal ${wait} ms after a save ends every process`, async (t) => {
    const dev = await DevSession.start(t)
    await dev.copy.edit('openapi.yaml', requireTag)
    await sleep(wait)
    t.ok(processesIn(dev.copy.folder).length > 1)
    t.equal(await dev.end('SIGINT'), 0)
    t.strictSame(processesIn(dev.copy.folder), [])
    await t.rejects(fetch(dev.url))
  })
}

t.test('SIGKILL of npm run dev ends its servers as well', async (t) => {
  const dev = await DevSession.start(t)
  t.ok(processesIn(dev.copy.folder).length >= 3, 'itself and two servers')
  await dev.end('SIGKILL')
  await until(() => processesIn(dev.copy.folder).length === 0)
  t.strictSame(processesIn(dev.copy.folder), [])
  await t.rejects(fetch(dev.url), 'nothing listens')
})

t.test('SIGINT ends it before any server runs', async (t) => {
  const copy = await ProjectCopy.make(t)
  await copy.edit('openapi.yaml', breakSecurity)
  const { child } = await copy.start('exec node scripts/dev.ts', /no server is running/)
  child.kill('SIGINT')
  t.equal(await new Promise((done) => child.once('exit', done)), 0)
})
