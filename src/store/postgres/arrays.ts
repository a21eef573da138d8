/** Array literals of PostgreSQL (https://www.postgresql.org/docs/18/arrays.html#ARRAYS-INPUT). */
import type { StoredPlant } from '../store.ts'

/** Writes an array literal of PostgreSQL; `postgres` would infer the type of the array from its first element. */
export function idArray(batch: readonly StoredPlant[]): string {
  return `{${batch.map(({ id }) => id).join(',')}}`
}

/** Writes a text array as JSON. PostgreSQL reads it alike: documents have no control characters or lone surrogates. */
export function textArray(documents: readonly string[]): string {
  return `{${JSON.stringify(documents).slice(1, -1)}}`
}
