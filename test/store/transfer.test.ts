import { join } from 'node:path'
import { Readable } from 'node:stream'
import t from 'tap'
import { openStore } from '../../src/store/open.ts'
import type { StoredPlant } from '../../src/store/store.ts'
import { exportText, ImportError, importLines, linesOf } from '../../src/store/transfer.ts'

const bytes = (...texts: string[]) =>
  Readable.from(texts.map((text) => Buffer.from(text))) as AsyncIterable<Buffer>
const line = ({ id, document }: StoredPlant) => `${id} ${document}\n`

/** `5 {"name":"x"}` */
function read(given: Buffer): StoredPlant {
  const [, id, document] = /^(-?\d+) (.+)$/.exec(given.toString()) ?? []
  if (id === undefined || document === undefined) throw new Error('is no plant')
  return { id: BigInt(id), document }
}

t.test('lines end with a line feed, and with nothing else that a JSON string may hold', async (t) => {
  const table: [given: string[], want: string[]][] = [
    [[], []],
    [['a\nb\n'], ['a', 'b']],
    [['a\r\nb'], ['a', 'b']],
    [
      ['a', 'b\nc', '\n'],
      ['ab', 'c']
    ],
    [['\n\n'], ['', '']],
    [['a\u2028b\u2029c\u0085d\n'], ['a\u2028b\u2029c\u0085d']],
    [['a\rb\n'], ['a\rb']]
  ]
  for (const [row, [given, want]] of table.entries()) {
    t.same(await Array.fromAsync(linesOf(bytes(...given)), String), want, `row ${row}`)
  }
})

t.test('what was exported is imported, twice without harm', async (t) => {
  const folder = t.testdir()
  const store = await openStore(`sqlite:${join(folder, 'a.db')}`)
  const copy = await openStore(`sqlite:${join(folder, 'b.db')}`)
  t.teardown(() => Promise.all([store.close(), copy.close()]))
  const text = Array.from({ length: 3_000 }, (_, id) => `${id} {"name":"${'x'.repeat(50)}"}\n`).join('')
  let seen = 0
  const imported = await importLines(linesOf(bytes(text)), store, read, (progress) => {
    seen = progress.bytes
  })
  t.equal(imported, 3_000)
  t.equal(seen, text.length, 'progress tells the bytes')
  const exported = await Array.fromAsync(exportText(store, line, 10_000))
  t.ok(exported.length > 10, 'in pieces')
  for (let time = 0; time < 2; time++)
    t.equal(await importLines(linesOf(bytes(...exported)), copy, read), 3_000)
  t.equal((await Array.fromAsync(exportText(copy, line))).join(''), text)
})

t.test('the first line that can not be imported is named, and what was imported before', async (t) => {
  const good = Array.from({ length: 499 }, (_, id) => `${id} {}\n`).join('')
  const table: [bad: string, message: string][] = [
    ['nonsense\n', 'line 501: is no plant'],
    ['7 {"name":"another"}\n', 'line 501: id 7 is taken by a different plant']
  ]
  for (const [bad, message] of table) {
    const store = await openStore(`sqlite:${join(t.testdir(), 'plants.db')}`)
    const failed = await importLines(
      linesOf(bytes(good, '\n', bad, '1000 {}\n'.repeat(5))),
      store,
      read
    ).catch((error) => error)
    t.type(failed, ImportError)
    t.equal(failed.message, message)
    t.ok(failed.imported >= 499)
    await store.close()
  }
})

t.test('a store that fails ends the import', async (t) => {
  const store = await openStore(`sqlite:${join(t.testdir(), 'plants.db')}`)
  await store.close()
  const failed = await importLines(linesOf(bytes('1 {}\n')), store, read).catch((error) => error)
  t.match(failed, { name: 'ImportError', message: /^line 1: / })
  const throwing = { ...store, create: () => Promise.reject('no error') } as unknown as typeof store
  t.match(await importLines(linesOf(bytes('1 {}\n')), throwing, read).catch(String), 'line 1: no error')
})
