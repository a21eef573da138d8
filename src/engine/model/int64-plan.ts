/** Plans of the places of int64 in a value. The compiler writes them, json/restore-int64.ts follows them. */

/** The places of int64 in a schema. Named plans make recursive schemas finite. */
export interface Int64Plan {
  /** Name in `plans` of the plan for the whole value. */
  readonly start: string
  readonly plans: Readonly<Record<string, Int64Node>>
}

/** Node of a plan; all of its members apply to the same value. */
export interface Int64Node {
  readonly int64?: true
  readonly properties?: Readonly<Record<string, string>>
  readonly patterns?: readonly (readonly [string, string])[]
  readonly additional?: string
  /** Names that `additional` does not apply to. */
  readonly declared?: readonly string[]
  readonly items?: string
  readonly prefixItems?: readonly (string | null)[]
  /** Parts of a composition; one with `when` applies only where the validator of that name accepts the value. */
  readonly parts?: readonly { readonly plan: string; readonly when?: string }[]
}
