/** Ways through the composition of a schema: references, `allOf`, and the schema beside null. */
import { bodyKind } from '@contract-first/engine/media-types'
import type { Json } from '../model/json.ts'
import type { Schema } from '../model/schema.ts'
import { type Predicate, reaches } from './children.ts'

/** Returns the schema that a chain of references leads to; the schema itself if it says anything besides. */
export function target(schema: Schema): Schema {
  const seen = new Set<Schema>()
  let next = schema
  while (next.ref !== undefined && isReference(next)) {
    // A cycle of references says nothing about a value.
    if (seen.has(next)) return schema
    seen.add(next)
    next = next.ref
  }
  return next
}

/** Returns the schema that references lead to, whatever stands beside them. */
export function endOf(schema: Schema): Schema {
  const seen = new Set<Schema>()
  let next = schema
  while (next.ref !== undefined && !seen.has(next)) {
    seen.add(next)
    next = next.ref
  }
  return next
}

/** Members that neither constrain nor describe a value. */
const silent: ReadonlySet<string> = new Set(['ref', 'name', 'unknown', 'origin', 'examples', 'extensions'])

/** Returns true for a schema that only refers to another one. */
export const isReference = (schema: Schema): boolean => schema.ref !== undefined && isSilent(schema)

/** Returns true for the schemas `true` and `{}`. */
export const isUnconstrained = (schema: Schema): boolean => schema.ref === undefined && isSilent(schema)

function isSilent(schema: Schema): boolean {
  for (const key in schema) if (!silent.has(key)) return false
  return true
}

/** Yields the schema and all that always apply with it, those of one distance together. */
function* levelsOf(schema: Schema): Generator<readonly Schema[]> {
  const seen = new Set<Schema>()
  for (let next = [schema]; next.length > 0; ) {
    const level = [...new Set(next)].filter((part) => !seen.has(part))
    for (const part of level) seen.add(part)
    yield level
    next = level.flatMap((part) => [...(part.ref === undefined ? [] : [part.ref]), ...(part.allOf ?? [])])
  }
}

/** Returns the schema and all that always apply with it: targets of references and branches of `allOf`. */
export function partsOf(schema: Schema): readonly Schema[] {
  if (schema.ref === undefined && schema.allOf === undefined) return [schema]
  const parts = known.get(schema) ?? [...levelsOf(schema)].flat()
  known.set(schema, parts)
  return parts
}

const known = new WeakMap<Schema, readonly Schema[]>()

/** Returns what a schema refers to and is composed of, and the schemas of its items. */
export function partsAndItems(schema: Schema): Schema[] {
  const { ref, allOf = [], anyOf = [], oneOf = [], prefix = [], items } = schema
  return [ref, ...allOf, ...anyOf, ...oneOf, ...prefix, items].filter((each) => each !== undefined)
}

/** Returns X for a schema with `anyOf: [X, null]`. */
export function besideNull({ anyOf = [] }: Schema): Schema | undefined {
  const others = anyOf.filter((branch) => !isNull(branch))
  return anyOf.length === 2 && others.length === 1 ? others[0] : undefined
}

/** Returns true for a schema of null alone. */
export const isNull = ({ types }: Schema): boolean => types?.size === 1 && types.has('null')

/** Annotation of a property that one side of the messages does not write. */
export type Flag = 'readOnly' | 'writeOnly'

/**
 * Returns true when a property is `readOnly` or `writeOnly`: by itself, by a schema to which it refers, or by a part of
 * its `allOf` (JSON Schema Validation 2020-12, section 9.4).
 */
export function isFlagged(property: Schema, flag: Flag): boolean {
  const isAlone = property.ref === undefined && property.allOf === undefined
  return property[flag] === true || (!isAlone && partsOf(property).some((part) => part[flag] === true))
}

const isSided = ({ readOnly, writeOnly }: Schema): boolean => readOnly === true || writeOnly === true

/** Returns true for a schema below which a property is `readOnly` or `writeOnly`. */
export const hasSides = (schema: Schema): boolean => reaches(schema, isSided)

/**
 * Returns the nearest defaults: that of the schema itself, otherwise of what it refers to and the branches of its `allOf`,
 * or of the schema beside null. The first one applies.
 */
export function defaultsOf(schema: Schema | undefined): readonly Json[] {
  if (schema === undefined) return []
  for (const level of levelsOf(schema)) {
    const found = level.flatMap((part) => (part.default === undefined ? [] : [part.default]))
    if (found.length > 0) return found
  }
  const inner = partsOf(schema)
    .map(besideNull)
    .find((other) => other !== undefined)
  return inner === undefined ? [] : defaultsOf(inner)
}

/** Returns true if every value that the schema accepts has the property. */
export const requires = (schema: Schema, property: string): boolean =>
  always(schema, ({ required }) => required?.has(property) === true)

/** Returns true if the predicate holds for a part that applies to every value: in a union, for one of each branch. */
export function always(schema: Schema, holds: Predicate, known = new Map<Schema, boolean>()): boolean {
  const found = known.get(schema)
  if (found !== undefined) return found
  // A schema that holds itself says nothing by that.
  known.set(schema, false)
  const inner = (part: Schema) => always(part, holds, known)
  const { ref, allOf = [], oneOf, anyOf } = schema
  const result =
    holds(schema) ||
    [...(ref === undefined ? [] : [ref]), ...allOf].some(inner) ||
    [oneOf, anyOf].some((union) => union?.every(inner) === true)
  known.set(schema, result)
  return result
}

/**
 * Returns true for a string of bytes: `format: binary`, or since 3.1 a media type other than text (OpenAPI 3.1.0,
 * section 4.8.14.2).
 */
export function holdsBytes({ types, format, content }: Schema): boolean {
  if (types?.has('string') !== true) return false
  const isTyped = content?.mediaType !== undefined && content.encoding === undefined
  return format === 'binary' || (isTyped && bodyKind(content.mediaType) === 'binary')
}
