import { existsSync, readFileSync } from 'node:fs'

/** Returns true if this process has mapped the file into memory (Linux, proc_pid_maps(5)); always false elsewhere. */
export function isMapped(path: string): boolean {
  const maps = '/proc/self/maps'
  return existsSync(maps) && readFileSync(maps, 'utf8').includes(`${path}\n`)
}
