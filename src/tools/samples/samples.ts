/**
 * The entry of the instances, for development time, because it loads fast-check and the compiler: makes values that are
 * valid by a schema of a contract.
 */
import { hiddenFlags, type Json, type JsonObject, type Schema, schemaIn } from '@contract-first/contract'
import type fc from 'fast-check'
import { Definitions } from '../../compiler/compile/validators/definitions.ts'
import { Reading } from '../../compiler/compile/validators/reading.ts'
import { DefinitionCompiler } from '../../compiler/compile/validators/validators.ts'
import * as made from './plain-instance.ts'
import { type Direction, writers } from './schemas.ts'

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
export function instancesOf(schema: Json, options: InstanceOptions): fc.Arbitrary<unknown> | undefined {
  return made.instancesOf(...judged(schema, options))
}

/**
 * Makes one instance that a person would write: realistic texts, small numbers, short lists, every declared property.
 * @returns undefined if no valid instance is found; an instance is never undefined itself
 */
export function plainInstance(schema: Json, options: PlainOptions): unknown {
  return made.plainInstance(...judged(schema, options))
}

/** Reads the schema; where no validator of a whole contract is given, that of the schema decides. */
function judged<Options extends InstanceOptions>(schema: Json, options: Options) {
  const read = schemaIn(options.document, schema)
  return [read, { ...options, accepts: options.accepts ?? validatorOf(read, options.direction) }] as const
}

function validatorOf(schema: Schema, direction: Direction): (value: unknown) => boolean {
  const definitions = new Definitions(new Reading(direction, hiddenFlags[writers[direction]]))
  const name = definitions.define(schema, 'schema')
  const names = new Set(definitions.all.keys())
  const options = { prefix: 'value', memoised: names, tracked: names }
  const validate = new DefinitionCompiler(definitions, options).validator(name)
  return (value) => validate(value) === true
}
