import type { Json, JsonObject } from '../compile/document/json-value.ts'
import { atPointer, isFlagged, pointerOf } from '../compile/document/reference.ts'

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

export type Role = 'request' | 'response'

/** The schemas of one role of messages in a document: requests hide `readOnly` properties, responses `writeOnly` ones. */
export class Reading {
  readonly document: JsonObject
  /**
   * True to decide as compiled validators do: they accept every text of an unknown format or pattern, refuse an integer
   * beyond doubles without `int64`, and choose a branch by its discriminator. `unevaluated…` is accepted.
   */
  readonly isCompiled: boolean
  readonly #hidden: 'readOnly' | 'writeOnly'

  constructor(document: JsonObject, role: Role, isCompiled: boolean) {
    this.document = document
    this.isCompiled = isCompiled
    this.#hidden = role === 'request' ? 'readOnly' : 'writeOnly'
  }

  /** Returns the schema in the dialect of JSON Schema 2020-12. */
  read(schema: JsonObject): JsonObject {
    return schema
  }

  /** Returns the target of a reference; undefined for any other schema, and for a broken reference. */
  target(schema: JsonObject): Json | undefined {
    const pointer = pointerOf(schema)
    return pointer === undefined ? undefined : atPointer(this.document, pointer)
  }

  /** Returns true when messages of this role do not have a property of these schemas. */
  isHidden(schemas: readonly Json[]): boolean {
    return schemas.some((schema) => isFlagged(this.document, schema, this.#hidden))
  }
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
