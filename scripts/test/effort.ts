/** Measures what a test file costs: CPU time, and the programs that it starts. */
import childProcess from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

export interface Effort {
  /** CPU time of the process and of the processes that it has started and that have ended. */
  readonly cpuMs: number
  /** Beginnings of the command lines of the processes that it has started: the first of them, each once. */
  readonly programs: readonly string[]
}

/** Length of a tick of the clock in /proc, which is the same on each architecture of Linux. */
const tickMs = 10
const mark = '# effort: '
let programs: string[] = []

/** Most programs that are listed, and the length of each: a pipe holds no more of a process that ends. */
const [maxPrograms, maxLength] = [50, 200]

function list(line: string): void {
  const program = line.slice(0, maxLength)
  if (programs.length < maxPrograms && !programs.includes(program)) programs.push(program)
}

/** Begins to list the programs. Node publishes those of `spawn`, but not those that block the event loop. */
export function listPrograms(): void {
  subscribe('tracing:child_process.spawn:start', (message) => {
    const { process } = message as { readonly process: { readonly spawnargs?: readonly string[] } }
    list((process.spawnargs ?? []).join(' '))
  })
  for (const name of ['spawnSync', 'execFileSync', 'execSync'] as const) {
    const start = childProcess[name] as (...given: readonly unknown[]) => unknown
    const listed = (...given: readonly unknown[]) => {
      const [command, args] = given
      list([command, ...(Array.isArray(args) ? args : [])].join(' '))
      return start(...given)
    }
    Object.assign(childProcess, { [name]: listed })
  }
  syncBuiltinESMExports()
}

/** Returns a function that returns the effort since this call. */
export function effortFromHere(): () => Effort {
  const started = cpuMs()
  programs = []
  return () => ({ cpuMs: cpuMs() - started, programs })
}

/** Linux counts the CPU time of ended children: proc_pid_stat(5), fields 14 to 17. Elsewhere that of this process counts. */
function cpuMs(): number {
  try {
    const [, fields = ''] = readFileSync('/proc/self/stat', 'utf8').split(') ')
    const ticks = fields.split(' ').slice(11, 15)
    return tickMs * ticks.reduce((sum, each) => sum + Number(each), 0)
  } catch {
    const { user, system } = process.cpuUsage()
    return Math.round((user + system) / 1000)
  }
}

/** Returns a comment for the output of a test file. */
export const commentOf = (effort: Effort): string => mark + JSON.stringify(effort)

/** Returns the effort that the output of a test file reports; undefined if its process has ended early. */
export function effortIn(output: string): Effort | undefined {
  const at = output.lastIndexOf(mark)
  return at < 0 ? undefined : JSON.parse(output.slice(at + mark.length).split('\n', 1)[0] ?? '')
}
