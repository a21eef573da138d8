/** The package.json that marks generated files as ES modules. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { packageType } from '../../../../src/compiler/compile/emit/code-language.ts'

const made = '{ "type": "module" }\n'
const rows: { name: string; above?: string; own?: string; want: boolean }[] = [
  { name: 'no package.json anywhere', want: true },
  { name: 'a package of ES modules above', above: '{ "type": "module" }', want: false },
  { name: 'a package of CommonJS above', above: '{ "name": "theirs" }', want: true },
  { name: 'a package.json of an earlier generation', own: made, want: true },
  { name: 'an earlier one in a package of ES modules', own: made, above: '{"type":"module"}', want: false },
  { name: 'a package.json of the user', own: '{ "name": "theirs" }', want: false }
]

for (const { name, above, own, want } of rows)
  t.test(name, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'package-type-'))
    t.teardown(() => rm(folder, { recursive: true }))
    const out = join(folder, 'deep', 'out')
    await mkdir(out, { recursive: true })
    if (above !== undefined) await writeFile(join(folder, 'package.json'), above)
    if (own !== undefined) await writeFile(join(out, 'package.json'), own)
    t.strictSame(await packageType(out), want ? [['package.json', made]] : [])
  })
