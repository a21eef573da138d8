/** The commands `export` and `import`, as processes, between both engines. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import t from 'tap'
import { openStore } from '../../src/open-store.ts'
import { lineOf } from '../../src/plants/plant.ts'
import { plant } from '../store/conformance.ts'
import { Cluster } from '../store/postgres/cluster.ts'

t.setTimeout(900_000)

const cluster = await Cluster.create()
t.teardown(() => cluster.remove())
await cluster.start()
const folder = t.testdir()
const sqlite = (name: string) => `sqlite:${join(folder, name, 'plants.db')}`
const script = (name: string) => join(import.meta.dirname, `../../scripts/${name}.ts`)

async function run(name: string, databaseUrl: string, input?: string) {
  const env = { ...process.env, DATABASE_URL: databaseUrl }
  const child = spawn(process.execPath, [script(name)], { env, cwd: folder })
  if (input === undefined) child.stdin.end()
  else createReadStream(input).pipe(child.stdin)
  child.stdin.on('error', () => {})
  const output = [Array.fromAsync(child.stdout), Array.fromAsync(child.stderr)]
  const [code] = await once(child, 'close')
  const [stdout = '', stderr = ''] = (await Promise.all(output)).map((chunks) =>
    Buffer.concat(chunks).toString()
  )
  return { code, stdout, stderr }
}

const strings = ['', '\u0000', '\ud800', 'a\u2028b', '\u{1F331}', '"\\/', 'x'.repeat(100_000)]
const plants = [
  ...Array.from({ length: 3_000 }, (_, id) => plant(id, `plant ${id}`, id % 2 ? 'odd' : undefined)),
  ...strings.map((text, index) => plant(10_000 + index, text, text)),
  plant(2n ** 63n - 1n),
  plant(-(2n ** 63n))
]

t.test('export, import into the other engine, export: the same bytes', async (t) => {
  const urls = [sqlite('first'), await cluster.database('second'), sqlite('third')]
  const store = await openStore(sqlite('first'), { maxWaiting: 100_000 })
  await Promise.all(plants.map((each) => store.create(each)))
  await store.close()
  const texts: string[] = []
  for (const [index, url] of urls.entries()) {
    const file = join(folder, `${index}.ndjson`)
    if (index > 0) {
      const { code, stdout, stderr } = await run('import', url, join(folder, `${index - 1}.ndjson`))
      t.match(
        { code, stdout, stderr },
        { code: 0, stdout: '', stderr: /^imported 3,009 plants, [\d,]+ a second\n$/ }
      )
    }
    const { code, stdout, stderr } = await run('export', url)
    t.same([code, stderr], [0, ''])
    writeFileSync(file, stdout)
    texts.push(stdout)
  }
  const sorted = plants.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  t.ok(texts[0] === sorted.map(lineOf).join(''))
  t.ok(texts[1] === texts[0] && texts[2] === texts[0])
})

t.test('export ends without an error when its reader closes the pipe', async (t) => {
  const store = await openStore(sqlite('first'), { maxWaiting: 100_000 })
  await Promise.all(
    Array.from({ length: 20_000 }, (_, id) => store.create(plant(20_000 + id, 'x'.repeat(100))))
  )
  await store.close()
  const env = { ...process.env, DATABASE_URL: sqlite('first') }
  const child = spawn(process.execPath, [script('export')], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const stderr = Array.fromAsync(child.stderr)
  await once(child.stdout, 'data')
  child.stdout.destroy()
  t.same(await once(child, 'close'), [0, null])
  t.same(await stderr, [])
})

t.test('DATABASE_URL is read from .env, and has a default', async (t) => {
  const { DATABASE_URL: _url, ...env } = process.env
  const given = plants.slice(0, 3).map(lineOf).join('')
  const inFolder = (name: string, cwd: string) =>
    spawnSync(process.execPath, [script(name)], { env, cwd, input: given, encoding: 'utf8' })
  for (const [text, where] of [
    ['DATABASE_URL=sqlite:here.db\nPORT=nonsense\n', 'here.db'],
    ['', 'data/plants.db']
  ] as const) {
    const cwd = t.testdir(text === '' ? {} : { '.env': text })
    t.equal(inFolder('import', cwd).status, 0)
    t.match(inFolder('export', cwd), { status: 0, stdout: given, stderr: '' })
    t.ok(existsSync(join(cwd, where)), where)
  }
})

t.test('a store that refuses every plant is not reported as an invalid line', async (t) => {
  const file = join(folder, 'refusing.db')
  await (await openStore(`sqlite:${file}`)).close()
  const database = new DatabaseSync(file)
  database.exec("CREATE TRIGGER refuse BEFORE INSERT ON plants BEGIN SELECT RAISE(ABORT, 'refused'); END")
  database.close()
  const lines = join(folder, 'refused.ndjson')
  writeFileSync(lines, plants.slice(0, 3).map(lineOf).join(''))
  const { code, stderr } = await run('import', `sqlite:${file}`, lines)
  t.equal(code, 1)
  t.match(stderr, /^0 plants are imported; run the import again/m)
})

t.test('export and import at a terminal show their progress', async (t) => {
  const [text, store] = [join(folder, 'seen.ndjson'), sqlite('seen')]
  const inTerminal = (command: string, DATABASE_URL: string) =>
    spawnSync('script', ['-qec', command, '/dev/null'], {
      env: { ...process.env, DATABASE_URL },
      encoding: 'utf8'
    })
  const node = `'${process.execPath}'`
  const exported = inTerminal(`${node} '${script('export')}' > '${text}'`, sqlite('first'))
  const imported = inTerminal(`${node} '${script('import')}' < '${text}'`, store)
  for (const { status, stdout } of [exported, imported]) {
    const shown = stdout.split('\r\u001b[K')
    t.equal(status, 0)
    t.match(shown[1], /^[\d,]+ plants/, 'the progress line is overwritten')
    t.notMatch(shown.at(-1), / s left/, 'and cleared at the end')
  }
  t.match(imported.stdout, / s left/, 'the size of a file is known, so the remaining time is shown')
  t.equal((await run('export', store)).stdout, readFileSync(text, 'utf8'))
})
