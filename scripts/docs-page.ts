/** `npm run docs:page`: copies the files of the docs page, and Scalar's script, into JSON that bundlers include. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { command } from '@contract-first/cli/command'
import { formatRows } from '@contract-first/cli/format'
import { scalarCopy } from './docs/scalar-copy.ts'

const usage = `usage: npm run docs:page

  Writes src/service/docs/page/ into src/service/docs/page-files.json, and the script of
  @scalar/fastify-api-reference into src/service/docs/scalar.json.`

const docs = resolve(import.meta.dirname, '../src/service/docs')

await command({ usage }, async () => {
  const files = readdirSync(resolve(docs, 'page')).sort()
  const texts = files.map((file) => [file, readFileSync(resolve(docs, 'page', file), 'utf8')] as const)
  const earlier = JSON.parse(readFileSync(resolve(docs, 'scalar.json'), 'utf8'))
  const copies = { 'page-files.json': Object.fromEntries(texts), 'scalar.json': await scalarCopy(earlier) }
  const written = Object.entries(copies).filter(([name, copy]) => write(resolve(docs, name), copy))
  if (written.length === 0) return console.log('nothing has changed')
  console.log(formatRows(written.map(([name]) => ['written', `src/service/docs/${name}`])))
})

/** @returns true when the file differed */
function write(path: string, content: object): boolean {
  const text = `${JSON.stringify(content, null, 2)}\n`
  if (readFileSync(path, 'utf8') === text) return false
  writeFileSync(path, text)
  return true
}
