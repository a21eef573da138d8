/** Memory of a process. */
import { readFileSync } from 'node:fs'

/** Returns the peak resident memory in MB; Linux only (proc_pid_status(5)). */
export function residentMegabytes(pid = 0): number {
  try {
    // The file is gone after the end of the process.
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024
  } catch {
    return 0
  }
}
