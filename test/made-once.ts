/** Folders that are made once and kept, for all tests and all later runs. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder unless it is there: in a temporary one, which is renamed, because several tests may start at once, and
 * any of them may be interrupted.
 */
export async function madeOnce(folder: string, make: (unfinished: string) => Promise<void>): Promise<void> {
  if (existsSync(folder)) return
  await mkdir(dirname(folder), { recursive: true })
  const ours = await mkdtemp(`${folder}-`)
  try {
    await make(ours)
  } catch (error) {
    await rm(ours, { recursive: true })
    throw error
  }
  await rename(ours, folder).catch(() => rm(ours, { recursive: true }))
}
