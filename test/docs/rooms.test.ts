/** Compares docs/rooms.md with the tree: the imports, the rooms, the answers. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'tap'
import { importsOf, sourceFiles } from '../imports.ts'

const page = readFileSync('docs/rooms.md', 'utf8')
const [, table = ''] = /## Imports\n(.*?)\n\*\*Next/s.exec(page) ?? []
const rows = [...table.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)].map(([, path = '', imports = '']) => ({
  path,
  imports: [...imports.matchAll(/`([^`]+)`/g)].map(([, each = '']) => each)
}))

/** Returns the path of the table that a file belongs to: the longest one that holds it. */
function rowOf(file: string): string {
  const candidates = rows.map(({ path }) => path).filter((path) => `${file}/`.startsWith(`${path}/`))
  return candidates.sort((a, b) => b.length - a.length)[0] ?? `no row for ${file}`
}

test('the table has the imports between its paths, and no others', async (t) => {
  const printed = rows.flatMap(({ path, imports }) => imports.map((each) => `${path} → ${each}`))
  const actual = sourceFiles()
    .flatMap(importsOf)
    .filter(({ to }) => to.startsWith('src/'))
    .map(({ from, to }) => [rowOf(from), rowOf(to)] as const)
    .filter(([from, to]) => from !== to)
    .map(([from, to]) => `${from} → ${to}`)
  t.ok(rows.length > 8)
  t.strictSame(printed.sort(), [...new Set(actual)].sort())
})

test('every storey and every room is printed, and no other', async (t) => {
  const [, section = ''] = /## Every room\n(.*?)\n## /s.exec(page) ?? []
  const printed = [...section.matchAll(/^\| `(src\/[\w/-]*)` \|/gm)].map(([, path = '']) => path)
  const rooms = new Set(sourceFiles().map((file) => `${dirname(file)}/`))
  // A separate table lists the files directly below these folders.
  for (const folder of ['src/engine/', 'src/compiler/']) rooms.delete(folder)
  t.strictSame(printed.sort(), [...rooms].sort())
})

test('every door is printed, and no other', async (t) => {
  const printed = [...page.matchAll(/^\| `(src\/(?:engine|compiler)\/[\w-]+\.ts)` \|/gm)].map(
    ([, path = '']) => path
  )
  const doors = ['src/engine', 'src/compiler'].flatMap((folder) =>
    readdirSync(folder).flatMap((name) => (name.endsWith('.ts') ? [`${folder}/${name}`] : []))
  )
  t.strictSame(printed.sort(), doors.sort())
})

test('twenty questions or more have answers that exist', async (t) => {
  const [, section = ''] = /## Where is …\?\n(.*?)\n## /s.exec(page) ?? []
  const rows = section.split('\n').filter((line) => line.startsWith('| …'))
  t.ok(rows.length >= 20)
  for (const row of rows) {
    const answers = [...row.matchAll(/`((?:src|scripts)\/[\w./-]+)`/g)].map(([, path = '']) => path)
    t.ok(answers.length > 0, row)
    for (const path of answers) t.ok(existsSync(path), `${row}: ${path}`)
  }
})
