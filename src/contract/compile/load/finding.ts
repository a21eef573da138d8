/** Turns a finding of the linter into a problem: its severity, its message and its place. */
import type { NormalizedProblem } from '@redocly/openapi-core'
import type { ContractProblem } from '../diagnostics/problem.ts'
import { positionOf, type SourcePosition, spellingAt } from '../diagnostics/source-position.ts'
import { unescapePointer } from '../document/json-value.ts'
import { dataKeywordOf } from '../document/walk.ts'
import { isNearMiss } from './near-miss.ts'

/** Rules whose violation is an error even where the meta-schema allows it. */
export const fatalRules = new Set(['no-unresolved-refs', 'operation-parameters-unique'])

/** Rules that find what has no effect, or an unexpected one; all others of the linter are about style. */
const effectiveRules = new Set([
  'struct',
  'no-ambiguous-paths',
  'no-duplicated-enum-values',
  'no-enum-type-mismatch',
  'no-illogical-composition-keywords',
  'no-mixed-number-range-constraints',
  'no-required-schema-properties-undefined',
  'no-schema-type-mismatch',
  'security-scopes-defined',
  'spec-ref-siblings',
  ...fatalRules
])

export const isStructural = ({ ruleId }: NormalizedProblem): boolean => ruleId === 'struct'

/** Extensions hold data, not parts of the contract (OpenAPI 3.1.0, section 4.9). */
export const isExtension = (pointer: string): boolean => /\/x-/i.test(pointer)

export interface Judgement {
  /** The meta-schema allows the contract. */
  readonly valid: boolean
  /** Schemas may have further keywords (JSON Schema Core 2020-12, section 6.5), as they may not in OpenAPI 3.0. */
  readonly isOpen: boolean
}

/** Returns the finding at its first place; none for a finding without a place. */
export function contractProblem(problem: NormalizedProblem, judgement: Judgement): ContractProblem[] {
  const severity = severityOf(problem, judgement)
  return problem.location.slice(0, 1).map((location) => {
    const style = effectiveRules.has(problem.ruleId) ? {} : ({ isStyle: true } as const)
    const message = messageOf(problem, location)
    return { severity, ...style, file: location.source.absoluteRef, ...linterPosition(location), message }
  })
}

/** Returns the message of the linter with the reference that it leaves out, or the name that it suggests. */
function messageOf({ ruleId, message, suggest: [meant] }: NormalizedProblem, location: LintLocation): string {
  const path = segmentsOf(location.pointer)
  const reference =
    ruleId === 'no-unresolved-refs' ? spellingAt(location.source, [...path, '$ref']) : undefined
  const named =
    typeof reference === 'string'
      ? message.replace("Can't resolve $ref", `Can't resolve $ref ${reference}`)
      : message
  return meant === undefined || meant.startsWith('$') ? named : `${named} Did you mean \`${meant}\`?`
}

type LintLocation = NormalizedProblem['location'][number]

export const segmentsOf = (pointer = ''): string[] =>
  pointer
    .split('/')
    .slice(1)
    .filter((segment) => segment !== '')
    .map(unescapePointer)

/** Finds the position anew: the linter follows neither aliases nor merge keys. In a file that is not YAML it knows the line. */
function linterPosition(location: LintLocation): SourcePosition {
  if (location.pointer === undefined) return { line: location.start.line, column: location.start.col }
  return positionOf(location.source, segmentsOf(location.pointer), location.reportOnKey === true)
}

/**
 * Structural findings are errors only if the meta-schema agrees, because the linter reports legal contracts too, or if a name
 * looks misspelt: an ignored `requestbody` would leave the body without validation.
 */
function severityOf(problem: NormalizedProblem, { valid, isOpen }: Judgement): 'error' | 'warning' {
  const pointers = problem.location.map(({ pointer = '' }) => pointer)
  if (pointers.some((pointer) => isExtension(pointer) || dataKeywordOf(segmentsOf(pointer)) !== undefined))
    return 'warning'
  if (fatalRules.has(problem.ruleId)) return 'error'
  if (!isStructural(problem)) return 'warning'
  const [, unexpected] = /^Property `(.*)` is not expected here/s.exec(problem.message) ?? []
  if (unexpected !== undefined) {
    if (isOpen && /[-_]/.test(unexpected) && pointers.some(isInSchema)) return 'warning'
    return problem.suggest.some((name) => isNearMiss(unexpected, name)) ? 'error' : 'warning'
  }
  return valid ? 'warning' : 'error'
}

/** A keyword with a hyphen or an underscore is one of another vocabulary, which a schema may have since OpenAPI 3.1. */
const isInSchema = (pointer: string): boolean => /\/(schema|components\/schemas\/[^/]+)(\/|$)/.test(pointer)
