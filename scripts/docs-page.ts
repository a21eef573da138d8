/** `npm run docs:page`: writes the files of the docs page into a module, for bundled servers. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { command } from '@contract-first/cli/command'
import { formatRows } from '@contract-first/cli/format'

const usage = `usage: npm run docs:page

  Writes src/service/docs/page/ into src/service/docs/page-files.ts.`

const docs = resolve(import.meta.dirname, '../src/service/docs')

await command({ usage }, () => {
  const files = readdirSync(resolve(docs, 'page')).sort()
  const texts = files.map((file) => [file, readFileSync(resolve(docs, 'page', file), 'utf8')] as const)
  const path = resolve(docs, 'page-files.ts')
  const text = moduleOf(texts)
  if (readFileSync(path, 'utf8') === text) return console.log('nothing has changed')
  writeFileSync(path, text)
  console.log(formatRows([['written', 'src/service/docs/page-files.ts']]))
})

function moduleOf(texts: readonly (readonly [name: string, text: string])[]): string {
  const members = texts.map(
    ([name, text]) => `  '${name}': \`${text.replaceAll(/[\\`]|\$(?=\{)/g, '\\$&')}\``
  )
  return `/**
 * The files of page/ as texts, because a bundle holds modules only. Written by \`npm run docs:page\`; never edited.
 */
export const pageFiles: Readonly<Record<string, string>> = {
${members.join(',\n')}
}
`
}
