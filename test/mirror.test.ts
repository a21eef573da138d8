/** Every file of src/ and scripts/ has a test of its name, or a row that names the test that covers it. */
import { existsSync } from 'node:fs'
import { test } from 'tap'
import { importsOf, sourceFiles } from './imports.ts'
import { coveredBy as sourcesCoveredBy } from './mirror.ts'
import { scriptsCoveredBy } from './scripts/mirror.ts'

const coveredBy = { ...sourcesCoveredBy, ...scriptsCoveredBy }
const testOfName = (source: string) => `test/${source.replace(/^src\//, '').replace(/\.ts$/, '.test.ts')}`
const sources = [...sourceFiles('src'), ...sourceFiles('scripts')]
const withoutOwnTest = sources.filter((source) => !existsSync(testOfName(source)))

test('every source file has a test of its name, or a row', async (t) => {
  t.ok(sources.length > 100)
  t.strictSame(
    withoutOwnTest.filter((source) => coveredBy[source] === undefined),
    []
  )
})

test('every row is needed, and names files that exist', async (t) => {
  for (const [source, covering] of Object.entries(coveredBy)) {
    t.ok(withoutOwnTest.includes(source), `${source} exists and has no test of its name`)
    t.ok(existsSync(covering), covering)
  }
})

/**
 * Returns every file that a test loads, directly or indirectly. Tests below test/docs/, test/e2e/, test/scripts/ and
 * test/compiler/command/ start processes instead.
 */
function loadedBy(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file) || !existsSync(file)) return loaded
  loaded.add(file)
  for (const { to } of importsOf(file)) if (to.endsWith('.ts')) loadedBy(to, loaded)
  return loaded
}

test('the test that a row names loads its source', async (t) => {
  for (const [source, covering] of Object.entries(coveredBy))
    if (!/^test\/(docs|e2e|scripts|projects|compiler\/command)\//.test(covering))
      t.ok(loadedBy(covering).has(source), `${covering}: ${source}`)
})
