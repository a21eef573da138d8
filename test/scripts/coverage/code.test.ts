/** Real processes run a small project under NODE_V8_COVERAGE; the lines and branches that none of them ran are counted. */
import { execFileSync } from 'node:child_process'
import { join, relative } from 'node:path'
import t from 'tap'
import { Code } from '../../../scripts/coverage/code.ts'
import { coverageIn, sourcesIn } from '../../../scripts/coverage/v8-coverage.ts'

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

/** Returns the uncovered lines after one process for each argument, and the counts of main.ts. */
function coverageAfter(args: readonly string[]) {
  const project = t.testdir({ src: files, reports: { 'killed.json': '{"result":[{' } })
  // V8 counts no blocks of code from Node's compile cache.
  const env = { ...process.env, NODE_V8_COVERAGE: join(project, 'reports'), NODE_DISABLE_COMPILE_CACHE: '1' }
  for (const arg of args) execFileSync(process.execPath, [join(project, 'src/main.ts'), arg], { env })
  const sources = sourcesIn(join(project, 'src'))
  const covered = coverageIn(join(project, 'reports'), sources)
  const [code, coverage] = [new Code(join(project, 'src/main.ts')), covered.get(join(project, 'src/main.ts'))]
  return {
    uncovered: sources.flatMap((path) =>
      new Code(path).uncovered(covered.get(path)).map(({ line }) => `${relative(project, path)}:${line}`)
    ),
    lines: code.lines(coverage),
    branches: code.branches(coverage)
  }
}

interface Row {
  readonly what: string
  readonly args: readonly string[]
  readonly want: readonly string[]
  /** Covered lines and branches of main.ts, and all of them. */
  readonly counts: readonly (readonly [covered: number, total: number])[]
}

const rows: readonly Row[] = [
  {
    what: 'one branch of a conditional expression, and the lines after a return',
    args: ['first'],
    want: ['src/main.ts:6', 'src/main.ts:11', 'src/unused.ts:3'],
    counts: [
      [5, 6],
      [0, 2]
    ]
  },
  {
    what: 'a block, without its comment',
    args: ['second', 'third'],
    want: ['src/main.ts:9', 'src/unused.ts:3'],
    counts: [
      [5, 6],
      [2, 3]
    ]
  },
  {
    what: 'only files that are never loaded',
    args: ['first', 'second'],
    want: ['src/unused.ts:3'],
    counts: [
      [6, 6],
      [4, 4]
    ]
  }
]
for (const { what, args, want, counts } of rows)
  t.test(`after ${args.join(', ')}: ${what}`, async (t) => {
    const { uncovered, lines, branches } = coverageAfter(args)
    t.strictSame(uncovered, want)
    t.strictSame(
      [lines, branches].map(({ covered, total }) => [covered, total]),
      counts
    )
  })
