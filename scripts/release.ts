/** `npm run release`: versions, changelog and tarballs of all packages, from the commits since the last version. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { command } from '@contract-first/cli/command'
import manifest from '../package.json' with { type: 'json' }
import { installedPackages } from '../test/installed-packages.ts'
import { linkPackages } from '../test/link-packages.ts'

const usage = `usage: npm run release [-- OPTION]

  Raises the version of all packages by the commits since the tag of the last version, adds them to
  CHANGELOG.md, commits and tags that, and packs the packages. Publishes nothing: docs/releases.md describes it.`
const options = {
  '--dry-run':
    'in a copy of the last commit: prints the changes, leaves only the tarballs, and tries to publish them',
  '--since REV': `commit of version ${manifest.version}, where the tag v${manifest.version} is missing`,
  '--out DIR': 'where the tarballs go [packages]'
}

const project = resolve(import.meta.dirname, '..')

await command({ usage, options }, async ({ is, value }) => {
  const out = resolve(value('out') ?? 'packages')
  const tree = is('dry-run') ? mkdtempSync(join(tmpdir(), 'release-')) : project
  const run = (...[file = '', ...args]: string[]) => execFileSync(file, args, { cwd: tree, stdio: 'inherit' })
  try {
    if (tree !== project) {
      run('git', 'clone', '--quiet', project, '.')
      linkPackages(tree)
    }
    const since = value('since')
    if (since !== undefined) run('git', 'tag', `v${manifest.version}`, since)
    const tool = join(await installedPackages(), '.bin/commit-and-tag-version')
    run(tool, ...(tree === project ? [] : ['--skip.commit', '--skip.tag']))
    if (tree !== project) run('git', '--no-pager', 'diff', '--unified=0')
    run('node', 'scripts/pack.ts', '--out', out)
    const { version } = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8'))
    const tarballs = readdirSync(out).filter((name) => name.endsWith(`-${version}.tgz`))
    if (tree !== project)
      for (const name of tarballs) run('npm', 'publish', '--dry-run', '--loglevel', 'warn', join(out, name))
  } finally {
    if (tree !== project) rmSync(tree, { recursive: true })
  }
})
