/** Writes generated files, all or none, and lists those that differ. */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { kill, pid } from 'node:process'
import { firstLine } from '@contract-first/engine/model'

/** @returns the names of files that are missing or differ in the folder, and of further generated files in it */
export async function differingFiles(files: ReadonlyMap<string, string>, folder: string): Promise<string[]> {
  const differing: string[] = []
  // One after another, because the files of a large contract take as much memory again.
  for (const [name, text] of files) if ((await currentText(join(folder, name))) !== text) differing.push(name)
  return [...differing, ...(await leftFiles(new Set(files.keys()), folder))]
}

/** Finds files that an earlier generation in another language has left. */
async function leftFiles(names: ReadonlySet<string>, folder: string): Promise<string[]> {
  const found = (await readdir(folder).catch(() => [])).sort()
  const others = found.filter((name) => /\.[jt]s$/.test(name) && !names.has(name))
  const left = await Promise.all(
    others.map(async (name) =>
      String(await currentText(join(folder, name))).startsWith(firstLine) ? [name] : []
    )
  )
  return left.flat()
}

/** Returns true when a run would remove anything from the folder of the files with these names. */
export async function hasLeftovers(names: ReadonlySet<string>, folder: string): Promise<boolean> {
  const found = await readdir(folder)
  return found.some((name) => name.startsWith(stagingPrefix)) || (await leftFiles(names, folder)).length > 0
}

async function currentText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    return undefined
  }
}

/**
 * Writes all files into a folder beside the old ones first, so that a full disk leaves the old files; then renames
 * them. A process that ends in between leaves files of two builds, which the boot refuses and the next run replaces.
 * @returns the names of the files that changed; others are not touched
 */
export async function writeFiles(files: ReadonlyMap<string, string>, folder: string): Promise<string[]> {
  await makeFolder(folder)
  await removeAbandoned(folder)
  const changed = await differingFiles(files, folder)
  if (changed.length === 0) return changed
  const staging = await mkdtemp(join(folder, `${stagingPrefix}${pid}-`))
  try {
    for (const [name, text] of files) if (changed.includes(name)) await writeFile(join(staging, name), text)
    for (const name of inOrder(changed))
      if (files.has(name)) await rename(join(staging, name), join(folder, name))
      else await rm(join(folder, name))
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
  return changed.filter((name) => files.has(name))
}

/** Puts the file that names the build last. */
const inOrder = (names: readonly string[]): readonly string[] => [
  ...names.filter((name) => name !== 'contract.ts'),
  ...names.filter((name) => name === 'contract.ts')
]

const stagingPrefix = '.generate-'

/** Removes the staging folders of processes that were killed; their names hold the process id. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith(stagingPrefix) && !isRunning(Number.parseInt(name.slice(stagingPrefix.length), 10)))
      await rm(join(folder, name), { recursive: true, force: true })
}

function isRunning(id: number): boolean {
  try {
    return kill(id, 0)
  } catch (error) {
    // Another user's process. Without a number in the name, kill throws a TypeError.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Makes a folder and its parents. Node's own recursive mkdir never ends if mkdir fails with ENOENT, as below /proc. */
async function makeFolder(path: string): Promise<void> {
  if ((await found(dirname(path))) === undefined) await makeFolder(dirname(path))
  try {
    await mkdir(path)
  } catch (error) {
    if ((await found(path))?.isDirectory() !== true) throw error
  }
}

const found = (path: string) => stat(path).catch(() => undefined)
