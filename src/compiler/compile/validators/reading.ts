/** Reading of the schemas of a view: what judges values in each, which of them are equal, and how large they are. */
import { type Flag, holdsBytes, isSchema, type OwnFormats, type Schema } from '@contract-first/contract'
import { withConditions } from './conditions.ts'
import { enforcedFormats } from './formats.ts'
import { HiddenNames } from './hidden-names.ts'

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
