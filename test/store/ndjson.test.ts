/** Plants as lines, from one store into another. */
import { join } from 'node:path'
import t from 'tap'
import { plantSink } from '../../src/plants/import-plants.ts'
import { lineOf, Plants } from '../../src/plants/plant.ts'
import { exportText, ImportError, importLines, linesOf, type Transferred } from '../../src/store/ndjson.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { exported, plant } from './conformance.ts'

const folder = t.testdir()
const open = (name: string) => openStore(`sqlite:${join(folder, name, 'plants.db')}`)
const contracted = await Plants.load()
const sink = (store: Store) => plantSink(store, contracted)

async function* bytes(...chunks: (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const chunk of chunks) yield Buffer.from(chunk)
}

const splits: [what: string, chunks: (string | Buffer)[], lines: string[]][] = [
  ['nothing', [], []],
  ['no end at the end', ['a\nb'], ['a', 'b']],
  ['empty lines', ['\na\n\n'], ['', 'a', '']],
  ['lines over chunks', ['a', 'b\nc', '', 'd\n'], ['ab', 'cd']],
  ['CRLF, and CR alone', ['a\r\nb\rc\r', '\nd'], ['a', 'b\rc', 'd']],
  ['separators that JSON strings may hold', ['a\u2028b\u2029c\u0085\n'], ['a\u2028b\u2029c\u0085']],
  ['a character cut in two', [Buffer.from([0xe2, 0x98]), Buffer.from([0x83, 0x0a])], ['\u2603']]
]
for (const [what, chunks, lines] of splits) {
  t.test(`splits ${what}`, async (t) => {
    t.same((await Array.fromAsync(linesOf(bytes(...chunks)))).map(String), lines)
  })
}

t.test('export cuts its text into pieces', async (t) => {
  const store = await open('pieces')
  const plants = Array.from({ length: 10 }, (_, id) => plant(id))
  await Promise.all(plants.map((each) => store.create(each)))
  const progress: Transferred[] = []
  const pieces = await Array.fromAsync(
    exportText(store, lineOf, (transferred) => progress.push({ ...transferred }), 100)
  )
  t.equal(pieces.length, 3)
  t.same(progress, [
    { plants: 4, bytes: 108 },
    { plants: 8, bytes: 216 },
    { plants: 10, bytes: 270 }
  ])
  t.equal(pieces.join(''), plants.map(lineOf).join(''))
  await store.close()
  const empty = await open('none')
  t.same(await Array.fromAsync(exportText(empty, lineOf)), [])
  await empty.close()
})

t.test('imports, again and again', async (t) => {
  const store = await open('again')
  const plants = Array.from({ length: 2_500 }, (_, id) => plant(id))
  const text = plants.map(lineOf).join('\n')
  const progress: Transferred[] = []
  for (const round of [1, 2]) {
    const imported = await importLines(linesOf(bytes(text)), sink(store), (each) =>
      progress.push({ ...each })
    )
    t.equal(imported, 2_500, `round ${round}`)
  }
  t.same(await exported(store), plants)
  t.equal((await Array.fromAsync(exportText(store, lineOf))).join(''), plants.map(lineOf).join(''))
  t.ok(progress.length > 2 && progress.every(({ bytes }) => bytes > 0))
  t.equal(await importLines(linesOf(bytes('')), sink(store)), 0)
  await store.close()
})

t.test('heavy lines make smaller chunks', async (t) => {
  const store = await open('heavy')
  const plants = Array.from({ length: 30 }, (_, id) => plant(id, 'x'.repeat(1_000_000)))
  const chunks = plants.map((each) => lineOf(each))
  let asked = 0
  const { read, store: keep } = sink(store)
  const ahead = (line: Buffer) => {
    asked++
    return read(line)
  }
  let most = 0
  const imported = await importLines(
    linesOf(bytes(...chunks)),
    { read: ahead, store: keep },
    ({ plants }) => {
      most = Math.max(most, asked - plants)
    }
  )
  t.equal(imported, 30)
  t.ok(most <= 10, `${most} plants were held at once`)
  await store.close()
})

/** Bounds for all lines before the refused one, and none after it. */
const before = { least: 1_499, most: 1_499 }

const problems: [what: string, line: string, message: RegExp, imported: typeof before][] = [
  ['no JSON', 'plants', /^line 1500: /, before],
  ['no NewPlant', '{"id":"12"}', /^line 1500: .*name is required.*id must be integer/, before],
  ['an id out of range', '{"id":9223372036854775808,"name":"x"}', /^line 1500: .*id/, before],
  ['no UTF-8', '{"id":1,"name":"\xff"}', /^line 1500: .*UTF-8/, before],
  [
    'another plant under an id',
    lineOf(plant(7, 'Aloe')),
    /^line 1500: id 7 is taken by a different plant$/,
    { least: 1_499, most: 2_999 }
  ]
]
for (const [what, line, message, imported] of problems) {
  t.test(`stops at ${what}`, async (t) => {
    const store = await open(what)
    const lines = Array.from({ length: 3_000 }, (_, id) => lineOf(plant(id)).trimEnd())
    lines[1_499] = line.trimEnd()
    const text = Buffer.from(lines.join('\n'), what === 'no UTF-8' ? 'latin1' : 'utf8')
    const error = await importLines(linesOf(bytes(text)), sink(store)).catch((thrown) => thrown)
    t.match(error, { name: 'ImportError', message })
    t.ok(
      error instanceof ImportError && error.imported === (await exported(store)).length,
      'says what is stored'
    )
    t.ok(error.imported >= imported.least && error.imported <= imported.most, `${error.imported} plants`)
    await store.close()
  })
}

t.test('a store that fails, and one that throws a text', async (t) => {
  const store = await open('closed')
  await store.close()
  const line = () => linesOf(bytes('\n\n', lineOf(plant(1)), lineOf(plant(2))))
  await t.rejects(importLines(line(), sink(store)), { message: 'line 3: the store is closing', imported: 0 })
  const thrower = () => {
    throw 'nothing'
  }
  await t.rejects(importLines(line(), { ...sink(store), read: thrower }), { message: 'line 3: nothing' })
})
