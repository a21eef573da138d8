import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { type Files, tarball } from '../../../../src/tools/new/command/tarball.ts'

const files: Files = [
  ['package.json', Buffer.from('{}')],
  ['empty', Buffer.alloc(0)],
  ['a block', Buffer.alloc(512, 'b')],
  [`${'folder/'.repeat(20)}${'name'.repeat(20)}`, Buffer.alloc(513, 'c')]
]

t.test('tar unpacks every file, also one with a long path', async (t) => {
  const folder = t.testdir({})
  const file = join(folder, 'files.tgz')
  writeFileSync(file, tarball(files))
  const tar = (...args: readonly string[]) =>
    execFileSync('tar', [...args, '-zf', file], { encoding: 'utf8' })
  t.strictSame(
    tar('-t').trim().split('\n'),
    files.map(([path]) => `package/${path}`)
  )
  tar('-C', folder, '-x')
  for (const [path, content] of files) t.same(readFileSync(join(folder, 'package', path)), content, path)
})
