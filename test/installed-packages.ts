/**
 * The packages of test/packages/, which only the full suite and `npm run release` need: `npm ci` installs a quarter less
 * without them. They are installed at their first use, once for each lock file, below node_modules/: `npm ci` removes
 * them, and copies of the tree share them.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, readFile, realpath } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Mistake } from '@contract-first/cli/command'
import { madeOnce } from './made-once.ts'

const manifests = join(import.meta.dirname, 'packages')
const cache = resolve(import.meta.dirname, '../node_modules/.cache')

/**
 * Returns their folder, in which each has its name.
 * @throws {Mistake} when npm cannot install them
 */
export async function installedPackages(): Promise<string> {
  const lock = await readFile(join(manifests, 'package-lock.json'))
  const folder = join(cache, `test-packages-${createHash('sha256').update(lock).digest('hex').slice(0, 8)}`)
  await madeOnce(folder, install)
  // Not the path in a copy of the tree, which has a link to the folder and ends before it.
  return join(await realpath(folder), 'node_modules')
}

async function install(folder: string): Promise<void> {
  console.error(
    '# installs Chromium, PostgreSQL, Scalar and the release tool, once: 170 MB, test/packages/package.json'
  )
  await cp(manifests, folder, { recursive: true })
  try {
    await promisify(execFile)('npm', [
      'ci',
      '--prefix',
      folder,
      '--no-audit',
      '--no-fund',
      '--prefer-offline'
    ])
  } catch (error) {
    throw new Mistake([`the packages of test/packages/package.json are not installed: ${error}`])
  }
}
