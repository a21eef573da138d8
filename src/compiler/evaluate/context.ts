import type { Json, JsonObject } from '../compile/document/json-value.ts'

/** Three-valued results: yes, no, and undefined for unknown (Kleene's logic). */
export type Verdict = boolean | undefined

/** Takes no verdict after a false one. */
export function all(verdicts: Iterable<Verdict>): Verdict {
  let found: Verdict = true
  for (const verdict of verdicts) {
    if (verdict === false) return false
    if (verdict === undefined) found = undefined
  }
  return found
}

export const negation = (verdict: Verdict): Verdict => (verdict === undefined ? undefined : !verdict)

/** Takes no verdict after a true one. */
export const any = (verdicts: IteratorObject<Verdict>): Verdict => negation(all(verdicts.map(negation)))

/** Returns whether the number of true verdicts is within bounds. */
export function counted(verdicts: readonly Verdict[], least: number, most: number): Verdict {
  const sure = verdicts.filter((verdict) => verdict === true).length
  const possible = verdicts.filter((verdict) => verdict !== false).length
  if (sure > most || possible < least) return false
  return sure >= least && possible <= most ? true : undefined
}

/** Reads the schemas of one message of a contract. */
export interface Reading {
  /** Returns the schema in the dialect of JSON Schema 2020-12. */
  readonly read: (schema: JsonObject) => JsonObject
  /** Returns the target of a reference; undefined without one. */
  readonly target: (schema: JsonObject) => Json | undefined
  /** Returns true when messages of this kind do not have a property of these schemas. */
  readonly isHidden: (schemas: readonly Json[]) => boolean
  /**
   * True to decide as compiled validators do: they accept every text of an unknown format or pattern, refuse an integer
   * beyond doubles without `int64`, and choose a branch by its discriminator. `unevaluated…` is accepted.
   */
  readonly isCompiled: boolean
}

export interface Context {
  readonly reading: Reading
  /** The schema of the keyword. */
  readonly node: JsonObject
  readonly check: (schema: Json, value: Json) => Verdict
}

type Rule<Value> = (rule: Json, value: Value, context: Context) => Verdict
export type Rules<Value> = ReadonlyMap<string, Rule<Value>>

/** Makes a map, because a contract may use the names `constructor` and `__proto__`. */
export const rulesOf = <Value>(rules: Readonly<Record<string, Rule<Value>>>): Rules<Value> =>
  new Map(Object.entries(rules))
