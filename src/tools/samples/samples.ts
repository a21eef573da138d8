/**
 * The entry of the instances, for development time, because it loads fast-check and the compiler: makes values that are
 * valid by a schema of a contract.
 */
import type { Json, JsonObject } from '@contract-first/contract'
import { schemaIn } from '@contract-first/contract'
import type fc from 'fast-check'
import * as made from './plain-instance.ts'

export type { Json, JsonObject } from '@contract-first/contract'
export { type Direction, exactDocument } from './schemas.ts'

interface Referring {
  /** The bundled document (`exactDocument`), to which references lead. */
  readonly document: JsonObject
}

export type InstanceOptions = made.InstanceOptions & Referring
export type PlainOptions = made.PlainOptions & Referring

/**
 * Makes instances as varied as the schema allows. An int64 is a bigint.
 * @returns undefined if no valid instance is found
 */
export const instancesOf = (
  schema: Json,
  { document, ...options }: InstanceOptions
): fc.Arbitrary<unknown> | undefined => made.instancesOf(schemaIn(document, schema), options)

/**
 * Makes one instance that a person would write: realistic texts, small numbers, short lists, every declared property.
 * @returns undefined if no valid instance is found; an instance is never undefined itself
 */
export const plainInstance = (schema: Json, { document, ...options }: PlainOptions): unknown =>
  made.plainInstance(schemaIn(document, schema), options)
