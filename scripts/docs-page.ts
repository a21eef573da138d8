/** `npm run docs:page`: copies the files of the docs page into one that bundlers include. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { command } from '@contract-first/cli/command'
import { formatRows } from '@contract-first/cli/format'

const usage = `usage: npm run docs:page

  Writes src/service/docs/page/ into src/service/docs/page-files.json.`

const docs = resolve(import.meta.dirname, '../src/service/docs')

await command({ usage }, () => {
  const files = readdirSync(resolve(docs, 'page')).sort()
  const texts = files.map((file) => [file, readFileSync(resolve(docs, 'page', file), 'utf8')] as const)
  const path = resolve(docs, 'page-files.json')
  const text = `${JSON.stringify(Object.fromEntries(texts), null, 2)}\n`
  if (readFileSync(path, 'utf8') === text) return console.log('nothing has changed')
  writeFileSync(path, text)
  console.log(formatRows([['written', 'src/service/docs/page-files.json']]))
})
