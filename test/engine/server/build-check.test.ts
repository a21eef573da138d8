/** Generated code of one build starts; any mixture of two builds does not. */
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { generate } from '../../../src/compiler/compile/generate.ts'
import type { Contract } from '../../../src/engine/model/compiled-contract.ts'
import { checkBuild, checkLoaded } from '../../../src/engine/server/boot-checks.ts'
import { boot, contractOf, project } from './built-project.ts'

t.setTimeout(900_000)

const isGenerated = (name: string) => /\.[jt]s$/.test(name)

t.test('a file of another build does not start, whichever it is', async (t) => {
  t.testdir({})
  for (const language of ['js', 'ts'] as const) {
    const folder = await project(t, contractOf(2), language)
    await t.resolves(boot(t, folder))
    const names = readdirSync(join(folder, 'generated')).filter(isGenerated)
    t.equal(names.length, language === 'js' ? 10 : 8)
    for (const other of [contractOf(4), contractOf(4, '/b')]) {
      const foreign = await project(t, other, language)
      for (const name of names) {
        const file = join(folder, 'generated', name)
        const own = readFileSync(file)
        cpSync(join(foreign, 'generated', name), file)
        const message =
          name === 'contract.ts' ? /^client.*validators.* in .* and contract.ts are/ : `${name} in `
        await t.rejects(boot(t, folder), { name: 'BootError', message }, `${language} ${name}`)
        await t.rejects(boot(t, folder), { message: /different builds: run "npm run generate/ })
        const { differing } = await generate({
          contract: join(folder, 'openapi.yaml'),
          out: join(folder, 'generated'),
          check: true
        })
        t.ok(differing.includes(name), `--check finds ${name}`)
        writeFileSync(file, own)
      }
    }
  }
})

t.test('a bundle compares what it has loaded', async (t) => {
  t.testdir({})
  const folder = await project(t, contractOf(2))
  const foreign = await project(t, contractOf(4))
  for (const name of ['operations.js', 'validators.js', 'serializers.js']) {
    const file = join(folder, 'generated', name)
    const own = readFileSync(file)
    cpSync(join(foreign, 'generated', name), file)
    await t.rejects(boot(t, folder, true), { name: 'BootError', message: name })
    writeFileSync(file, own)
  }
  await t.resolves(boot(t, folder, true))
  const elsewhere = { build: { id: 'a', files: ['contract.ts'], loaded: { 'operations.js': 'a' } } }
  const contract = { ...elsewhere, sources: [] } as unknown as Contract
  checkBuild({ ...contract, url: pathToFileURL(join(folder, 'main.js')).href })
  checkBuild({ ...contract, url: pathToFileURL(join(folder, 'gone/contract.ts')).href })
  checkBuild({ ...contract, url: undefined })
  const code = { validators: {}, serializers: {} }
  checkLoaded(contract, code)
  t.throws(() => checkLoaded(contract, { ...code, builds: { 'x.js': 'b' } }), { name: 'BootError' })
})

t.test('a file that is missing, left from another language, truncated or of an older compiler', async (t) => {
  t.testdir({})
  const edits: [string, RegExp, (folder: string) => void][] = [
    ['missing', /\/ lacks requests\.js: run/, (folder) => rmSync(join(folder, 'requests.js'))],
    ['missing types', /\/ lacks types\.ts: run/, (folder) => rmSync(join(folder, 'types.ts'))],
    [
      'left',
      /^validators\.ts in/,
      (folder) => cpSync(join(folder, 'validators.js'), join(folder, 'validators.ts'))
    ],
    ['truncated', /^types\.ts in/, (folder) => writeFileSync(join(folder, 'types.ts'), '')],
    [
      'older',
      /^requests\.js in/,
      (folder) => {
        const text = readFileSync(join(folder, 'requests.js'), 'utf8')
        writeFileSync(join(folder, 'requests.js'), text.replace(/^\/\/ {3}build .*\n/m, ''))
      }
    ],
    [
      'moved',
      /lacks document\.js; other\.js in/,
      (folder) => renameSync(join(folder, 'document.js'), join(folder, 'other.js'))
    ]
  ]
  for (const [what, message, edit] of edits) {
    const folder = await project(t, contractOf(2))
    edit(join(folder, 'generated'))
    await t.rejects(boot(t, folder), { name: 'BootError', message }, what)
    const { differing } = await generate({
      contract: join(folder, 'openapi.yaml'),
      out: join(folder, 'generated')
    })
    t.equal(differing.length > 0, what !== 'left', what)
    await t.resolves(boot(t, folder), `${what}, repaired`)
  }
})

t.test('files of other origin and CRLF do not matter', async (t) => {
  t.testdir({})
  const folder = await project(t, contractOf(2))
  writeFileSync(join(folder, 'generated/own.js'), 'export {}\n')
  for (const name of readdirSync(join(folder, 'generated'))) {
    const file = join(folder, 'generated', name)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('\n', '\r\n'))
  }
  await t.resolves(boot(t, folder))
})
