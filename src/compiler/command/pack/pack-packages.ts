/** Packs the packages of this engine with npm, for projects that install them from files. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { writePackage } from './write-package.ts'

const run = promisify(execFile)

/** Package names in the order of their dependencies. */
const names = ['engine', 'cli', 'service', 'compiler'] as const

/** Returns the folders of the packages that this file belongs to. */
export const packageFolders = (): string[] =>
  names.map((name) => dirname(fileURLToPath(import.meta.resolve(`@contract-first/${name}/package.json`))))

/**
 * Writes a tarball of each package. Packages that are sources, as in this repository, are compiled first.
 * @param destination folder, which is created
 */
export async function packPackages(destination: string, folders = packageFolders()): Promise<void> {
  const staging = await mkdtemp(join(tmpdir(), 'packages-'))
  try {
    await compile(folders.filter(isSource))
    const packed = folders.map((folder) => (isSource(folder) ? staged(folder, staging) : folder))
    await mkdir(destination, { recursive: true })
    await run('npm', ['pack', '--ignore-scripts', '--pack-destination', destination, ...packed])
  } finally {
    await rm(staging, { recursive: true })
  }
}

const isSource = (folder: string): boolean => existsSync(join(folder, 'tsconfig.package.json'))

function staged(folder: string, staging: string): string {
  const target = join(staging, basename(folder))
  writePackage(folder, target)
  return target
}

/** Compiles packages and their dependencies; unchanged files are not compiled again. */
export async function compile(folders: readonly string[]): Promise<void> {
  if (folders.length === 0) return
  const compiler = fileURLToPath(import.meta.resolve('typescript/bin/tsc'))
  const projects = folders.map((folder) => join(folder, 'tsconfig.package.json'))
  await run(process.execPath, [compiler, '-b', ...projects])
}
