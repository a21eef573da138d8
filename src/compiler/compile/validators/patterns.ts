/** Checks the patterns of a contract. One that backtracks exponentially needs minutes for a text of thirty characters. */
import { createRequire } from 'node:module'
import { pattern } from '@contract-first/engine/internal/model/pattern'
import type { checkSync } from 'recheck'

/** Only a group that repeats can match a text in more ways the longer it is; few patterns have one. */
const repeatedGroup = /\)[*+{]/

/** A pattern that takes longer to check is not reported. */
const timeout = 2000

const known = new Map<string, boolean>()

export function isPattern(source: string): boolean {
  try {
    return pattern(source) instanceof RegExp
  } catch {
    return false
  }
}

/** @param source compiles as a regular expression */
export function isExponential(source: string): boolean {
  if (!repeatedGroup.test(source)) return false
  const answer = known.get(source) ?? check(source)
  known.set(source, answer)
  return answer
}

/** The build for browsers needs no other process. It is loaded here because loading takes a second. */
function check(source: string): boolean {
  const recheck = createRequire(import.meta.url)('recheck/lib/browser.js') as { checkSync: typeof checkSync }
  const found = recheck.checkSync(source, pattern(source).flags, { timeout })
  return found.status === 'vulnerable' && found.complexity.type === 'exponential'
}
