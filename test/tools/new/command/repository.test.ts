/** The git repository of a new project, made by the git of this machine with settings of its own. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { makeRepository } from '../../../../src/tools/new/command/write.ts'

/** Sets variables of this process for one test. */
function withVariables(t: Test, variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) {
    const before = process.env[name]
    process.env[name] = value
    t.teardown(() => {
      if (before === undefined) delete process.env[name]
      else process.env[name] = before
    })
  }
}

/** Returns a folder with a file, outside of every repository, and sets the settings of git for all repositories. */
function project(t: Test, settings = '[user]\nname = Test\nemail = test@plants.example\n'): string {
  const root = mkdtempSync(join(realpathSync(tmpdir()), 'repository-'))
  t.teardown(() => rmSync(root, { recursive: true }))
  const folder = join(root, 'project')
  mkdirSync(folder)
  writeFileSync(join(root, 'gitconfig'), settings)
  withVariables(t, { GIT_CONFIG_GLOBAL: join(root, 'gitconfig'), GIT_CONFIG_SYSTEM: '/dev/null' })
  for (const [name, text] of [
    ['file', 'x'],
    ['ignored', 'x'],
    ['.gitignore', 'ignored\n']
  ] as const)
    writeFileSync(join(folder, name), text)
  return folder
}

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()

t.test('a project is committed whole, but for what .gitignore names', async (t) => {
  const folder = project(t)
  t.equal(await makeRepository(folder), 'a repository with a first commit')
  t.equal(git(folder, 'ls-files'), '.gitignore\nfile')
  t.equal(git(folder, 'status', '--porcelain'), '')
  t.equal(git(folder, 'log', '--format=%an %s %D'), 'Test Make the project with npm run new HEAD -> main')
})

t.test('neither a signature nor a hook of the machine is asked for', async (t) => {
  const settings =
    '[user]\nname = Test\nemail = test@plants.example\n[commit]\ngpgsign = true\n[gpg]\nprogram = false\n'
  t.equal(await makeRepository(project(t, settings)), 'a repository with a first commit')
})

t.test('variables of another repository, as in a hook, do not count', async (t) => {
  const [folder, other] = [project(t), project(t)]
  git(other, 'init', '--quiet')
  withVariables(t, { GIT_DIR: join(other, '.git'), GIT_INDEX_FILE: join(other, '.git/index') })
  t.equal(await makeRepository(folder), 'a repository with a first commit')
})

t.test('a project within a repository stays a part of it', async (t) => {
  const folder = project(t)
  const root = join(folder, '..')
  git(root, 'init', '--quiet')
  t.equal(await makeRepository(folder), `part of the repository ${root}: commit it there`)
  t.match(git(root, 'status', '--porcelain'), '?? project/')
})

t.test('a sentence says what git lacks', async (t) => {
  const folder = project(t, '[user]\nuseConfigOnly = true\n')
  t.match(await makeRepository(folder), /^a repository without a commit: set user\.name and user\.email/)
  const broken = project(t, '[user\n')
  t.match(await makeRepository(broken), /^no commit: fatal: bad config line 1 in file/)
  writeFileSync(join(folder, 'git'), 'not executable')
  withVariables(t, { PATH: folder })
  t.equal(await makeRepository(folder), 'no commit: spawn git EACCES')
  withVariables(t, { PATH: join(folder, 'nothing') })
  t.equal(await makeRepository(folder), 'no repository, because git is not installed; npm run diff needs one')
})
