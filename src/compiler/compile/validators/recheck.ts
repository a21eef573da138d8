/** Runs recheck, which finds out how the time of a regular expression grows with the length of a text. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { threadCpuUsage } from 'node:process'
import { compileFunction } from 'node:vm'
import type { checkSync, Parameters } from 'recheck'

interface Recheck {
  readonly checkSync: typeof checkSync
}

/**
 * Limits of one check. They count steps, and the time-out, in milliseconds, counts CPU time, so that an answer does not
 * depend on the load of the machine.
 */
const limits: Parameters = {
  timeout: 2000,
  attackTimeout: null,
  attackLimit: 10_000_000,
  incubationTimeout: null,
  incubationLimit: 10_000,
  maxIteration: 5
}

let recheck: Recheck | undefined

/**
 * @returns the degree of the polynomial: 1 for linear time, 2 for quadratic time and so on, Infinity for exponential
 *   time; undefined without an answer
 */
export function degreeOf(source: string, flags: string): number | undefined {
  recheck ??= load()
  try {
    const found = recheck.checkSync(source, flags, limits)
    if (found.status === 'unknown') return undefined
    if (found.complexity.type === 'exponential') return Infinity
    return found.complexity.type === 'polynomial' ? found.complexity.degree : 1
  } catch {
    return undefined // a RangeError: the pattern is nested too deeply
  }
}

/** Returns the CPU time of this thread in milliseconds. */
export function cpuTime(): number {
  const { user, system } = threadCpuUsage()
  return (user + system) / 1000
}

/**
 * Loads the build for browsers, which starts no other process, with CPU time as its clock. It is loaded late, because
 * that takes longer than compiling a small contract.
 */
function load(): Recheck {
  const path = createRequire(import.meta.url).resolve('recheck/lib/browser.js')
  const module: { exports?: Recheck } = {}
  compileFunction(readFileSync(path, 'utf8'), ['module', 'performance'])(module, { now: cpuTime })
  return module.exports as Recheck
}
