/** The form of the tables: the values that a keyword of JSON Schema 2020-12 accepts and refuses. */

export type Schema = boolean | { readonly [keyword: string]: unknown }

export interface Row {
  /** The meaning that the row shows. */
  readonly about: string
  readonly schema: Schema
  /** Valid JSON texts: a parsed value would lose the spelling of a number. */
  readonly takes: readonly string[]
  readonly refuses: readonly string[]
}

/** Rows by keyword. */
export type Table = Readonly<Record<string, readonly Row[]>>
