/**
 * Reading of the schemas of a view: what judges values in each, which of them are equal, how large they are, which properties
 * they hide, which unions are conditions, and which formats are checked.
 */
import {
  besideNull,
  type Flag,
  holdsBytes,
  isFlagged,
  isSchema,
  make,
  type OwnFormats,
  partsOf,
  requires,
  type Schema,
  type Type
} from '@contract-first/contract'
import * as checks from '@contract-first/engine/runtime/formats'

/**
 * Kind of messages: a request must not hold read-only properties, a response may leave write-only ones out, and only
 * multipart bodies hold bytes.
 */
export type View = 'request' | 'response' | 'multipart'

export class Reading {
  readonly view: View
  readonly hidden: HiddenNames
  /** Formats of the project's own. */
  readonly formats: OwnFormats
  /** Labels of the schemas that have definitions wherever they stand. */
  readonly shared = new Map<Schema, string>()
  readonly #judged = new Map<Schema, Schema>()
  readonly #sizes = new Map<Schema, number>()
  readonly #numbers = new Map<Schema, number>()
  readonly #numbersByText = new Map<string, number>()
  /** Numbers of the targets of references, which are equal to nothing else. */
  readonly #targets = new Map<Schema, number>()

  /** @param flag of the properties that messages of the view leave out */
  constructor(view: View, flag: Flag, formats: OwnFormats = new Map()) {
    this.view = view
    this.hidden = new HiddenNames(flag)
    this.formats = formats
  }

  /** @returns the schema with conditions for unions, of which the code is written */
  judged(schema: Schema): Schema {
    const known = this.#judged.get(schema)
    if (known !== undefined) return known
    const judged = withConditions(schema, this.hidden)
    this.#judged.set(schema, judged)
    return judged
  }

  /** @returns the members of a schema that judge values */
  membersOf(schema: Schema): [string, unknown][] {
    return Object.entries(this.judged(schema)).filter(
      ([key]) => !silent.has(key) && (key !== 'format' || this.formatOf(schema) !== undefined)
    )
  }

  /** @returns the format of a schema if it is enforced: int32 and int64 are for numbers, the others for texts */
  formatOf({ types, format = '' }: Schema): string | undefined {
    const isForNumbers = format === 'int32' || format === 'int64'
    const isNumeric = types === undefined || types.has('integer') || types.has('number')
    const isEnforced = isForNumbers ? isNumeric : enforcedFormats.has(format) || this.formats.has(format)
    return isEnforced ? format : undefined
  }

  /**
   * Returns true for a string of bytes: `format: binary`, or since 3.1 a media type other than text (OpenAPI 3.1.0,
   * section 4.8.14.2).
   */
  isBytes(schema: Schema): boolean {
    return this.view === 'multipart' && holdsBytes(schema)
  }

  /**
   * Returns the schemas in a schema that judge members of the value, or that it must not fit; not those of hidden
   * properties.
   */
  membersIn(schema: Schema): Schema[] {
    const { properties = [], patterns = [], prefix = [], contains } = schema
    const single = [schema.additional, schema.unevaluatedProperties, schema.names, contains?.schema]
    single.push(schema.items, schema.unevaluatedItems, schema.not)
    return [
      ...[...properties].flatMap(([, each]) => (this.hidden.has(schema, each) ? [] : [each])),
      ...patterns.map((each) => each.schema),
      ...prefix,
      ...single.filter((each) => each !== undefined)
    ]
  }

  /** @returns the number of keywords of a schema, those of inner schemas included */
  sizeOf(schema: Schema): number {
    const known = this.#sizes.get(schema)
    if (known !== undefined) return known
    const judged = this.judged(schema)
    const inner = [...(judged.allOf ?? []), ...alternativesIn(judged), ...this.membersIn(judged)]
    let size = this.membersOf(schema).length
    if (!this.shared.has(schema)) for (const each of inner) size += this.sizeOf(each)
    this.#sizes.set(schema, size)
    return size
  }

  /** @returns the same number for schemas that judge values in the same way, by the same words */
  numberOf(schema: Schema): number {
    const known = this.#numbers.get(schema)
    if (known !== undefined) return known
    const text = this.#textOf(schema)
    const number = this.#numbersByText.get(text) ?? this.#numbersByText.size
    this.#numbersByText.set(text, number)
    this.#numbers.set(schema, number)
    return number
  }

  #textOf(schema: Schema): string {
    // What is malformed is left out.
    if (schema.broken !== undefined) return `broken ${this.#numbersByText.size}`
    const judged = this.judged(schema)
    const isHidden = (property: Schema) => this.hidden.has(judged, property)
    const members = this.membersOf(schema).map(([key, value]) => {
      if (key === 'ref') return [key, this.#targetNumber(value as Schema)]
      if (key !== 'properties') return [key, value]
      return [
        key,
        ...[...(judged.properties ?? [])].map(([name, each]) => [name, isHidden(each) ? 'hidden' : each])
      ]
    })
    return JSON.stringify([this.isBytes(schema), ...members], (_, value) => this.#plain(value))
  }

  #plain(value: unknown): unknown {
    if (typeof value === 'bigint') return `${value}n`
    if (value instanceof Map || value instanceof Set) return [...value]
    return isSchema(value) ? `#${this.numberOf(value)}` : value
  }

  #targetNumber(schema: Schema): number {
    const number = this.#targets.get(schema) ?? this.#targets.size
    this.#targets.set(schema, number)
    return number
  }
}

/** Returns the schemas in a schema that may judge the value itself; those of `allOf` always do. */
export function alternativesIn({ anyOf = [], oneOf = [], dependentSchemas, ...schema }: Schema): Schema[] {
  const conditional = [schema.if, schema.then, schema.else].filter((each) => each !== undefined)
  return [...anyOf, ...oneOf, ...conditional, ...(dependentSchemas?.values() ?? [])]
}

/** Members that judge no value. */
const silent: ReadonlySet<string> = new Set([
  ...['name', 'origin', 'examples', 'extensions', 'title', 'description', 'default', 'deprecated', 'xml'],
  ...['readOnly', 'writeOnly', 'content', 'broken', 'unknown', 'discriminator']
])

const withConditions = (schema: Schema, hidden: HiddenNames): Schema =>
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

/** Names that a schema hides, and those of the schemas around it: `required` may stand in any branch of an `allOf`. */
export type Hidden = ReadonlySet<string>
export const nothingHidden: Hidden = new Set()

export class HiddenNames {
  readonly flag: Flag
  readonly #parameters = new WeakSet<Schema>()
  readonly #known = new WeakMap<Schema, Hidden>()

  constructor(flag: Flag) {
    this.flag = flag
  }

  /** Exempts the properties of a schema that are parameters: the flags concern properties only. */
  exempt(schema: Schema): void {
    this.#parameters.add(schema)
  }

  /** @param property a property of the schema */
  has(schema: Schema, property: Schema): boolean {
    return !this.#parameters.has(schema) && isFlagged(property, this.flag)
  }

  /** @returns the names that a schema hides, the branches of its `allOf`, and the schemas that it refers to */
  in(schema: Schema): Hidden {
    const known = this.#known.get(schema)
    if (known !== undefined) return known
    const names = new Set<string>()
    for (const part of partsOf(schema))
      for (const [name, property] of part.properties ?? []) if (this.has(part, property)) names.add(name)
    const found = names.size === 0 ? nothingHidden : names
    this.#known.set(schema, found)
    return found
  }

  /** @param outer names that the schemas around this one hide */
  with(schema: Schema, outer: Hidden): Hidden {
    const own = this.in(schema)
    return outer.size === 0 ? own : own.union(outer)
  }
}

type Check = (text: string) => boolean

/** Returns the name under which the module exports a format. */
export const formatInCode = (format: string): string => format.replaceAll('-', '_')

/** Formats that the validator enforces; int32 and int64 bound numbers. */
export const enforcedFormats: ReadonlySet<string> = new Set([
  ...Object.keys(checks).map((name) => name.replaceAll('_', '-')),
  'int32',
  'int64'
])

/** Formats of the OpenAPI registry that every value of their type has. */
export const describedFormats: ReadonlySet<string> = new Set(['binary', 'password', 'float', 'double'])

/** @returns undefined for a format that is not checked on strings */
export function formatCheck(format: string): Check | undefined {
  const name = formatInCode(format)
  return Object.hasOwn(checks, name) ? Reflect.get(checks, name) : undefined
}
