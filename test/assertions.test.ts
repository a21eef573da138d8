/** Tests assert; `scripts/test/test-result.ts` fails a test that runs without an assertion. */
import { globSync, readFileSync } from 'node:fs'
import { test } from 'tap'

test('no assertion passes whatever is true', async (t) => {
  const files = globSync('test/**/*.ts')
  t.ok(files.length > 300)
  const empty = /\bt\.pass\(|\.(?:ok|notOk)\((?:true|false|1|0)[,)]|\.equal\((\w+), \1[,)]/
  const empties = files.filter((file) => empty.test(readFileSync(file, 'utf8')))
  // Its fixtures are texts of tests.
  t.strictSame(empties, ['test/scripts/test.test.ts'])
})
