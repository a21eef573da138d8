/** Values of a schema: examples of the contract, instances as varied as it allows, or one that a person would write. */
import {
  anyValue,
  type Content,
  endOf,
  type Json,
  make,
  type Parameter,
  type Schema
} from '@contract-first/contract'
import { bodyKind } from '@contract-first/engine/media-types'
import fc from 'fast-check'
import { kept, withinBudget } from './budget.ts'
import { Builder } from './builder.ts'
import { itemSchemas, limitsOf, propertySchemas, requiredOf } from './members.ts'
import { bare, type Direction, exactDocument, plain, Schemas, type Style, varied } from './schemas.ts'

export interface Example {
  /** Name of the example; undefined for the value of `example`. */
  readonly name: string | undefined
  /** Value; undefined for an example that is kept elsewhere (`externalValue`). */
  readonly value: Json | undefined
}

/**
 * @param mediaType that of a body; undefined for a parameter or a header, whose texts depend on its style
 * @returns `example` first, then the named ones in the order of the contract
 */
export const examplesIn = ({ examples }: Pick<Content, 'examples'>, mediaType?: string): readonly Example[] =>
  examples.map(({ name, value, text }) => ({ name, value: value ?? valueOfText(text, mediaType) }))

/** Returns the value of a text that is a body (`serializedValue`, OpenAPI 3.2.0, section 4.19). */
function valueOfText(text: string | undefined, mediaType = ''): Json | undefined {
  if (mediaType === '' || text === undefined) return undefined
  try {
    return bodyKind(mediaType) === 'json' ? exactDocument(text) : text
  } catch {
    return undefined
  }
}

/** Returns the first example of a body, also of a part of it, otherwise that of its schema, or its default. */
export const firstExample = (holder: Content | Parameter): unknown => {
  const { schema = anyValue } = holder
  const content = 'content' in holder ? holder.content : undefined
  const own = 'mediaType' in holder ? examplesIn(holder, holder.mediaType) : examplesIn(holder)
  const inner = content === undefined ? [] : examplesIn(content, content.mediaType)
  const { examples, default: standard } = endOf(content?.schema ?? schema)
  const listed = [...[...own, ...inner, ...examples].map(({ value }) => value), standard]
  return listed.find((value) => value !== undefined)
}

const usualDepth = 4

export interface InstanceOptions {
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
export function instancesOf(schema: Schema, options: InstanceOptions): fc.Arbitrary<unknown> | undefined {
  return withinBudget((depth) => accepted(schema, { ...options, depth }, varied), options.depth ?? usualDepth)
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
export function plainInstance(schema: Schema, options: PlainOptions): unknown {
  const { seed, usesExamples = true, onTooLarge, depth: whole = usualDepth } = options
  const styles = usesExamples ? [plain, bare, varied] : [bare, varied]
  return withinBudget(
    (depth) => {
      for (const style of styles) {
        const instances = accepted(schema, { ...options, depth }, style)
        if (instances !== undefined) return fc.sample(fc.noBias(instances), { seed, numRuns: 1 })[0]
      }
      return undefined
    },
    whole,
    onTooLarge
  )
}

/**
 * Returns the place of the innermost required part without an instance, in a schema that has none: `/address/zip`; empty
 * when every part has one.
 * @param levels most names in the place, because a required part may need itself
 */
export function impossiblePart(schema: Schema, direction: Direction, levels = 20): string {
  const schemas = new Schemas(direction)
  const parts = schemas.parts([schema]) ?? []
  const required = [...requiredOf(parts)].map((name) => [name, propertySchemas(parts, name)] as const)
  const inner = required.filter(([, all]) => !schemas.isHidden(all))
  if (limitsOf(parts, 'Items').least > 0) inner.push(['0', itemSchemas(parts, 0)])
  for (const [name, allOf] of levels > 0 ? inner : []) {
    const part = make({ allOf }, schema)
    const isPossible = plainInstance(part, { direction, seed: 1, depth: 0 }) !== undefined
    if (!isPossible) return `/${name}${impossiblePart(part, direction, levels - 1)}`
  }
  return ''
}

/** Returns the first accepted example of a body or header, otherwise an instance of its schema. */
export function valueFor(
  holder: Pick<Content, 'examples'>,
  schema: Schema | undefined,
  options: PlainOptions & Required<Pick<PlainOptions, 'accepts'>>
): unknown {
  const { accepts, usesExamples = true } = options
  const given = usesExamples ? examplesIn(holder) : []
  const example = given.find(({ value }) => value !== undefined && accepts(value))
  if (example !== undefined) return example.value
  return schema === undefined ? undefined : plainInstance(schema, options)
}

function accepted(
  schema: Schema,
  { direction, accepts = () => true, depth = usualDepth }: InstanceOptions,
  style: Style
): fc.Arbitrary<unknown> | undefined {
  return kept(new Builder(new Schemas(direction), style, depth).build(schema), accepts)
}
