/** The commands `store:check` and `store:change`, as processes, on both engines. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

function start(name: string, databaseUrl: string, args: readonly string[] = []) {
  const script = join(import.meta.dirname, `../../scripts/${name}.ts`)
  const env = { ...process.env, DATABASE_URL: databaseUrl }
  const child = spawn(process.execPath, [script, ...args], {
    env,
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const output = Promise.all([Array.fromAsync(child.stdout), Array.fromAsync(child.stderr)])
  const ended = once(child, 'close').then(async ([code]) => {
    const [stdout, stderr] = (await output).map((chunks) => Buffer.concat(chunks).toString())
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
