/** Plans of where a value holds int64, written by the compiler and followed by json/restore-int64.ts. */

/** The places of int64 in a schema. Named plans make recursive schemas finite. */
export interface Int64Plan {
  /** The plan of the whole value: a name in `plans`. */
  readonly start: string
  readonly plans: Readonly<Record<string, Int64Node>>
}

/** All of it applies to the same value. */
export interface Int64Node {
  readonly int64?: true
  readonly properties?: Readonly<Record<string, string>>
  readonly patterns?: readonly (readonly [string, string])[]
  readonly additional?: string
  /** With `additional`: the names it does not apply to. */
  readonly declared?: readonly string[]
  readonly items?: string
  readonly prefixItems?: readonly (string | null)[]
  /** Parts of a composition: always, or where the validator named by `when` accepts the value. */
  readonly parts?: readonly { readonly plan: string; readonly when?: string }[]
}
