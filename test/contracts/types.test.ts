/** Type-checks the generated types of every contract in this folder, with the uses of them in test/types. */
import { relative } from 'node:path'
import t from 'tap'
import { contractFiles } from './contract-files.ts'
import { type Generated, generate } from './drive.ts'
import { checksOf, diagnose } from './type-check.ts'

t.test('the generated types of every contract compile', async (t) => {
  const generated = new Map<string, Generated>()
  for (const [name, path] of contractFiles()) generated.set(name, await generate(t, path))
  const roots = await Promise.all([...generated].map(([name, { folder }]) => checksOf(name, folder)))
  const found = diagnose(roots.flat())
  for (const [name, { folder }] of generated) {
    const own = found.filter(({ file }) => file.startsWith(folder))
    t.strictSame(
      own.map(({ file, text }) => `${relative(folder, file)}: ${text}`),
      [],
      name
    )
  }
})
