/** `npm run environment`: writes the table of variables into `.env.example` and the README. */
import { readFileSync, writeFileSync } from 'node:fs'
import { renderEnvExample, renderTable } from '../src/config/help.ts'

writeFileSync('.env.example', renderEnvExample())
const readme = readFileSync('README.md', 'utf8')
writeFileSync(
  'README.md',
  readme.replace(/\| variable \| default \|.*\n(\|.*\n)*/, () => renderTable())
)
