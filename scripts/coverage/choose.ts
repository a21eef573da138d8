/**
 * Chooses the test files whose coverage is measured: the cheapest that together reach the bounds of the gate. Measuring all
 * of them would take twice the CPU time and find what few of them find.
 */
import { matchesGlob, relative } from 'node:path'
import type { Code } from './code.ts'
import { codesOf, reportOf, wholeRooms } from './gate.ts'
import { add, type Covered } from './v8-coverage.ts'

/** Coverage of one test file, and its cost. */
export interface Candidate {
  readonly file: string
  /** CPU time in milliseconds. */
  readonly cost: number
  readonly covered: Covered
}

/** Number of test files that run each piece of code in the whole rooms, where so many do: one may reach it by chance. */
const timesInWholeRooms = 2
/** Shares of lines and branches elsewhere that the chosen files reach: above those of the gate, for what runs by chance. */
const wanted = { lines: 0.985, branches: 0.97 }

/** @param sources paths of the files that count */
export function choose(
  candidates: readonly Candidate[],
  sources: readonly string[],
  project: string
): Set<string> {
  const isWhole = (path: string) => wholeRooms.some((room) => matchesGlob(relative(project, path), room))
  const chosen: Candidate[] = []
  const all: Covered = new Map()
  const take = (candidate: Candidate) => {
    chosen.push(candidate)
    add(all, candidate.covered)
  }
  const codes = codesOf(sources)
  const ofWhole = new Map([...codes].filter(([path]) => isWhole(path)))
  const others = new Map([...codes].filter(([path]) => !isWhole(path)))
  takeGreedily(candidates, new Needs(ofWhole, timesInWholeRooms), take, () => false)
  const needs = new Needs(others, 1)
  for (const candidate of chosen) needs.take(candidate)
  takeGreedily(
    candidates.filter((each) => !chosen.includes(each)),
    needs,
    take,
    () => reportOf(others, project, all, wanted).problems.length === 0
  )
  return new Set(chosen.map(({ file }) => file))
}

/** Takes the candidate that adds most for its cost, one after another, until none adds anything or enough is taken. */
function takeGreedily(
  candidates: readonly Candidate[],
  needs: Needs,
  take: (candidate: Candidate) => void,
  isEnough: () => boolean
): void {
  // A gain only becomes smaller: one that is still the greatest when it is computed again is the greatest.
  const open = candidates.map((candidate) => ({ candidate, gain: Number.POSITIVE_INFINITY }))
  while (open.length > 0) {
    open.sort((a, b) => a.gain - b.gain)
    const { candidate } = open.pop() as (typeof open)[number]
    const gain = needs.gainOf(candidate) / Math.max(1, candidate.cost)
    if (gain === 0) continue
    if (gain < (open.at(-1)?.gain ?? 0)) open.push({ candidate, gain })
    else {
      if (isEnough()) return
      needs.take(candidate)
      take(candidate)
    }
  }
}

/** Code that has still to be run, and how many times. */
class Needs {
  readonly #needs: ReadonlyMap<string, Uint8Array>

  constructor(codes: ReadonlyMap<string, Code>, times: number) {
    this.#needs = new Map([...codes].map(([path, code]) => [path, code.mask(times)]))
  }

  gainOf({ covered }: Candidate): number {
    let gain = 0
    for (const [path, { ran }] of covered) {
      const needs = this.#needs.get(path)
      for (let offset = 0; needs !== undefined && offset < ran.length; offset++)
        if (ran[offset] === 1 && (needs[offset] ?? 0) > 0) gain++
    }
    return gain
  }

  take({ covered }: Candidate): void {
    for (const [path, { ran }] of covered) {
      const needs = this.#needs.get(path)
      for (let offset = 0; needs !== undefined && offset < ran.length; offset++)
        if (ran[offset] === 1 && (needs[offset] ?? 0) > 0) needs[offset] = (needs[offset] ?? 0) - 1
    }
  }
}
