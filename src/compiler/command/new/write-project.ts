/** Writes a new folder completely or not at all: it gets its name when everything is in it. */
import { chmod, mkdir, mkdtemp, readdir, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Anything is there already. */
export class FolderTaken extends Error {}

/** @throws {FolderTaken} for anything but an empty folder */
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
 * @throws whatever `fill` throws; then nothing is left of it
 */
export async function writeFolder(folder: string, fill: (staging: string) => Promise<void>): Promise<void> {
  await assertIsFree(folder)
  const made = await mkdir(dirname(folder), { recursive: true })
  const staging = await mkdtemp(join(dirname(folder), `.${basename(folder)}-`))
  try {
    await fill(staging)
    await chmod(staging, 0o755)
    // An empty folder is replaced; one that was filled meanwhile is kept, and the rename fails.
    await rmdir(folder).catch(() => undefined)
    await rename(staging, folder)
  } catch (error) {
    await rm(made ?? staging, { recursive: true, force: true })
    throw error
  }
}

export async function writeTree(
  folder: string,
  files: Iterable<readonly [path: string, content: string | Buffer]>
): Promise<void> {
  for (const [path, content] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content, { flag: 'wx' })
  }
}
