/** `npm run test:node`: runs the tests that depend on Node on the oldest version that `engines` names. */
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { command, Mistake } from '@contract-first/cli/command'
import { inTreeCopy } from './cli/tree-copy.ts'

const version = '24.21.0'
/** HTTP below the routes, the start, the end and the examples of the README: where versions of Node differ. */
const tests = [
  'test/engine/server/transport/*.test.ts',
  'test/service/*.test.ts',
  'test/store/sqlite/*.test.ts',
  'test/e2e/{start,shutdown,ending,readme}.test.ts'
]

const usage = `usage: npm run test:node [-- FILE…]

  Installs Node ${version} in a temporary folder, and runs tests on it, in a copy of the tree.
  Without files: those of HTTP below the routes, of start and shutdown, of SQLite, and the examples
  of the README.`

const project = resolve(import.meta.dirname, '..')

await command({ usage, words: true }, async ({ words }) => {
  const packages = mkdtempSync(join(tmpdir(), 'node-'))
  try {
    const node = install(packages)
    const files = words.length > 0 ? words : globSync(tests, { cwd: project }).sort()
    await inTreeCopy(async (tree) => runTests(tree, node, files))
  } finally {
    rmSync(packages, { recursive: true, force: true })
  }
})

/**
 * Returns the path of the program. Its package for one platform, unlike `node`, needs no script at its installation.
 * @throws {Mistake} when npm cannot install it
 */
function install(folder: string): string {
  const name = `node-${process.platform}-${process.arch}`
  const options = ['--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--prefer-offline']
  const { status, stderr } = spawnSync('npm', ['install', ...options, `${name}@${version}`], {
    cwd: folder,
    encoding: 'utf8'
  })
  if (status !== 0) throw new Mistake([`npm does not install ${name} ${version}:\n${stderr}`])
  return join(folder, 'node_modules', name, 'bin/node')
}

function runTests(tree: string, node: string, files: readonly string[]): void {
  const binaries = join(tree, 'node_modules/.bin')
  putFirst(binaries, node)
  const env = {
    ...process.env,
    PATH: `${binaries}${delimiter}${process.env['PATH']}`,
    NODE_COMPILE_CACHE: join(tree, 'node_modules/.cache/compile')
  }
  const found = spawnSync('node', ['--version'], { cwd: tree, env, encoding: 'utf8' }).stdout.trim()
  console.log(`# Node ${found}`)
  if (found !== `v${version}`) throw new Mistake([`${found} runs instead of v${version}`])
  const { status } = spawnSync('node', ['scripts/test.ts', '--retry', ...files], {
    cwd: tree,
    env,
    stdio: 'inherit'
  })
  process.exitCode = status ?? 1
}

/** Makes the program the `node` of npm scripts: they look into this folder first. */
function putFirst(binaries: string, node: string): void {
  const installed = join(project, 'node_modules/.bin')
  rmSync(binaries)
  mkdirSync(binaries)
  for (const name of readdirSync(installed).filter((each) => each !== 'node'))
    symlinkSync(join(installed, name), join(binaries, name))
  symlinkSync(node, join(binaries, 'node'))
}
