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

t.test('a package that is not installed is left to the service to report', async (t) => {
  const sources = t.testdir({ 'a.ts': "import x from 'none-of-this-name'\nawait import('fastify')\n" })
  t.strictSame(packageNames(sources), ['none-of-this-name', 'fastify'])
})
