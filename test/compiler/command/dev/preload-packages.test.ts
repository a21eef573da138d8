import t from 'tap'
import { packageNames } from '../../../../src/compiler/command/dev/preload-packages.ts'

t.test('a server that is started ahead loads packages, and no source that an edit may change', async (t) => {
  const names = packageNames()
  for (const name of ['fastify', 'pino', 'node:fs']) t.ok(names.includes(name), name)
  t.strictSame(
    names.filter((name) => name.startsWith('@contract-first/')),
    []
  )
})
