/** `npm run release -- --dry-run`: the versions, the changelog and the tarballs of the next version. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import t from 'tap'
import manifest from '../../package.json' with { type: 'json' }
import { shell } from './shell.ts'

t.setTimeout(900_000)

const project = resolve(import.meta.dirname, '../..')
const out = mkdtempSync(join(tmpdir(), 'release-'))
t.teardown(() => rmSync(out, { recursive: true }))

t.test('a dry run packs all packages of one next version, and changes nothing here', async (t) => {
  const state = () =>
    execFileSync('git', ['log', '-1', '--format=%H%d', '--', '.'], { cwd: project, encoding: 'utf8' })
  const files = () =>
    ['package.json', 'CHANGELOG.md'].map((name) => readFileSync(join(project, name), 'utf8'))
  const before = [state(), files()]
  const { code, output } = await shell(`npm run release -- --dry-run --out ${out}`, { folder: project })
  t.equal(code, 0, output)
  t.strictSame([state(), files()], before)
  const [, version = ''] = /^\+## (\d+\.\d+\.\d+) \(/m.exec(output) ?? []
  t.match(output, /^\+\* \*\*[\w-]+:\*\* .+ [\da-f]{7,}$/m, 'a line of the changelog')
  t.not(version, manifest.version)
  const names = ['engine', 'service', 'contract', 'compiler']
  t.strictSame(readdirSync(out).sort(), names.map((name) => `contract-first-${name}-${version}.tgz`).sort())
  for (const name of names) {
    const tarball = join(out, `contract-first-${name}-${version}.tgz`)
    const tar = (...args: string[]) => execFileSync('tar', [...args], { encoding: 'utf8' })
    const packed = JSON.parse(tar('-xOzf', tarball, 'package/package.json'))
    const files = tar('-tzf', tarball).trim().split('\n')
    for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE']) t.ok(files.includes(`package/${file}`), file)
    t.strictSame(
      files.filter((file) => /\.map$|(?<!\.d)\.ts$/.test(file)),
      [],
      'neither sources nor maps'
    )
    t.match(packed, { publishConfig: { access: 'public', provenance: true } })
    t.notOk('private' in packed)
    t.match(output, `+ @contract-first/${name}@${version}\n`, 'npm publish --dry-run')
    const others = Object.entries(packed.dependencies).filter(([each]) => each.startsWith('@contract-first/'))
    t.strictSame(
      [packed.version, ...others.map(([, each]) => each)],
      [packed.version, ...others.map(() => version)]
    )
    t.equal(packed.version, version, name)
  }
})
