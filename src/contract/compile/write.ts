/** Writes generated files, all or none, and tells what differs. */
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

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
  await mkdir(folder, { recursive: true })
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
