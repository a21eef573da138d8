/** Instances of a schema: as varied as it allows, or one that a person would write. */
import fc from 'fast-check'
import type { Json, JsonObject } from '../compile/document/json-value.ts'
import { withinBudget } from './budget.ts'
import { Builder } from './builder.ts'
import { kept } from './kept.ts'
import { type Direction, Schemas } from './schemas.ts'
import type { Style } from './style.ts'

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
  return withinBudget(() => accepted(schema, options, { isPlain: false, usesExamples: false }))
}

export interface PlainOptions extends InstanceOptions {
  /** Seed; equal seeds give equal instances. */
  readonly seed: number
  /** True to use valid examples and defaults of the contract; true by default. */
  readonly usesExamples?: boolean
  /** Is called when instances are too large to be made. */
  readonly onTooLarge?: () => void
}

/**
 * Makes one instance that a person would write: realistic texts, small numbers, short lists, every declared property.
 * @returns undefined if no valid instance is found; an instance is never undefined itself
 */
export function plainInstance(schema: Json, options: PlainOptions): unknown {
  const { seed, usesExamples = true, onTooLarge } = options
  const styles = [
    { isPlain: true, usesExamples },
    { isPlain: true, usesExamples: false },
    { isPlain: false, usesExamples: false }
  ]
  return withinBudget(() => {
    for (const style of styles) {
      const instances = accepted(schema, options, style)
      if (instances !== undefined) return fc.sample(fc.noBias(instances), { seed, numRuns: 1 })[0]
    }
    return undefined
  }, onTooLarge)
}

function accepted(
  schema: Json,
  { document, direction, accepts = () => true, depth = 4 }: InstanceOptions,
  style: Style
): fc.Arbitrary<unknown> | undefined {
  return kept(new Builder(new Schemas(document, direction), style).build(schema, depth), accepts)
}
