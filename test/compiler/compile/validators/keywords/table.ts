/** The form of the tables: the values that a schema of JSON Schema 2020-12 accepts and refuses. */

export type Schema = boolean | { readonly [keyword: string]: unknown }

export interface Row {
  /** The meaning that the row shows. */
  readonly about: string
  readonly schema: Schema
  /** Valid JSON texts: a parsed value would lose the spelling of a number. */
  readonly takes: readonly string[]
  readonly refuses: readonly string[]
}

/** Splits a text into the texts between its spaces. */
export const words = (texts: string): string[] => texts.split(' ').filter((text) => text !== '')

/** @param takes JSON texts without spaces, in one text; so is `refuses` */
export const row = (schema: Schema, takes: string, refuses = ''): Row => ({
  about: JSON.stringify(schema),
  schema,
  takes: words(takes),
  refuses: words(refuses)
})
