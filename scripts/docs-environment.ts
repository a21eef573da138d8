/** `npm run environment`: writes the table of variables into `.env.example` and docs/environment.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { command } from '@contract-first/cli/command'
import { formatRows } from '@contract-first/cli/format'
import { renderEnvExample, renderTable } from '@contract-first/service/help'
import { variables } from '../src/plants/product.ts'

const usage = `usage: npm run environment

  Writes the table of src/service/config/variables.ts into .env.example and docs/environment.md.`

const project = resolve(import.meta.dirname, '..')

await command({ usage }, () => {
  const written = [
    ['.env.example', () => renderEnvExample(variables)] as const,
    [
      'docs/environment.md',
      (text: string) => text.replace(/\| variable \| default \|.*\n(\|.*\n)*/, () => renderTable(variables))
    ] as const
  ].filter(([file, render]) => rewrite(resolve(project, file), render))
  const names = written.map(([file]) => file)
  console.log(names.length === 0 ? 'nothing has changed' : formatRows([['written', names.join(', ')]]))
})

/** @returns true if the text has changed */
function rewrite(path: string, render: (text: string) => string): boolean {
  const text = readFileSync(path, 'utf8')
  const rendered = render(text)
  if (rendered === text) return false
  writeFileSync(path, rendered)
  return true
}
