/**
 * Type-checks the generated types of every contract in this folder and of a large one, with the uses of them in
 * test/types, in one run of the type checker, which reads the engine and its packages once.
 */
import { relative } from 'node:path'
import t from 'tap'
import { keepContract } from './compile-cache.ts'
import { contractFiles } from './contract-files.ts'
import { type Generated, generate } from './drive.ts'
import { largeContract } from './large-contract.ts'
import { checksOf, diagnose } from './type-check.ts'

const large = await keepContract('large', largeContract({ operations: 300 }))

t.setTimeout(900_000)
t.test('the generated types of every contract compile', async (t) => {
  const generated = new Map<string, Generated>()
  for (const [name, path] of [...contractFiles(), ['large', large] as const])
    generated.set(name, await generate(t, path))
  const roots = await Promise.all([...generated].map(([name, { folder }]) => checksOf(name, folder)))
  const found = await diagnose('contracts', roots.flat())
  for (const [name, { folder }] of generated) {
    const own = found.filter(({ file }) => file.startsWith(folder))
    t.strictSame(
      own.map(({ file, text }) => `${relative(folder, file)}: ${text}`),
      [],
      name
    )
  }
})
