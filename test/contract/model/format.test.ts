import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { format } from '../../../src/contract/model/format.ts'

const folder = 'src/contract/model'
/** Other files that model/ imports; architecture.test.ts reports any further one. */
const imported = ['src/contract/media-types/body-kind.ts']

/** Prints the code without comments and layout, so that only a change of meaning changes the format. */
function codeOf(path: string): string {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest)
  return ts.createPrinter({ removeComments: true }).printFile(source)
}

t.test('the format changes with everything that the compiler writes for the server', async (t) => {
  const own = readdirSync(folder).filter((name) => name !== 'format.ts')
  const paths = [...own.sort().map((name) => join(folder, name)), ...imported]
  const hash = createHash('sha256')
  for (const path of paths) hash.update(codeOf(path))
  const wanted = hash.digest('hex').slice(0, 12)
  t.equal(format, wanted, `set format in ${folder}/format.ts to '${wanted}' and run "npm run generate"`)
})
