/** Plants as lines, from one store into another. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openStore } from '../../src/open-store.ts'
import { ChangeThread } from '../../src/plants/change-plants.ts'
import { exportText, ImportError, importPlants, linesOf, type Transferred } from '../../src/plants/ndjson.ts'
import { lineOf, Plants } from '../../src/plants/plant.ts'
import { exported, plant } from '../store/conformance.ts'

const folder = t.testdir()
const open = (name: string) => openStore(`sqlite:${join(folder, name, 'plants.db')}`)
const contracted = await Plants.load()

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

t.test('imports and exports, again and again', async (t) => {
  const store = await open('again')
  const plants = Array.from({ length: 2_500 }, (_, id) => plant(id))
  const text = plants.map(lineOf).join('\n')
  const progress: Transferred[] = []
  const onProgress = (each: Transferred) => void progress.push({ ...each })
  for (const round of [1, 2]) {
    const imported = await importPlants(store, contracted, linesOf(bytes(text)), { onProgress })
    t.equal(imported, 2_500, `round ${round}`)
  }
  t.same(await exported(store), plants)
  t.ok(progress.length > 2 && progress.every(({ bytes }) => bytes > 0))
  t.equal(await importPlants(store, contracted, linesOf(bytes(''))), 0)
  progress.splice(0)
  const pieces = await Array.fromAsync(exportText(store, onProgress))
  const all = plants.map(lineOf).join('')
  t.equal(pieces.join(''), all)
  t.ok(pieces.length > 2 && progress.length === pieces.length)
  t.same(progress.at(-1), { plants: 2_500, bytes: all.length })
  await store.close()
})

t.test('heavy lines make smaller chunks', async (t) => {
  const store = await open('heavy')
  const plants = Array.from({ length: 30 }, (_, id) => plant(id, 'x'.repeat(1_000_000)))
  let asked = 0
  const parse = (line: Buffer) => {
    asked++
    return contracted.parse(line)
  }
  let most = 0
  const imported = await importPlants(store, { parse } as Plants, linesOf(bytes(...plants.map(lineOf))), {
    onProgress: ({ plants }) => (most = Math.max(most, asked - plants))
  })
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
    const error = await importPlants(store, contracted, linesOf(bytes(text))).catch((thrown) => thrown)
    t.match(error, { name: 'ImportError', message })
    t.ok(
      error instanceof ImportError && error.imported === (await exported(store)).length,
      'says what is stored'
    )
    t.ok(error.imported >= imported.least && error.imported <= imported.most, `${error.imported} plants`)
    await store.close()
  })
}

t.test('a store that fails', async (t) => {
  const store = await open('closed')
  await store.close()
  const lines = linesOf(bytes('\n\n', lineOf(plant(1)), lineOf(plant(2))))
  const failing = importPlants(store, contracted, lines)
  await t.rejects(failing, { message: 'line 3: the store is closing', imported: 0 })
})

t.test('each line of an import of an earlier contract is read as it is, changed, and stored', async (t) => {
  const store = await open('earlier')
  const file = join(folder, 'change.mjs')
  writeFileSync(file, 'export default ({ id, title }) => ({ id, name: title })')
  const thread = await ChangeThread.load(file)
  const imported = (text: string) => importPlants(store, contracted, linesOf(bytes(text)), { thread })
  for (const round of ['first', 'again']) t.equal(await imported('{"id":1,"title":"Aloe"}'), 1, round)
  t.strictSame(await exported(store), [{ id: 1n, document: '{"name":"Aloe"}' }])
  const refused: [line: string, message: string | RegExp][] = [
    ['{"id":1,"title":"Agave"}', 'line 1: id 1 is taken by a different plant'],
    ['{"id":2}', /^line 1: plant 2: the changed plant does not fit the contract: name is required/],
    ...['{"title":"Aloe"}', '{"id":"1"}', 'null', '1'].map((line): [string, string] => [
      line,
      'line 1: id must be integer'
    ])
  ]
  for (const [line, message] of refused)
    await t.rejects(imported(line), { name: 'ImportError', message }, line)
  await thread.close()
  await store.close()
})
