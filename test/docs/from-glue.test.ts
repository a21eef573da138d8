/** Carries out docs/from-glue.md: starts both servers of the page, and sends both the requests of its last table. */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { FastifyInstance, InjectOptions } from 'fastify'
import t from 'tap'
import { stepsOf } from './tutorial.ts'

const project = resolve(import.meta.dirname, '../..')
const page = await readFile(join(project, 'docs/from-glue.md'), 'utf8')
const note = { method: 'POST', url: '/notes' } as const
const token = { authorization: 'Bearer open-sesame' }

/** The requests of the last table: statuses before and after, and if the bodies are equal. */
const rows: readonly (InjectOptions & { before: number; after: number; isSame?: boolean })[] = [
  { method: 'GET', url: '/notes/7', before: 200, after: 200, isSame: true },
  { ...note, headers: token, payload: { id: 1, text: 'a' }, before: 201, after: 201, isSame: true },
  { ...note, headers: token, payload: { id: '7', text: 'a' }, before: 201, after: 400 },
  { ...note, payload: { id: 1, text: 'a' }, before: 401, after: 401 },
  { ...note, headers: token, before: 201, after: 400 },
  { method: 'GET', url: '/notes/x', before: 400, after: 400 },
  { method: 'DELETE', url: '/notes', before: 404, after: 405 }
]

t.test('both servers of the page answer as its table says', async (t) => {
  const folder = t.testdir()
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  for (const step of stepsOf(page.replaceAll(/`(\w+\.ts)`/g, '`src/$1`')))
    if (step.kind === 'file') await writeFile(join(folder, step.file.replace('src/', '')), step.text)
  const contract = ['--contract', join(folder, 'notes.yaml'), '--out', join(folder, 'generated')]
  await promisify(execFile)(process.execPath, [join(project, 'scripts/generate.ts'), ...contract])
  const [before, after] = await Promise.all(['before.ts', 'after.ts'].map((file) => started(folder, file)))
  if (before === undefined || after === undefined) throw new Error('a server is missing')
  t.teardown(() => Promise.all([before.close(), after.close()]))
  for (const { before: oldStatus, after: newStatus, isSame = false, ...request } of rows) {
    const [old, current] = [await before.inject(request), await after.inject(request)]
    const title = `${request.method} ${request.url} ${JSON.stringify(request.payload)}`
    t.strictSame([old.statusCode, current.statusCode], [oldStatus, newStatus], title)
    if (isSame) t.strictSame(current.json(), old.json(), title)
  }
})

t.test('the table of the page lists these requests', async (t) => {
  const table = page.slice(page.indexOf('## What changes for clients'))
  const statuses = [...table.matchAll(/^\| `[^|]*\| (\d{3})[^|]*\| (\d{3})/gm)].map(([, before, after]) => [
    Number(before),
    Number(after)
  ])
  t.strictSame(
    statuses,
    rows.map(({ before, after }) => [before, after])
  )
})

async function started(folder: string, file: string): Promise<FastifyInstance> {
  const { start } = await import(pathToFileURL(join(folder, file)).href)
  return start()
}
