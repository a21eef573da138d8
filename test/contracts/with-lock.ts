/** Lets one process at a time do a piece of work, by a lock file that holds its process id. */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const pollMs = 100

/** Waits for the lock, does the work, and removes the lock. The lock of a process that has ended counts as free. */
export async function withLock<T>(lock: string, work: () => Promise<T>): Promise<T> {
  while (!(await takeLock(lock))) await sleep(pollMs)
  // By force, because two processes that waited for one that has ended may both have taken the lock.
  return work().finally(() => rm(lock, { force: true }))
}

/** @returns true if this process has the lock now */
async function takeLock(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const holder = Number(await readFile(lock, 'utf8').catch(() => process.pid))
    if (!isAlive(holder)) await rm(lock, { force: true })
    return false
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
