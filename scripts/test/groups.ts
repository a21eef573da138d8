/** Decides which test files share a process: loading Node, tap and the code under test takes longer than most of them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Suites } from './suites.ts'

export type Group = readonly string[]

/** Maximum of files in a process: 32 take 0.61 to 0.84 of the CPU time of four times 8. */
const maxFiles = 32
/** CPU time from which a file has a process of its own, which runs beside the others. */
const minSecondsAlone = 3
/** Text of files that run the type checker, which reads the engine and its packages once in a process. */
const usesTypeChecker = /^import .* from '[^']*\/(?:type-check|batch)\.ts'$/m
/** CPU time of a file that has no row in the table. */
const minSeconds = 0.5
/**
 * Text of files that change their process, end it, measure it or trace its calls, and of those that wait for a database or a
 * service: each has a process of its own.
 */
const changesProcess =
  /\bprocess\.(?:env|on|chdir|kill|exit|cpuUsage|listeners)\b|\bmock\.timers\b|cpu-time|assertLinear|expose-gc|opentelemetry|\/tracing\/|\bCluster\b|startPair|\/running\.ts/

/** Returns the files in groups, the slowest first; the files of a group are all of them measured, or none. */
export function inGroups(files: readonly string[], project: string, suites: Suites): Group[] {
  const kindOf = (file: string): string => {
    const text = readFileSync(join(project, file), 'utf8')
    if (changesProcess.test(text)) return file
    if (usesTypeChecker.test(text)) return `types, measured: ${suites.isMeasured(file)}`
    return suites.rowOf(file).seconds >= minSecondsAlone ? file : `measured: ${suites.isMeasured(file)}`
  }
  const groups = Object.values(Object.groupBy(files.toSorted(), kindOf)).flatMap((group = []) => parts(group))
  const secondsOf = (group: Group) =>
    group.reduce((sum, file) => sum + Math.max(minSeconds, suites.rowOf(file).seconds), 0)
  return groups.sort((a, b) => secondsOf(b) - secondsOf(a))
}

/** Returns parts of about the same size. */
function parts(files: Group): Group[] {
  const count = Math.ceil(files.length / maxFiles)
  const size = Math.ceil(files.length / count)
  return Array.from({ length: count }, (_, index) => files.slice(index * size, (index + 1) * size))
}
