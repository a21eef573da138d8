/** Writes generated files, all or none, and tells what differs. */
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Names of the files that are missing from the folder or differ from what would be written. */
export async function differingFiles(files: ReadonlyMap<string, string>, folder: string): Promise<string[]> {
  const differing = await Promise.all(
    [...files].map(async ([name, text]) => ((await currentText(join(folder, name))) === text ? [] : [name]))
  )
  return differing.flat()
}

async function currentText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    return undefined
  }
}

/**
 * Everything is written beside its place first, so that a full disk leaves the old files; then it is renamed into it.
 * Files that would not change are not touched. @returns the names of those that did
 */
export async function writeFiles(files: ReadonlyMap<string, string>, folder: string): Promise<string[]> {
  await makeFolder(folder)
  const changed = await differingFiles(files, folder)
  if (changed.length === 0) return changed
  const staging = await mkdtemp(join(folder, '.generate-'))
  try {
    for (const [name, text] of files) if (changed.includes(name)) await writeFile(join(staging, name), text)
    for (const name of changed) await rename(join(staging, name), join(folder, name))
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
  return changed
}

/** Node's own recursive one never ends where the file system refuses a folder with ENOENT, as /proc does. */
async function makeFolder(path: string): Promise<void> {
  if ((await found(dirname(path))) === undefined) await makeFolder(dirname(path))
  try {
    await mkdir(path)
  } catch (error) {
    if ((await found(path))?.isDirectory() !== true) throw error
  }
}

const found = (path: string) => stat(path).catch(() => undefined)
