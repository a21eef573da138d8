/** Compares docs/rooms.md with the tree: the picture, the rooms, the answers. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'tap'
import { importsOf, sourceFiles } from '../imports.ts'

const page = readFileSync('docs/rooms.md', 'utf8')
const [, picture = ''] = /```mermaid\n(.*?)```/s.exec(page) ?? []
const nodes = new Map(
  [...picture.matchAll(/^ *(\w+)\[([^\]]+)\]$/gm)].map(([, name = '', path = '']) => [name, path])
)

/** Returns the node of the picture that a file belongs to: the longest path that holds it. */
function nodeOf(file: string): string {
  const candidates = [...nodes.values()].filter((path) => file === path || file.startsWith(`${path}/`))
  return candidates.sort((a, b) => b.length - a.length)[0] ?? `no node for ${file}`
}

test('the picture has the arrows of the imports, and no others', async (t) => {
  const drawn = [...picture.matchAll(/^ *(\w+) --> (\w+)$/gm)].map(
    ([, from = '', to = '']) => `${nodes.get(from)} → ${nodes.get(to)}`
  )
  const actual = sourceFiles()
    .flatMap(importsOf)
    .filter(({ to }) => to.startsWith('src/'))
    .map(({ from, to }) => [nodeOf(from), nodeOf(to)] as const)
    .filter(([from, to]) => from !== to)
    .map(([from, to]) => `${from} → ${to}`)
  t.ok(nodes.size > 8)
  t.strictSame(drawn.sort(), [...new Set(actual)].sort())
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
