/** The commands for stored plants, as processes, on both engines: `store:check`, `store:change`, `export`, `import`. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { openStore } from '../../src/open-store.ts'
import { fromNote } from '../../src/plants/check-plants.ts'
import { lineOf } from '../../src/plants/plant.ts'
import type { Store } from '../../src/store/store.ts'
import { exported, plant } from '../store/conformance.ts'
import { Cluster } from '../store/postgres/cluster.ts'
import { sleep } from '../time.ts'

t.setTimeout(900_000)

const cluster = await Cluster.create()
t.teardown(() => cluster.remove())
await cluster.start()
const folder = t.testdir()
const engines = {
  SQLite: (name: string) => `sqlite:${join(folder, `${name}.db`)}`,
  PostgreSQL: (name: string) => cluster.database(name)
}

const script = (name: string) => join(import.meta.dirname, `../../scripts/${name}.ts`)

/** @param input file for standard input */
function start(name: string, DATABASE_URL: string, args: readonly string[] = [], input = '/dev/null') {
  const child = spawn(process.execPath, [script(name), ...args], {
    env: { ...process.env, DATABASE_URL },
    cwd: folder,
    stdio: [openSync(input, 'r'), 'pipe', 'pipe']
  })
  const output = Promise.all([text(child.stdout as Readable), text(child.stderr as Readable)])
  const ended = once(child, 'close').then(async ([code]) => {
    const [stdout, stderr] = await output
    return { code: code as number | null, stdout, stderr }
  })
  return { child, ended }
}

const run = (...given: Parameters<typeof start>) => start(...given).ended

async function filled(databaseUrl: string, count: number): Promise<Store> {
  const store = await openStore(databaseUrl, { maxWaiting: count })
  await Promise.all(Array.from({ length: count }, (_, id) => store.create(plant(id, `plant ${id}`))))
  return store
}

function moduleOf(name: string, body: string): string {
  const file = join(folder, name)
  writeFileSync(file, body)
  return file
}

/** A slow module. */
const slow = moduleOf(
  'slow.mjs',
  `import { setTimeout } from 'node:timers/promises'
export default async plant => {
  if (plant.id % 100n === 0n) await setTimeout(10)
  return { ...plant, tag: (plant.tag ?? '') + 'x' }
}
`
)

for (const [engine, database] of Object.entries(engines)) {
  t.test(
    `${engine}: a change goes on after kill -9; nothing is lost, and nothing is changed twice`,
    async (t) => {
      const url = await database('killed')
      const store = await filled(url, 10_000)
      t.teardown(() => store.close())
      let kills = 0
      for (let seen = 0; seen < 10_000 && kills < 3; kills++) {
        const { child, ended } = start('store-change', url, [slow])
        const before = seen
        while (seen <= before && child.exitCode === null) {
          await sleep(5)
          seen = fromNote<{ seen: number }>(await store.note('change'))?.seen ?? 0
        }
        child.kill('SIGKILL')
        await ended
      }
      t.equal(kills, 3, 'it was killed between two batches, or in one')
      const creating = store.create(plant(-5, 'new'))
      const { code, stderr } = await run('store-change', url, [slow])
      t.match({ code, stderr }, { code: 0, stderr: /^changed 10,000 of 10,000 plants, resumed after \d+\n$/ })
      t.equal(await creating, 'created', 'the service goes on meanwhile')
      const documents = (await exported(store)).map(({ document }) => JSON.parse(document))
      const wanted = Array.from({ length: 10_000 }, (_, id) => ({ name: `plant ${id}`, tag: 'x' }))
      t.same(documents, [{ name: 'new' }, ...wanted])
      t.match(await run('store-change', url, [slow]), {
        code: 0,
        stderr: /^this file has changed 10,000 of 10,000 plants before; nothing was done/
      })
      t.equal((await exported(store))[1]?.document, '{"name":"plant 0","tag":"x"}')
    }
  )

  t.test(`${engine}: a check lists what does not fit, and a change makes it fit`, async (t) => {
    const url = await database('checked')
    const store = await filled(url, 1_000)
    t.teardown(() => store.close())
    const { document: before } = plant(77, 'plant 77')
    await store.rewrite([{ id: 77n, before, after: '{"tag":1}' }], {
      name: 'x',
      before: undefined,
      after: 'x'
    })
    const reason = 'name is required; tag must be string'
    t.same(await run('store-check', url), {
      code: 1,
      stdout: `{"id":77,"reason":"${reason}"}\n`,
      stderr: `1 of 1,000 stored plants do not fit Plant any more; first id 77: ${reason}\n`
    })
    const wrong = moduleOf('wrong.mjs', 'export default plant => plant\n')
    t.same(await run('store-change', url, [wrong]), {
      code: 1,
      stdout: '',
      stderr: `plant 77: the changed plant does not fit the contract: ${reason}\n`
    })
    const right = moduleOf('right.mjs', "export default ({ id, name = 'none' }) => ({ id, name })\n")
    t.same(await run('store-change', url, [right, '--dry-run']), {
      code: 0,
      stdout: '{"id":77,"before":{"tag":1},"after":{"name":"none"}}\n',
      stderr: 'would change 1 of 1,000 plants; nothing was written\n'
    })
    t.equal(await store.get(77n), '{"tag":1}')
    t.same(await run('store-change', url, [right]), {
      code: 0,
      stdout: '',
      stderr: 'changed 1 of 1,000 plants\n'
    })
    t.same(await run('store-check', url), {
      code: 0,
      stdout: '',
      stderr: 'all 1,000 stored plants fit Plant\n'
    })
    t.equal((await run('export', url)).stdout, (await exported(store)).map(lineOf).join(''))
  })
}

t.test('a mistake is reported in a sentence', async (t) => {
  const url = engines.SQLite('mistakes')
  await (await filled(url, 1)).close()
  const table: [args: readonly string[], code: number, stderr: RegExp][] = [
    [[], 2, /^store:change needs one file; see --help\n/],
    [['none.mjs'], 1, /^\S+none\.mjs cannot be read: ENOENT/],
    [[moduleOf('empty.mjs', '')], 1, /^\S+empty\.mjs has no function as its default export\n$/]
  ]
  for (const [args, code, stderr] of table)
    t.match(await run('store-change', url, args), { code, stderr }, args.join(' '))
  for (const name of ['store-check', 'export'])
    t.match(await run(name, engines.SQLite('missing')), { code: 1, stderr: /missing\.db does not exist\n$/ })
})

t.test('a file of another module continues an interrupted change with the option for it', async (t) => {
  const url = engines.SQLite('taken-over')
  const store = await filled(url, 3_000)
  t.teardown(() => store.close())
  const { child, ended } = start('store-change', url, [slow])
  while ((await store.note('change')) === undefined) await sleep(5)
  child.kill('SIGKILL')
  await ended
  const other = moduleOf('other.mjs', "export default plant => ({ ...plant, tag: 'other' })\n")
  t.match(await run('store-change', url, [other]), {
    code: 1,
    stderr: /^another change was interrupted after [\d,]+ plants/
  })
  t.match(await run('store-change', url, [other, '--continue']), {
    code: 0,
    stderr: /, resumed after \d+\n$/
  })
  const tags = (await exported(store)).map(({ document }) => String(JSON.parse(document).tag))
  t.same([tags[0], tags.at(-1)], ['x', 'other'])
  t.match(await run('store-change', url, [other, '--again']), {
    code: 0,
    stderr: /^changed [\d,]+ of 3,000 plants\n$/
  })
})

const strings = ['', '\u0000', '\ud800', 'a\u2028b', '\u{1F331}', '"\\/', 'x'.repeat(100_000)]
const plants = [
  ...Array.from({ length: 3_000 }, (_, id) => plant(id, `plant ${id}`, id % 2 ? 'odd' : undefined)),
  ...strings.map((text, index) => plant(10_000 + index, text, text)),
  plant(2n ** 63n - 1n),
  plant(-(2n ** 63n))
]

const first = engines.SQLite('first')

t.test('export, import into the other engine, export: the same bytes', async (t) => {
  const urls = [first, await engines.PostgreSQL('second'), engines.SQLite('third')]
  const store = await openStore(first, { maxWaiting: 100_000 })
  await Promise.all(plants.map((each) => store.create(each)))
  await store.close()
  const texts: string[] = []
  for (const [index, url] of urls.entries()) {
    const file = join(folder, `${index}.ndjson`)
    if (index > 0) {
      const { code, stdout, stderr } = await run('import', url, [], join(folder, `${index - 1}.ndjson`))
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
  const store = await openStore(first, { maxWaiting: 100_000 })
  await Promise.all(
    Array.from({ length: 20_000 }, (_, id) => store.create(plant(20_000 + id, 'x'.repeat(100))))
  )
  await store.close()
  const env = { ...process.env, DATABASE_URL: first }
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
  const { code, stderr } = await run('import', `sqlite:${file}`, [], lines)
  t.equal(code, 1)
  t.match(stderr, /^0 plants are imported; run the import again/m)
})

t.test('export and import at a terminal show their progress', async (t) => {
  const [text, store] = [join(folder, 'seen.ndjson'), engines.SQLite('seen')]
  const inTerminal = (command: string, DATABASE_URL: string) =>
    spawnSync('script', ['-qec', command, '/dev/null'], {
      env: { ...process.env, DATABASE_URL },
      encoding: 'utf8'
    })
  const node = `'${process.execPath}'`
  const exported = inTerminal(`${node} '${script('export')}' > '${text}'`, first)
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
