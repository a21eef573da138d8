/** Runs recheck, which finds out how the time of a regular expression grows with the length of a text. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { threadCpuUsage } from 'node:process'
import { compileFunction } from 'node:vm'
import type { Parameters } from 'recheck'

type Recheck = Pick<typeof import('recheck'), 'checkSync'>

/** Clock of the check that runs, in milliseconds. */
let clock = cpuTime

/** Steps of trials that count as a millisecond of CPU time: they take about two. */
const stepsPerMillisecond = 500

/**
 * Limits of one check, none of them in time on the clock: the time-out, in milliseconds, counts the CPU time of an
 * analysis, and the steps of trials. So an answer does not depend on the load of the machine, and by trial, for
 * assertions and references, not on its speed: trials take long.
 */
const limits: Parameters = {
  timeout: 2000,
  attackTimeout: null,
  attackLimit: 10_000_000,
  incubationTimeout: null,
  incubationLimit: 10_000,
  maxIteration: 5,
  logger(message) {
    if (!message.startsWith('fuzz: start')) return
    let steps = cpuTime() * stepsPerMillisecond
    clock = () => steps++ / stepsPerMillisecond
  }
}

let recheck: Recheck | undefined

/** @returns the degree of polynomial time, Infinity for exponential time; undefined without an answer */
export function degreeOf(source: string, flags: string): number | undefined {
  recheck ??= load()
  clock = cpuTime
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

/** Loads the build for browsers, which starts no other process; late, because that takes longer than a small contract. */
function load(): Recheck {
  const path = createRequire(import.meta.url).resolve('recheck/lib/browser.js')
  const module = {} as { readonly exports: Recheck }
  compileFunction(readFileSync(path, 'utf8'), ['module', 'performance'])(module, { now: () => clock() })
  return module.exports
}
