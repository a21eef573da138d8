/** Three-valued results: yes, no, and undefined for unknown (Kleene's logic). */
import type { Json, JsonObject } from '../../compile/documents.ts'
import type { Side } from '../cases/side.ts'

export type Verdict = boolean | undefined

/**
 * The result of one schema, and the parts of the value that it has evaluated (JSON Schema Core 2020-12, section 11).
 */
export interface Result {
  readonly verdict: Verdict
  readonly names: ReadonlySet<string>
  /** Number of evaluated items, from the first. */
  readonly items: number
}

/** Evaluation of the schemas at one depth. */
export interface Evaluation {
  readonly side: Side
  readonly check: (value: Json, schema: Json) => Result
}

/** A schema, and the results of schemas that apply to the same value. */
export interface Applied {
  readonly node: JsonObject
  readonly applied: readonly Result[]
}

export const result = (verdict: Verdict, names: ReadonlySet<string> = new Set(), items = 0): Result => ({
  verdict,
  names,
  items
})

export function all(verdicts: readonly Verdict[]): Verdict {
  if (verdicts.includes(false)) return false
  return verdicts.includes(undefined) ? undefined : true
}

export const negation = (verdict: Verdict): Verdict => (verdict === undefined ? undefined : !verdict)

export const any = (verdicts: readonly Verdict[]): Verdict => negation(all(verdicts.map(negation)))

export function exactlyOne(verdicts: readonly Verdict[]): Verdict {
  const count = verdicts.filter((verdict) => verdict === true).length
  if (count > 1) return false
  return verdicts.includes(undefined) ? undefined : count === 1
}
