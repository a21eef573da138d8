/** The packages of this engine as tarballs, for `vendor/` of a new project. */
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { packageFolders, packPackages } from '../pack/pack-packages.ts'
import type { Locked } from './lock.ts'

export interface PackedPackage {
  /** Package name: `@contract-first/engine`. */
  readonly name: string
  /** Path in the new project: `vendor/contract-first-engine-1.0.0.tgz`. */
  readonly path: string
  readonly bytes: Buffer
  /** Entry of the package in a lock file. */
  readonly locked: Locked
}

/** Packs the packages that this command belongs to. */
export async function ownPackages(folders = packageFolders()): Promise<readonly PackedPackage[]> {
  const folder = await mkdtemp(join(tmpdir(), 'new-project-'))
  try {
    await packPackages(folder, folders)
    return await packedPackages(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Reads every tarball of a folder. */
export async function packedPackages(folder: string): Promise<readonly PackedPackage[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.tgz')).sort()
  return Promise.all(files.map(async (file) => packed(`vendor/${file}`, await readFile(join(folder, file)))))
}

function packed(path: string, bytes: Buffer): PackedPackage {
  const manifest = manifestIn(bytes)
  const { name, version, license, bin, engines } = manifest
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = manifest
  const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`
  const members = {
    ...{ version, resolved: `file:${path}`, integrity, license, dependencies },
    ...{ bin, engines, optionalDependencies, peerDependencies, peerDependenciesMeta }
  }
  const locked = Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
  return { name: String(name), path, bytes, locked }
}

const blockSize = 512

/** Reads package.json, a member of every package (POSIX.1-1988 tar, as npm writes it). */
function manifestIn(tarball: Buffer): Locked {
  const bytes = gunzipSync(tarball)
  for (let at = 0; at + blockSize <= bytes.length; ) {
    const name = bytes.toString('utf8', at, at + 100).replace(/\0.*/s, '')
    const size = Number.parseInt(bytes.toString('ascii', at + 124, at + 136), 8) || 0
    const start = at + blockSize
    if (name === 'package/package.json') return JSON.parse(bytes.toString('utf8', start, start + size))
    at = start + Math.ceil(size / blockSize) * blockSize
  }
  throw new Error('the tarball has no package.json')
}
