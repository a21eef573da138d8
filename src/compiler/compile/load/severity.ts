/** Decides which findings of the linter are errors: those that would change what is served, or that stop it. */
import type { NormalizedProblem } from '@redocly/openapi-core'
import { unescapePointer } from '../document/pointer.ts'
import { dataKeywordOf } from '../document/walk.ts'
import { isNearMiss } from './near-miss.ts'

/** Rules whose violation is an error even if the meta-schema allows it. */
export const fatalRules = new Set(['no-unresolved-refs', 'operation-parameters-unique'])

export const isStructural = ({ ruleId }: NormalizedProblem): boolean => ruleId === 'struct'

/** Recognises extensions, which hold data, not parts of the contract (OpenAPI 3.1.0, section 4.9). */
export const isExtension = (pointer: string): boolean => /\/x-/i.test(pointer)

export interface Judgement {
  /** True when the meta-schema allows the contract. */
  readonly valid: boolean
  /** True when schemas may have further keywords (JSON Schema Core 2020-12, section 6.5), which OpenAPI 3.0 forbids. */
  readonly isOpen: boolean
}

/**
 * Decides that structural findings are errors only if the meta-schema agrees, because the linter reports legal
 * contracts too, or if a name looks misspelt: an ignored `requestbody` would leave the body without validation.
 */
export function severityOf(problem: NormalizedProblem, { valid, isOpen }: Judgement): 'error' | 'warning' {
  const pointers = problem.location.map(({ pointer = '' }) => pointer)
  if (pointers.some((pointer) => isExtension(pointer) || dataKeywordOf(segmentsOf(pointer)) !== undefined))
    return 'warning'
  if (fatalRules.has(problem.ruleId)) return 'error'
  if (!isStructural(problem)) return 'warning'
  const missing = missingField(problem)
  if (missing !== undefined)
    return pointers.some((pointer) => isDecisive(missing, pointer)) ? 'error' : 'warning'
  const stray = strayField(problem)
  if (stray !== undefined) return isMisspelt(stray, problem, isOpen) ? 'error' : 'warning'
  return valid ? 'warning' : 'error'
}

/** Returns true when the linter reports something that OpenAPI allows: boolean schemas, keywords of earlier drafts. */
export function isDoubt(problem: NormalizedProblem, { valid, isOpen }: Judgement): boolean {
  if (!isStructural(problem) || !valid) return false
  const stray = strayField(problem)
  return stray === undefined ? missingField(problem) === undefined : isOpen && earlierKeywords.has(stray)
}

/** Keywords of earlier drafts, which the compiler enforces. */
const earlierKeywords: ReadonlySet<string> = new Set(['dependencies', 'definitions'])

function isMisspelt(name: string, { suggest, location }: NormalizedProblem, isOpen: boolean): boolean {
  if (isOpen && location.some(({ pointer = '' }) => isInSchema(pointer))) return false
  return suggest.some((meant) => isNearMiss(name, meant))
}

/** Returns the field that the finding misses. */
export function missingField({ message }: NormalizedProblem): string | undefined {
  return /^The field `(.*)` must be present on this level/s.exec(message)?.[1]
}

/** Returns the field that stands in the wrong place. */
export function strayField({ message }: NormalizedProblem): string | undefined {
  return /^(?:Property|The field) `(.*)` is not (?:expected|allowed) here/s.exec(message)?.[1]
}

/** Fields without which a part of the contract cannot be served; all others are documentation. */
const decisive: ReadonlySet<string> = new Set(['in', 'scheme', 'type', 'content', 'propertyName'])

function isDecisive(field: string, pointer: string): boolean {
  if (field === 'name') return !/^#\/(info|tags)(\/|$)/.test(pointer)
  // Webhooks and callbacks are not served.
  if (field === 'responses') return /^#\/(paths\/[^/]+\/[^/]+)?$/.test(pointer)
  return decisive.has(field)
}

/** Recognises places inside schemas, which may have unknown keywords since OpenAPI 3.1. */
const isInSchema = (pointer: string): boolean =>
  /\/(schema|schemas\/[^/]+|properties|items|allOf|anyOf|oneOf|not|additionalProperties|\$defs)(\/|$)/.test(
    pointer
  )

/** Reads the segments of a pointer as the linter writes it. */
export const segmentsOf = (pointer = ''): string[] =>
  pointer
    .split('/')
    .slice(1)
    .filter((segment) => segment !== '')
    .map(unescapePointer)
