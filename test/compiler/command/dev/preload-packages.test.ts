import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import {
  isCompiler,
  isPackaged,
  packageNames
} from '../../../../src/compiler/command/dev/preload-packages.ts'

t.test('a server that is started ahead loads packages, those of this repository, too', async (t) => {
  const names = packageNames()
  for (const name of [
    'fastify',
    'pino',
    'node:fs',
    '@contract-first/service',
    '@contract-first/engine/errors'
  ])
    t.ok(names.includes(name), name)
  t.notOk(names.includes('@redocly/openapi-core'), 'but for the compiler')
})

t.test('a source of a package is told from one of the service', async (t) => {
  for (const file of ['engine/server.ts', 'service/http/headers.ts'])
    t.ok(isPackaged(resolve('src', file)), file)
  for (const file of ['src/main.ts', 'src/plants/handlers.ts', '.env', 'scripts/dev.ts'])
    t.notOk(isPackaged(resolve(file)), file)
  const sources = t.testdir({
    src: { 'package.json': '', 'a.ts': '' },
    'src-of-another': { 'package.json': '' }
  })
  t.notOk(isPackaged(resolve(sources, 'src/a.ts'), resolve(sources, 'src')))
  t.notOk(isPackaged(resolve(sources, 'src-of-another/a.ts'), resolve(sources, 'src')))
})

t.test(
  'the compiler is recognised in its repository; a service may have folders of the same names',
  async (t) => {
    for (const file of ['compiler/compiler.ts', 'contract/contract.ts', 'tools/diff/diff.ts'])
      t.ok(isCompiler(resolve('src', file)), file)
    t.notOk(isCompiler(resolve('src/main.ts')))
    const sources = t.testdir({ tools: { 'a.ts': '' } })
    t.notOk(isCompiler(resolve(sources, 'tools/a.ts'), sources))
  }
)

t.test('a package that is not installed is left to the service to report', async (t) => {
  const sources = t.testdir({ 'a.ts': "import x from 'none-of-this-name'\nawait import('fastify')\n" })
  t.strictSame(packageNames(sources), ['none-of-this-name', 'fastify'])
})

t.test(
  'a server that is started ahead can read a changed file of TypeScript at once, without a warning',
  async (t) => {
    const module = resolve('src/compiler/command/dev/preload-packages.ts')
    const code = `import { loadPackages } from '${module}'
  await loadPackages()
  console.log(process.moduleLoadList.some((name) => name.includes('amaro')), process.emitWarning.name)`
    const env = { ...process.env, NODE_COMPILE_CACHE: t.testdir({}) }
    const start = () =>
      promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], { env })
    await start()
    const { stdout, stderr } = await start()
    t.equal(stdout, 'true emitWarning\n', 'though all other files come from the cache')
    t.equal(stderr, '')
  }
)
