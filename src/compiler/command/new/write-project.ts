/** Writes a new folder completely or not at all: the finished folder is renamed to its name. */
import { chmod, mkdir, mkdtemp, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** The path already exists, and is not an empty folder. */
export class FolderTaken extends Error {}

/** @throws {FolderTaken} unless the path is free or an empty folder */
export async function assertIsFree(folder: string): Promise<void> {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    if (error.code === 'ENOTDIR') throw new FolderTaken('there is a file of this name')
    throw error
  })
  if (found.length > 0) throw new FolderTaken('it is not empty')
}

/**
 * @param fill writes the files into a folder beside the new one
 * @throws the error that `fill` throws; the written files are removed then
 */
export async function writeFolder(folder: string, fill: (staging: string) => Promise<void>): Promise<void> {
  await assertIsFree(folder)
  const made = await mkdir(dirname(folder), { recursive: true })
  const staging = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`))
  try {
    await fill(staging)
    await chmod(staging, 0o755)
    // rename replaces an empty folder; it fails for one that another process has filled meanwhile.
    await rmdir(folder).catch(() => undefined)
    await rename(staging, folder)
  } catch (error) {
    await rm(made ?? staging, { recursive: true, force: true })
    throw error
  }
}

export async function writeTree(
  folder: string,
  files: Iterable<readonly [path: string, content: string | Buffer, mode?: number]>
): Promise<void> {
  for (const [path, content, mode = 0o666] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content, { flag: 'wx', mode })
  }
}
