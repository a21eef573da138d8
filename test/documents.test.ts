import { existsSync, globSync, readFileSync } from 'node:fs'
import { load } from 'js-yaml'
import { test } from 'tap'
import { engineErrors, serviceErrors } from '../src/plants/failures.ts'
import { variables } from '../src/plants/product.ts'
import { renderTable } from '../src/service/config/help.ts'
import { variablesOf } from '../src/service/config/variables.ts'
import { createMetrics } from '../src/service/observability/metrics.ts'

const text = (file: string): string => readFileSync(file, 'utf8')
const named = (source: string, pattern: RegExp): string[] => [...new Set(source.match(pattern))].sort()

test('docs/environment.md holds the table of variables (npm run environment writes it)', async (t) => {
  t.ok(text('docs/environment.md').includes(renderTable(variables)))
})

test('no document names a variable that is not there', async (t) => {
  const known = new Set(variablesOf(variables).map(({ name }) => name))
  const ours = /\b(?:AUTH|BODY|REQUEST|SHUTDOWN|RATE|CORS|TRUST|LOG|METRICS|BASE|DATABASE)_[A-Z_]+\b/g
  for (const file of [
    'docs/operating.md',
    'docs/log-and-metrics.md',
    'docs/tokens.md',
    'docs/security.md',
    'Dockerfile',
    'compose.yaml'
  ]) {
    const unknown = named(text(file), ours).filter((name) => !known.has(name) && name !== 'AUTH_TOKEN')
    t.strictSame(unknown, [], file)
  }
})

test('log-and-metrics.md explains every failure of the engine, and no unknown number', async (t) => {
  const rows = text('docs/log-and-metrics.md')
    .split('\n')
    .filter((line) => /^\| \d{4}/.test(line))
  const explained = rows.flatMap((row) => row.split('|')[1]?.match(/\d{4}/g) ?? []).map(Number)
  const engine = [...new Set<number>(Object.values(engineErrors))]
  const known = new Set<number>([...engine, ...Object.values(serviceErrors)])
  t.strictSame(
    engine.filter((number) => !explained.includes(number)),
    []
  )
  t.strictSame(
    explained.filter((number) => !known.has(number)),
    []
  )
})

test('log-and-metrics.md lists every metric of this service', async (t) => {
  const metrics = createMetrics()
  const store = metrics.watchStore()
  store.watchQueue(() => 0)
  store.watchWal(
    () => 0,
    () => 0
  )
  const known = metrics.registry.getMetricsAsArray().map(({ name }) => name)
  const documented = named(text('docs/log-and-metrics.md'), /\b(?:http|store|nodejs|process)_\w+/g)
  t.strictSame(
    documented.filter((name) => !known.includes(name)),
    [],
    'no metric that does not exist'
  )
  t.strictSame(
    known.filter((name) => /^(http|store)_/.test(name) && !documented.includes(name)),
    [],
    'every metric that exists'
  )
})

test('house.md answers with files that exist', async (t) => {
  const rows = text('docs/house.md')
    .split('\n')
    .filter((line) => line.startsWith('| …'))
  t.ok(rows.length >= 20)
  for (const row of rows) {
    const answers = named(row, /(?<=`)(?:src|scripts)\/[\w./-]+(?=`)/g)
    t.ok(answers.length > 0 && answers.every((path) => existsSync(path)), row)
  }
})

/** Tests by threat: each a file, and the title of a test in it. */
type Threats = Readonly<Record<string, readonly Readonly<Record<string, string>>[]>>

test('every row of security.md has tests, by file and title, and no other threat has', async (t) => {
  const [, tables = ''] = text('docs/security.md').split('\n## Threats\n')
  const rows = [...tables.matchAll(/^\| (.+?) \| .+ \|$/gm)].map(([, threat]) => threat)
  const threats = load(text('test/docs/threats.yaml')) as Threats
  t.strictSame(
    rows.filter((row) => row !== 'threat'),
    Object.keys(threats)
  )
  t.ok(rows.length > 40)
  for (const [threat, tests] of Object.entries(threats)) {
    t.ok(tests.length > 0, threat)
    for (const [file, title] of tests.flatMap((test) => Object.entries(test)))
      t.ok(existsSync(file) && hasTest(file, title), `${threat}: ${file}: ${title}`)
  }
})

/**
 * Finds the test of a title as written in the source: for several cases, with its placeholders. npm test runs every
 * test, and fails one without an assertion.
 */
function hasTest(file: string, title: string): boolean {
  const quoted = `(['"\`])${title.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')}\\1`
  return new RegExp(`^ *(?:t\\.)?test\\(\\s*${quoted}`, 'm').test(text(file))
}

/** Sources, without modules that are written by `npm run docs:page` or by tests. */
const sources = (): string[] =>
  globSync('{src,scripts,bench,test}/**/*.{ts,js}', {
    exclude: ['test/types/**']
  })

/** Beginning of a doc comment that describes its subject by a clause, instead of by a verb or a noun. */
const clause = /^[ \t]*\/\*\*(?:\s|\*(?!\/))*(?:What|Whether|Where|Who|Whoever|How|Of|To be)\b/gm

test('every doc comment begins with a verb or a noun, not with a clause', async (t) => {
  const files = sources()
  t.ok(files.length > 500, `${files.length} files`)
  const wrong = files.flatMap((file) =>
    [...text(file).matchAll(clause)].map(
      ({ index }) => `${file}:${text(file).slice(0, index).split('\n').length}`
    )
  )
  t.strictSame(wrong, [])
})
