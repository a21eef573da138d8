/** The three readings of a schema, and the schemas that the normaliser makes for them. */
import type { JsonObject } from '../../document/json-value.ts'

/**
 * Reading of a schema, which depends on who sends the value: a request must not hold read-only properties, a response
 * may leave write-only ones out, and only multipart bodies hold bytes.
 */
export type View = 'request' | 'response' | 'multipart'

/** A normalised schema. */
export type Schema = JsonObject | boolean
