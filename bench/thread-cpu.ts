/** CPU time of a process by thread. Linux only: proc_pid_schedstat(5) counts nanoseconds for living threads. */
import { readdirSync, readFileSync } from 'node:fs'

/** CPU time in microseconds by the work of the threads. */
export type ThreadCpu = ReadonlyMap<string, number>

export function threadCpu(pid: number): ThreadCpu {
  const sums = new Map<string, number>()
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const [name, microseconds] = readThread(pid, thread)
    sums.set(name, (sums.get(name) ?? 0) + microseconds)
  }
  return sums
}

/** @returns the CPU time of each thread since an earlier reading, divided by a number of requests */
export function cpuPerRequest(before: ThreadCpu, after: ThreadCpu, requests: number): ThreadCpu {
  return new Map([...after].map(([name, sum]) => [name, (sum - (before.get(name) ?? 0)) / requests]))
}

export function total(cpu: ThreadCpu): number {
  return [...cpu.values()].reduce((sum, each) => sum + each, 0)
}

function readThread(pid: number, thread: string): readonly [string, number] {
  try {
    const folder = `/proc/${pid}/task/${thread}`
    const [nanoseconds] = readFileSync(`${folder}/schedstat`, 'utf8').split(' ')
    const name = thread === String(pid) ? 'event loop' : nameOf(readFileSync(`${folder}/comm`, 'utf8'))
    return [name, Number(nanoseconds) / 1_000]
  } catch {
    // The thread has ended.
    return ['others', 0]
  }
}

function nameOf(comm: string): string {
  if (comm.startsWith('WorkerThread')) return 'SQLite'
  return comm.startsWith('node-V8Worker') ? 'V8' : 'others'
}
