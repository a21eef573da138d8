/**
 * Turns unions into conditions where the value tells which alternative is meant, so that the errors are those of one
 * alternative: by the property of a discriminator (OpenAPI 3.1.0, section 4.8.25), and by null.
 */
import { besideNull, make, requires, type Schema, type Type } from '@contract-first/contract'
import type { HiddenNames } from './hidden-names.ts'

export const withConditions = (schema: Schema, hidden: HiddenNames): Schema =>
  besideNullAsCondition(selectedByTag(schema, hidden))

/**
 * Selects by one condition for each alternative. A value without an optional property is judged by the union itself, or
 * by the schema of `defaultMapping`, which also judges a value that selects no alternative (OpenAPI 3.2.0, section 4.25).
 */
function selectedByTag(schema: Schema, hidden: HiddenNames): Schema {
  const { discriminator, ...rest } = schema
  if (discriminator?.tags === undefined || discriminator.of === 'heirs') return schema
  const { property, of, tags, otherwise } = discriminator
  const { [of]: union, ...others } = rest
  const tagged = (values: Iterable<string>) => new Map([[property, make({ enum: [...values] }, schema)]])
  const required = new Set([property])
  const byAlternative = Map.groupBy(tags, ([, alternative]) => alternative)
  const selected = {
    properties: tagged(tags.keys()),
    allOf: [...byAlternative].map(([alternative, pairs]) => {
      const condition = make({ properties: tagged(pairs.map(([tag]) => tag)), required }, schema)
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      return make({ if: condition, then: alternative }, schema)
    })
  }
  const types = new Set<Type>(['object'])
  const isHidden = [...tags.values()].some((alternative) => hidden.in(alternative).has(property))
  if (otherwise === undefined && !isHidden && requires(schema, property))
    return constrained(others, make({ types, required, ...selected }, schema))
  const known = otherwise === undefined ? {} : { properties: selected.properties }
  const other = otherwise === undefined ? { [of]: union } : { ref: otherwise }
  const condition = make({ types, required, ...known }, schema)
  return constrained(
    others,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    make({ if: condition, then: make(selected, schema), else: make(other, schema) }, schema)
  )
}

/** Reads `anyOf: [X, null]`. */
function besideNullAsCondition(schema: Schema): Schema {
  const other = besideNull(schema)
  if (other === undefined) return schema
  const { anyOf: _union, ...rest } = schema
  const condition = { if: make({ types: new Set<Type>(['null']) }, schema), else: other }
  return schema.if === undefined ? { ...rest, ...condition } : constrained(rest, make(condition, schema))
}

/** @returns a schema that requires both */
const constrained = (schema: Schema, further: Schema): Schema => ({
  ...schema,
  allOf: [...(schema.allOf ?? []), further]
})
