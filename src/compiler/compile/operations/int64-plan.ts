/** Plans by which the server restores the int64 of a schema as bigints (json/restore-int64.ts). */
import {
  besideNull,
  make,
  type OwnFormats,
  type Predicate,
  reaches,
  type Schema,
  target
} from '@contract-first/contract'
import type { Int64Node, Int64Plan } from '@contract-first/engine/model'

/** Returns the name of the validator of a branch: its int64 are restored only in values that fit the branch. */
type AddValidator = (branch: Schema) => string

/** The plans of one view. A schema has one plan for all operations that use it. */
export class Int64Plans {
  readonly #formats: OwnFormats | undefined
  readonly #isPlace: Predicate
  readonly #hasFormat: Predicate = (schema) => this.#parsedFormat(schema) !== undefined
  readonly #plans: Record<string, Int64Node> = {}
  readonly #numbers = new Map<Schema, string>()
  /** Schemas whose plans are to be made. */
  readonly #pending: Schema[] = []

  constructor(formats?: OwnFormats) {
    this.#formats = formats
    this.#isPlace = formats === undefined ? isInt64 : (schema) => isInt64(schema) || this.#hasFormat(schema)
  }

  /** @returns undefined for a schema that leads to no int64 and to no format whose texts are parsed */
  add(schema: Schema, addValidator: AddValidator): Int64Plan | undefined {
    const start = this.#add(schema)
    if (start === undefined) return undefined
    // The loop avoids recursion, because a chain of references has any length. Each plan may add further ones.
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift())
      this.#plans[String(this.#numbers.get(next))] = this.#plan(next, addValidator)
    const hasFormats = this.#formats !== undefined && reaches(schema, this.#hasFormat)
    return { start, plans: this.#plans, ...(hasFormats && { formats: true }) }
  }

  #add(reference: Schema): string | undefined {
    const schema = target(reference)
    if (!reaches(schema, this.#isPlace)) return undefined
    const known = this.#numbers.get(schema)
    if (known !== undefined) return known
    const number = String(this.#numbers.size)
    this.#numbers.set(schema, number)
    this.#pending.push(schema)
    return number
  }

  #plan(schema: Schema, addValidator: AddValidator): Int64Node {
    const { properties = new Map<string, Schema>(), patterns = [], prefix = [] } = schema
    const some = (child: Schema | undefined) => child && this.#add(child)
    const keep = <T>(pairs: Iterable<readonly [T, Schema]>) =>
      [...pairs].flatMap(([key, child]) => {
        const number = this.#add(child)
        return number === undefined ? [] : [[key, number] as const]
      })
    const members = keep(properties)
    const others = keep(patterns.map((each) => [each.pattern.source, each.schema] as const))
    const additional = some(schema.additional ?? schema.unevaluatedProperties)
    const items = some(schema.items ?? schema.unevaluatedItems)
    const prefixItems = prefix.map((item) => this.#add(item) ?? null)
    const format = this.#parsedFormat(schema)
    const parts = keep([...partsOf(schema)].map((part) => [part.when, part.schema] as const)).map(
      ([when, plan]) => ({ plan, ...(when && { when: addValidator(when) }) })
    )
    return {
      ...(isInt64(schema) && { int64: true }),
      ...(format !== undefined && { format }),
      ...(members.length > 0 && { properties: Object.fromEntries(members) }),
      ...(others.length > 0 && { patterns: others }),
      // Declared members are not additional, even those that lead to no int64.
      ...(additional !== undefined && { additional, declared: [...properties.keys()] }),
      ...(items !== undefined && { items }),
      ...(prefixItems.some((item) => item !== null) && { prefixItems }),
      ...(parts.length > 0 && { parts })
    }
  }

  /** Returns the format whose `parse` makes the values of a schema; undefined where its texts stay texts. */
  #parsedFormat({ types, format = '' }: Schema): string | undefined {
    const { parse } = this.#formats?.get(format)?.format ?? {}
    return parse !== undefined && types?.has('string') === true ? format : undefined
  }
}

const isInt64: Predicate = ({ types, format }) =>
  format === 'int64' && (types?.has('integer') === true || types?.has('number') === true)

/** Yields the schemas that apply to the value itself, some of them only when the value fits a condition. */
function* partsOf(schema: Schema): Generator<{ readonly schema: Schema; readonly when?: Schema }> {
  const { ref, allOf = [], anyOf = [], oneOf = [], then, else: otherwise, dependentSchemas = [] } = schema
  for (const part of ref === undefined ? allOf : [ref, ...allOf]) yield { schema: part }
  // A valid value that is not null fits the only other branch.
  const beside = besideNull(schema)
  if (beside !== undefined) yield { schema: beside }
  for (const branch of [...(beside === undefined ? anyOf : []), ...oneOf]) {
    // A branch is validated without collecting its errors.
    yield { schema: branch, when: make({ anyOf: [branch] }, branch) }
  }
  if (schema.if !== undefined) {
    if (then !== undefined) yield { schema: then, when: schema.if }
    if (otherwise !== undefined) yield { schema: otherwise, when: make({ not: schema.if }, schema.if) }
  }
  for (const [name, branch] of dependentSchemas)
    yield {
      schema: branch,
      when: make({ types: new Set(['object'] as const), required: new Set([name]) }, branch)
    }
}
