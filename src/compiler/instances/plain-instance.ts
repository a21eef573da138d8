/** Instances of a schema: as varied as it allows, or one that a person would write. */
import fc from 'fast-check'
import type { Json, JsonObject } from '../compile/document/json-value.ts'
import { Builder } from './builder.ts'
import { kept } from './kept.ts'
import { type Direction, Schemas } from './schemas.ts'

export interface InstanceOptions {
  /** The bundled document (`exactDocument`), to which references lead. */
  readonly document: JsonObject
  readonly direction: Direction
  /** Validator of the compiled contract, which decides: instances that it refuses are left out. */
  readonly accepts?: (instance: unknown) => boolean
  /** Levels of lists and objects in which optional parts are made, too; 4 by default. */
  readonly depth?: number
}

/**
 * Makes instances as varied as the schema allows. An int64 is a bigint.
 * @returns undefined if no valid instance is found
 */
export function instancesOf(schema: Json, options: InstanceOptions): fc.Arbitrary<unknown> | undefined {
  return accepted(schema, options, { isPlain: false, usesExamples: false })
}

export interface PlainOptions extends InstanceOptions {
  /** Seed; equal seeds give equal instances. */
  readonly seed: number
  /** True to use valid examples and defaults of the contract; true by default. */
  readonly usesExamples?: boolean
}

/**
 * Makes one instance that a person would write: realistic texts, small numbers, short lists, every declared property.
 * @returns undefined if no valid instance is found; an instance is never undefined itself
 */
export function plainInstance(schema: Json, options: PlainOptions): unknown {
  const { seed, usesExamples = true } = options
  const plain =
    accepted(schema, options, { isPlain: true, usesExamples }) ??
    accepted(schema, options, { isPlain: true, usesExamples: false }) ??
    instancesOf(schema, options)
  return plain === undefined ? undefined : fc.sample(fc.noBias(plain), { seed, numRuns: 1 })[0]
}

function accepted(
  schema: Json,
  { document, direction, accepts = () => true, depth = 4 }: InstanceOptions,
  style: { readonly isPlain: boolean; readonly usesExamples: boolean }
): fc.Arbitrary<unknown> | undefined {
  return kept(new Builder(new Schemas(document, direction), style).build(schema, depth), accepts)
}
