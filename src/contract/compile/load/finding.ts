/** Turns a finding of the linter into a problem: its severity, its message and its place. */
import type { NormalizedProblem } from '@redocly/openapi-core'
import type { ContractProblem } from '../diagnostics/problem.ts'
import { namesAt, positionOf, type SourcePosition, spellingAt } from '../diagnostics/source-position.ts'
import { resembles } from './near-miss.ts'
import { fatalRules, isDoubt, type Judgement, segmentsOf, severityOf } from './severity.ts'

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
  ...fatalRules
])

/** Returns the finding at its first place; none for a finding without a place. */
export function contractProblem(problem: NormalizedProblem, judgement: Judgement): ContractProblem[] {
  const severity = severityOf(problem, judgement)
  const isEffective = effectiveRules.has(problem.ruleId) && !isDoubt(problem, judgement)
  return problem.location.slice(0, 1).map((location) => {
    const style = isEffective ? {} : ({ isStyle: true } as const)
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
      : withMember(message, path, location)
  return meant === undefined || meant.startsWith('$') ? named : `${named} Did you mean \`${meant}\`?`
}

/** Adds the member or the value of which the linter only says what it should be. */
function withMember(message: string, path: readonly string[], { source }: LintLocation): string {
  const member = path.findLast((segment) => !/^\d+$/.test(segment)) ?? 'the document'
  const value = spellingAt(source, path)
  if (message.startsWith('Expected type')) return `${message.replace(/\.$/, '')} at \`${member}\``
  if (/^`.*` can be one of the following only/.test(message) && typeof value === 'string')
    return `${message.replace(/\.$/, '')}; it is ${value}.`
  const [, required] = /^Required property '(.*)' is not defined/s.exec(message) ?? []
  const declared = namesAt(source, [...path.slice(0, -2), 'properties'])
  const meant = declared.find((name) => required !== undefined && resembles(required, name))
  return meant === undefined ? message : `${message} Did you mean \`${meant}\`?`
}

type LintLocation = NormalizedProblem['location'][number]

/** Finds the position anew: the linter follows neither aliases nor merge keys. In a file that is not YAML it knows the line. */
function linterPosition(location: LintLocation): SourcePosition {
  if (location.pointer === undefined) return { line: location.start.line, column: location.start.col }
  return positionOf(location.source, segmentsOf(location.pointer), location.reportOnKey === true)
}
