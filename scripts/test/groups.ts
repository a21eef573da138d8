/** Decides which test files share a process: loading Node, tap and the code under test takes longer than most of them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { slowest } from './order.ts'

export type Group = readonly string[]

const maxFiles = 8
/**
 * Text of files that change their process, end it, measure it or trace its calls, and of those that wait for a database or a
 * service: each has a process of its own.
 */
const changesProcess =
  /\bprocess\.(?:env|on|chdir|kill|exit|cpuUsage|listeners)\b|\bmock\.timers\b|cpu-time|assertLinear|expose-gc|opentelemetry|\/tracing\/|\bCluster\b|startPair|\/running\.ts/

/**
 * Returns the files in the same order, in groups; those of a group are all of them measured for the coverage, or none.
 * @param isMeasured true if the coverage of a file counts
 */
export function inGroups(
  files: readonly string[],
  project: string,
  isMeasured: (file: string) => boolean
): Group[] {
  const kindOf = (file: string) => (isAlone(file, project) ? file : `several ${isMeasured(file)}`)
  return Object.values(Object.groupBy(files, kindOf)).flatMap((group = []) => parts(group))
}

const isAlone = (file: string, project: string): boolean =>
  slowest.includes(file) || changesProcess.test(readFileSync(join(project, file), 'utf8'))

const parts = (files: Group): Group[] =>
  Array.from({ length: Math.ceil(files.length / maxFiles) }, (_, index) =>
    files.slice(index * maxFiles, (index + 1) * maxFiles)
  )
