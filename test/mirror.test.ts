/** Every file of src/ and scripts/ is reached by the test of its name or by the tests of its room. */
import { globSync } from 'node:fs'
import { dirname, matchesGlob } from 'node:path'
import { test } from 'tap'
import { sourceFiles } from './imports.ts'
import { reachedBy } from './reach.ts'

/** Rooms (globs) with files that only tests of a further room reach: that of processes, or one that uses them. */
const testedFrom: readonly (readonly [rooms: string, tests: string])[] = [
  ['.', 'e2e'],
  ['plants', 'app'],
  ['scripts/*', 'scripts'],
  ['compiler/conformance/*', 'compiler/conformance'],
  ['compiler/scaffold', 'compiler/smoke-test'],
  ['engine/client/*', 'engine/client']
]

const tests = globSync('test/**/*.test.ts')
const sources = [...sourceFiles('src'), ...sourceFiles('scripts')]

/** Returns the path of a file without extension, below src/ or from scripts/ on. */
const nameOf = (source: string): string => source.replace(/^src\//, '').replace(/\.ts$/, '')
/** Returns the test of a name, and those directly in the folder of the name. */
const testsOf = (name: string): string[] =>
  tests.filter((file) => file === `test/${name}.test.ts` || dirname(file) === `test/${name}`)

/** Returns the tests of a room: those of its name, and those of further rooms. */
const testsOfRoom = (room: string, rows = testedFrom): string[] =>
  [room, ...rows.filter(([rooms]) => matchesGlob(room, rooms)).map(([, name]) => name)].flatMap(testsOf)

const isReached = (source: string, rows = testedFrom): boolean =>
  reachedBy(testsOf(nameOf(source))).has(source) ||
  reachedBy(testsOfRoom(dirname(nameOf(source)), rows)).has(source)

test('every source file is reached by the test of its name, or by the tests of its room', async (t) => {
  t.ok(sources.length > 300)
  t.strictSame(
    sources.filter((source) => !isReached(source)),
    []
  )
})

test('a file is not reached by the tests of other rooms', async (t) => {
  t.notOk(isReached('src/store/no-importer.ts'))
  t.ok(reachedBy(['test/e2e/start.test.ts']).has('src/main.ts'))
  t.notOk(isReached('src/main.ts', []))
})

test('an import of a type runs no code, and reaches a file of types only', async (t) => {
  const curl = reachedBy(['test/service/process/curl.test.ts'])
  t.ok(curl.has('src/service/process/curl.ts'))
  t.notOk(curl.has('src/engine/server.ts'))
  t.ok(reachedBy(['test/engine/json/restore-int64.test.ts']).has('src/engine/model/value-plans.ts'))
})

test('every row is needed', async (t) => {
  for (const row of testedFrom) {
    const others = testedFrom.filter((each) => each !== row)
    t.notOk(
      sources.every((source) => isReached(source, others)),
      row.join(': ')
    )
  }
})
