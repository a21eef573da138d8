/**
 * Checks the patterns of a contract for exponential backtracking, which takes minutes for a text of thirty characters.
 */
import { createRequire } from 'node:module'
import { pattern } from '@contract-first/engine/internal/model/pattern'
import type { checkSync } from 'recheck'

/**
 * Matches a group that repeats: only with one can the number of ways to match grow with the text; few patterns have
 * one.
 */
const repeatedGroup = /\)[*+{]/

/** Time-out of a check in milliseconds; a pattern that takes longer is not reported. */
const timeout = 2000

const known = new Map<string, boolean>()

export function isPattern(source: string): boolean {
  try {
    return pattern(source) instanceof RegExp
  } catch {
    return false
  }
}

/** @param source a valid regular expression */
export function isExponential(source: string): boolean {
  if (!repeatedGroup.test(source)) return false
  const answer = known.get(source) ?? check(source)
  known.set(source, answer)
  return answer
}

/** Runs the build for browsers, which starts no other process. It is loaded here because loading takes a second. */
function check(source: string): boolean {
  const recheck = createRequire(import.meta.url)('recheck/lib/browser.js') as { checkSync: typeof checkSync }
  const found = recheck.checkSync(source, pattern(source).flags, { timeout })
  return found.status === 'vulnerable' && found.complexity.type === 'exponential'
}
