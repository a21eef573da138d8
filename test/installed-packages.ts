/**
 * The packages of test/packages/, which only the full suite needs: `npm ci` installs a quarter less without them. They
 * are installed at their first use, once for each lock file, below node_modules/: `npm ci` removes them, and copies of
 * the tree share them.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, realpath, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Mistake } from '@contract-first/cli/command'

const manifests = join(import.meta.dirname, 'packages')
const cache = resolve(import.meta.dirname, '../node_modules/.cache')

/**
 * Returns their folder, in which each has its name.
 * @throws {Mistake} when npm cannot install them
 */
export async function installedPackages(): Promise<string> {
  const lock = await readFile(join(manifests, 'package-lock.json'))
  const folder = join(cache, `test-packages-${createHash('sha256').update(lock).digest('hex').slice(0, 8)}`)
  if (!existsSync(folder)) await install(folder)
  // Not the path in a copy of the tree, which has a link to the folder and ends before it.
  return join(await realpath(folder), 'node_modules')
}

/**
 * Installs into a temporary folder and renames it: several tests may start at once, and any of them may be interrupted.
 */
async function install(folder: string): Promise<void> {
  console.error(
    '# installs Chromium, PostgreSQL and Scalar for the full suite, once: 160 MB, test/packages/package.json'
  )
  await mkdir(cache, { recursive: true })
  const ours = await mkdtemp(`${folder}-`)
  await cp(manifests, ours, { recursive: true })
  try {
    await promisify(execFile)('npm', ['ci', '--prefix', ours, '--no-audit', '--no-fund', '--prefer-offline'])
  } catch (error) {
    await rm(ours, { recursive: true })
    throw new Mistake([`the packages of test/packages/package.json are not installed: ${error}`])
  }
  await rename(ours, folder).catch(() => rm(ours, { recursive: true }))
}
