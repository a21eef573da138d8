/** Makes the package-lock.json of a new project: from the lock file beside this package, otherwise with npm. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Mistake } from '@contract-first/cli/command'
import type { Manifest } from './files/manifest.ts'
import { type Locked, lockFor, NotLocked, type Packages } from './lock.ts'
import type { PackedPackage } from './packages.ts'

const run = promisify(execFile)

export interface LockOptions {
  readonly manifest: Manifest
  readonly tarballs: readonly PackedPackage[]
  /** Packages of a lock file that may hold everything the project needs. */
  readonly packages: Packages
}

/**
 * Writes package-lock.json into the folder.
 * @throws {Mistake} when npm cannot find a package
 */
export async function makeLock(folder: string, options: LockOptions): Promise<void> {
  try {
    await writeFile(join(folder, 'package-lock.json'), `${JSON.stringify(lockOf(options), null, 2)}\n`)
  } catch (error) {
    if (!(error instanceof NotLocked)) throw error
    await npmLock(folder)
  }
}

function lockOf({ manifest, tarballs, packages }: LockOptions): object {
  const { name, version, os, dependencies, devDependencies, engines } = manifest
  const root = { name, version, os, dependencies, devDependencies, engines } as Locked
  return lockFor(packages, { root, own: new Map(tarballs.map((each) => [each.name, each.locked])) })
}

/** Asks the registry that npm is configured to use. */
async function npmLock(folder: string): Promise<void> {
  const args = ['install', '--package-lock-only', '--ignore-scripts', '--prefer-offline']
  await run('npm', args, { cwd: folder }).catch(({ stderr }) => {
    const problem = `npm finds no versions for the packages of the project:\n${String(stderr).trim()}`
    throw new Mistake([problem], { next: 'nothing was written; npm needs its registry for this once' })
  })
}

/** Returns the packages in the lock file of the project that contains or installed this package. */
export async function nearestLock(folder = import.meta.dirname): Promise<Packages> {
  const file = join(folder, 'package-lock.json')
  if (existsSync(file)) return Object(JSON.parse(await readFile(file, 'utf8'))).packages ?? {}
  return dirname(folder) === folder ? {} : nearestLock(dirname(folder))
}
