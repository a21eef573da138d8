/** Real processes run a small project under NODE_V8_COVERAGE; the lines that none of them ran are reported. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'
import { uncoveredLines } from '../../../scripts/coverage/uncovered-lines.ts'
import { addCoverage, type Covered, sourcesIn } from '../../../scripts/coverage/v8-coverage.ts'

const main = `import { type Word, word } from './word.ts'
import type { Kind } from './kind.ts'

/** A comment inside of nothing. */
export function answer(text: unknown): Word {
  const kind: Kind = text === 'second' ? 'two' : 'many'
  if (text === 'first') {
    // another comment
    return word(kind)
  }
  return word('other')
}

answer(process.argv[2])
`
const files = {
  'main.ts': main,
  'word.ts':
    'export interface Word {\n  readonly text: string\n}\nexport const word = (text: string): Word => ({ text })\n',
  'kind.ts': "/** Only types. */\nexport type Kind = 'two' | 'many'\n",
  'unused.ts': "import { word } from './word.ts'\n// never loaded\nexport const unused = word('x')\n"
}

/** @returns the uncovered lines after one process for each argument */
function uncoveredAfter(args: readonly string[]): string[] {
  const project = t.testdir({ src: files, reports: { 'killed.json': '{"result":[{' } })
  // V8 counts no blocks of code from Node's compile cache.
  const env = { ...process.env, NODE_V8_COVERAGE: join(project, 'reports'), NODE_DISABLE_COMPILE_CACHE: '1' }
  for (const arg of args) execFileSync(process.execPath, [join(project, 'src/main.ts'), arg], { env })
  const covered: Covered = new Map()
  const sources = new Set(sourcesIn(join(project, 'src')))
  addCoverage(covered, join(project, 'reports'), sources)
  return uncoveredLines(sources, project, covered).map(({ file, line }) => `${file}:${line}`)
}

const rows: readonly { args: readonly string[]; want: readonly string[]; what: string }[] = [
  {
    what: 'one branch of a conditional expression, and the lines after a return',
    args: ['first'],
    want: ['src/main.ts:6', 'src/main.ts:11', 'src/unused.ts:3']
  },
  {
    what: 'a block, without its comment',
    args: ['second', 'third'],
    want: ['src/main.ts:9', 'src/unused.ts:3']
  },
  { what: 'only files that are never loaded', args: ['first', 'second'], want: ['src/unused.ts:3'] }
]
for (const { what, args, want } of rows)
  t.test(`after ${args.join(', ')}: ${what}`, async (t) => t.strictSame(uncoveredAfter(args), want))
