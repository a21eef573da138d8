/** Memory of a process. */
import { readFileSync } from 'node:fs'

/** The most that was resident so far; Linux only (proc_pid_status(5)). */
export function residentMegabytes(pid = 0): number {
  try {
    // A process that is ending has none.
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024
  } catch {
    return 0
  }
}
