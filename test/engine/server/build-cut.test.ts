/** Generated code that was cut off, or merged by git, does not start. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { generate } from '../../../src/compiler/compile/generate.ts'
import { boot, contractOf, project } from './built-project.ts'

t.setTimeout(900_000)

t.test('code that ends early does not start, wherever it ends', async (t) => {
  t.testdir({})
  for (const language of ['js', 'ts'] as const) {
    const folder = await project(t, contractOf(2), language)
    for (const name of ['operations', 'validators', 'serializers'].map((each) => `${each}.${language}`)) {
      const file = join(folder, 'generated', name)
      const own = readFileSync(file, 'utf8')
      for (const { index } of own.matchAll(/\n(?=.)/g)) {
        writeFileSync(file, own.slice(0, index + 1))
        await t.rejects(boot(t, folder), `${name} to ${index}`)
      }
      writeFileSync(file, own)
    }
  }
})

t.test('a merge of two branches does not start', async (t) => {
  t.testdir({})
  const folder = await project(t, contractOf(3))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
      cwd: folder,
      stdio: 'pipe'
    })
  const save = async (text: string) => {
    writeFileSync(join(folder, 'openapi.yaml'), text)
    await generate({ contract: join(folder, 'openapi.yaml'), out: join(folder, 'generated') })
    git('add', '.')
    git('commit', '--quiet', '--message', 'x')
  }
  git('init', '--quiet', '--initial-branch', 'main')
  await save(contractOf(3))
  git('checkout', '--quiet', '-b', 'other')
  await save(contractOf(3, '/b'))
  git('checkout', '--quiet', 'main')
  await save(contractOf(2))
  t.throws(() => git('merge', 'other'), { message: 'Command failed' })
  await t.rejects(boot(t, folder), { name: 'SyntaxError', stack: /contract\.ts:\d/ })
  git('checkout', '--ours', 'generated/contract.ts', 'generated/operations.js')
  await t.rejects(boot(t, folder), { name: 'BootError', message: 'validators.js' })
  git('checkout', '--theirs', 'generated')
  git('checkout', '--ours', 'generated/validators.js')
  await t.rejects(boot(t, folder), { name: 'BootError', message: /^validators.js in .* different builds/ })
})
