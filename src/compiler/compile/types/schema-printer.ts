/**
 * Prints schemas of the model for openapi-typescript, which writes their types as validators enforce them: what it
 * misreads or does not know is printed in its own words.
 */
import {
  isFlagged,
  isRecursive,
  isUnconstrained,
  type Json,
  type JsonObject,
  type MergedType,
  merged,
  partsOf,
  present,
  reaches,
  type Schema,
  type Type
} from '@contract-first/contract'
import { escapePointer } from '@contract-first/engine/json'
import { bodyKind } from '@contract-first/engine/media-types'
import type { OwnFormats } from '../vocabulary/own-formats.ts'
import { tupleOf, typeNamed } from './transform.ts'

export interface Place {
  /** True for what a handler or sender receives. */
  readonly isReceived: boolean
  /** Place in a multipart body: strings of fields may be bytes; deeper strings are JSON. */
  readonly part?: 'body' | 'field' | 'streamed body' | 'streamed field'
}

/** A component of the contract, or a schema of another place or side that something refers to. */
interface Component {
  readonly name: string
  readonly schema: Schema
  readonly place: Place
}

type Names = ReadonlySet<string>
const none: ReadonlySet<never> = new Set()

export class SchemaPrinter {
  readonly #schemas: ReadonlyMap<string, Schema>
  readonly #formats: OwnFormats | undefined
  readonly #components = new Map<string, Component>()
  /** Names of components, for each kind of place. */
  readonly #names = new Map<string, Map<Schema, string>>()
  /** Names of aliases by the names of components. */
  readonly #aliases = new Map<string, string>()

  /** @param schemas components of the contract */
  constructor(schemas: ReadonlyMap<string, Schema>, formats: OwnFormats | undefined) {
    this.#schemas = schemas
    this.#formats = formats
    for (const [name, schema] of schemas) this.#add('', { name, schema, place: { isReceived: false } })
  }

  /** Returns the names of the types that handlers receive, by the names of schemas that differ from what they send. */
  received(): Map<string, string> {
    const pairs = [...this.#schemas].map(
      ([name, schema]) => [name, this.#nameOf(schema, { isReceived: true })] as const
    )
    return new Map(pairs.filter(([name, other]) => name !== other))
  }

  /** Returns all components, and the aliases that they refer to; call it last. */
  components(): { readonly schemas: JsonObject; readonly aliases: JsonObject } {
    const schemas: [string, Json][] = []
    const aliases: [string, Json][] = []
    // Printing one may add further ones.
    for (const { name, schema, place } of this.#components.values()) {
      const printed = this.schema(schema, place)
      const alias = this.#aliases.get(name)
      if (alias !== undefined) aliases.push([alias, printed])
      schemas.push([name, alias === undefined ? printed : { ...Object(printed), ...typeNamed(alias) }])
    }
    return { schemas: Object.fromEntries(schemas), aliases: Object.fromEntries(aliases) }
  }

  /** @param outer names that schemas hide whose `allOf` holds this one */
  schema(schema: Schema, place: Place, outer: Names = none): Json {
    if (schema.never === true) return false
    const { ref, allOf, anyOf, oneOf, properties, title, description, deprecated } = schema
    const hidden = hiddenNames(schema, place, outer)
    const undeclared = [...(schema.required ?? none)].filter(
      (name) => !hidden.has(name) && properties?.has(name) !== true
    )
    const core = this.#core(schema, place, hidden)
    const reference = ref && this.#reference(ref, place)
    const notes = present({ title, description, deprecated })
    const isComposed = (allOf ?? anyOf ?? oneOf) !== undefined || undeclared.length > 0
    if (!isComposed && (reference === undefined || !isTyped(core))) return { ...core, ...reference, ...notes }
    const isOfObjects = (part: Json) => withOtherTypes(part, schema)
    const parts = [
      reference ?? {},
      ...(allOf ?? []).map((part) => isOfObjects(this.schema(part, place, hidden))),
      ...[anyOf, oneOf].map((branches = []) => this.#union(branches, place)),
      isOfObjects(core),
      isOfObjects(requiredMembers(undeclared))
    ].filter(isTyped)
    // openapi-typescript ignores what stands beside a reference.
    const [only = core, ...further] = parts
    return { ...(further.length === 0 ? only : { allOf: parts }), ...notes }
  }

  /** Returns nothing for a union with a branch of any type. */
  #union(branches: readonly Schema[], place: Place): Json {
    const printed = branches.map((branch) => this.schema(branch, place))
    return printed.length > 0 && printed.every(isTyped) ? unionOf(printed) : {}
  }

  /** Prints what a schema says besides its compositions. */
  #core(schema: Schema, place: Place, hidden: Names): JsonObject {
    const { types = none, format } = schema
    const members = { ...this.#members(schema, place, hidden), ...this.#items(schema, place) }
    const named = this.#named(schema, place)
    if (named !== undefined) {
      const each = [...types].map((type) => (named.types.has(type) ? named.type : { ...members, type }))
      return present({ ...unionOf(literalsOf(schema, named) ?? [...new Set(each)]), format })
    }
    const [type, ...others] = types
    return present({ type: others.length > 0 ? [...types] : type, format, ...members, ...valuesIn(schema) })
  }

  #members(schema: Schema, place: Place, hidden: Names): JsonObject {
    const {
      properties,
      patterns = [],
      additional,
      unevaluatedProperties: unevaluated,
      required = none
    } = schema
    const inner = { isReceived: place.isReceived, ...partWithin(place) }
    const shown = [...(properties ?? [])].filter(([name]) => !hidden.has(name))
    const declared = shown.map(([name, each]) => [name, this.schema(each, inner)] as const)
    const others = [...patterns.map((each) => each.schema), ...(additional ? [additional] : [])].filter(
      isPossible
    )
    const isAny =
      others.some(isUnconstrained) ||
      (additional === undefined && patterns.length > 0) ||
      (unevaluated !== undefined && isPossible(unevaluated))
    // TypeScript checks the declared members against an index signature as well.
    const either = () =>
      unionOf([
        ...others.map((each) => this.schema(each, inner)),
        ...declared.flatMap(([, each]) => (each === false ? [] : [each]))
      ])
    return present({
      properties: properties && Object.fromEntries(declared),
      required: properties && [...required].filter((name) => properties.has(name) && !hidden.has(name)),
      additionalProperties: isAny || (others.length === 0 ? undefined : either())
    })
  }

  #items({ prefix, items, minItems = 0, maxItems = Infinity }: Schema, place: Place): JsonObject {
    const rest = items && this.schema(items, place)
    if (prefix === undefined) return present({ items: rest === false ? typeNamed('never') : rest })
    const listed = prefix.map((item) => this.schema(item, place))
    const isClosed = rest === false || maxItems <= listed.length
    return tupleOf(listed.slice(0, minItems), listed.slice(minItems), isClosed ? undefined : (rest ?? {}))
  }

  /** Returns a type that openapi-typescript does not know, and the types of values that it replaces. */
  #named({ types = none, format = '', content }: Schema, { part }: Place): Named | undefined {
    if (types.has('string') && this.#formats?.get(format)?.format.parse !== undefined)
      return { types: strings, type: { $ref: `#/Formats/${escapePointer(format)}` } }
    if (format === 'int64' && !numbers.isDisjointFrom(types))
      return { types: numbers, type: typeNamed('bigint') }
    const isField = part === 'field' || part === 'streamed field'
    // OpenAPI 3.1.0, section 4.8.14.2
    const isBytes =
      format === 'binary' ||
      (content?.mediaType !== undefined &&
        content.encoding === undefined &&
        bodyKind(content.mediaType) === 'binary')
    return isField && isBytes && types.has('string')
      ? { types: strings, type: typeNamed(part === 'field' ? 'FilePart' : 'UploadedFile') }
      : undefined
  }

  #reference(schema: Schema, place: Place): JsonObject {
    const name = this.#nameOf(schema, place)
    const alias = this.#aliases.get(name)
    return alias === undefined ? { $ref: `#/components/schemas/${escapePointer(name)}` } : typeNamed(alias)
  }

  #nameOf(schema: Schema, { isReceived, part }: Place): string {
    const differs = isReceived && hasSides(schema)
    const kind = [differs ? 'received' : '', part ? `multipart ${part}` : ''].filter(Boolean).join(' ')
    const known = this.#names.get(kind)?.get(schema)
    if (known !== undefined) return known
    const { name, origin } = schema
    const own = name === undefined ? origin.pointer.slice(2) : `components/schemas/${escapePointer(name)}`
    const text = kind === 'received' ? `received ${own.replace('components/schemas/', '')}` : `${kind} ${own}`
    const base = text
      .trim()
      .replaceAll('%', '%25')
      .replaceAll(/[^A-Za-z0-9]+/g, '_')
    let free = base
    for (let number = 2; this.#components.has(free); number++) free = `${base}_${number}`
    this.#add(kind, { name: free, schema, place: { isReceived: differs, ...(part && { part }) } })
    return free
  }

  #add(kind: string, component: Component): void {
    const { name, schema } = component
    const names = this.#names.get(kind) ?? new Map<Schema, string>()
    this.#names.set(kind, names.set(schema, name))
    this.#components.set(name, component)
    if (isLoop(schema)) this.#aliases.set(name, `Recursive${this.#aliases.size + 1}`)
  }
}

interface Named {
  readonly types: ReadonlySet<Type>
  readonly type: JsonObject
}

const strings: ReadonlySet<Type> = new Set(['string'])
const numbers: ReadonlySet<Type> = new Set(['integer', 'number'])

const isPossible = ({ never }: Schema): boolean => never !== true

const isSided = ({ readOnly, writeOnly }: Schema): boolean => readOnly === true || writeOnly === true

/** Returns true for a schema of which handlers receive other values than they send, or may. */
export const hasSides = (schema: Schema): boolean => reaches(schema, isSided)

/** Returns the names of properties that the writer of a message leaves out, wherever `required` names them. */
function hiddenNames(schema: Schema, { isReceived }: Place, outer: Names): Names {
  if (!hasSides(schema)) return outer
  const properties = partsOf(schema).flatMap((part) => [...(part.properties ?? [])])
  const flag = isReceived ? 'readOnly' : 'writeOnly'
  const own = properties.filter(([, property]) => isFlagged(property, flag)).map(([name]) => name)
  return new Set([...outer, ...own])
}

function partWithin({ part }: Place): Pick<Place, 'part'> {
  if (part === 'body') return { part: 'field' }
  return part === 'streamed body' ? { part: 'streamed field' } : {}
}

/**
 * Returns true for a union or list that contains itself without an object between. TypeScript refuses such a type as a
 * member of an interface and accepts it as an alias (TypeScript 3.7, recursive type aliases).
 */
function isLoop(schema: Schema): boolean {
  if (!isRecursive(schema)) return false
  const bare = ({ ref, allOf = [], anyOf = [], oneOf = [], prefix = [], items }: Schema) =>
    [ref, ...allOf, ...anyOf, ...oneOf, ...prefix, items].filter((each) => each !== undefined)
  const found = new Set(bare(schema))
  for (const each of found) for (const next of bare(each)) found.add(next)
  return found.has(schema)
}

/** Keywords that determine a type. */
const typed = [
  ...['type', '$ref', 'enum', 'const', 'properties', 'additionalProperties'],
  ...['allOf', 'anyOf', 'oneOf', 'items']
]
const isTyped = (printed: Json): printed is JsonObject =>
  typeof printed === 'object' && printed !== null && typed.some((key) => Object.hasOwn(printed, key))

function unionOf(printed: readonly Json[]): JsonObject {
  const [only = typeNamed('never')] = printed
  return printed.length < 2 && typeof only === 'object' ? (only as JsonObject) : { anyOf: printed }
}

/** Adds the types of other values: keywords of objects without `type` allow every value that is not an object. */
function withOtherTypes(printed: Json, whole: Schema): Json {
  const isOfObjects = isTyped(printed) && ('properties' in printed || 'additionalProperties' in printed)
  if (!isOfObjects || 'type' in printed) return printed
  const others = [...(merged([whole]).types ?? [])].filter((type) => type !== 'object')
  return unionOf([{ ...printed, type: 'object' }, ...others.map(ofType)])
}

const ofType = (type: MergedType): JsonObject => (type === 'int64' ? typeNamed('bigint') : { type })

/** Prints members of any value, which JSON cannot leave undefined. */
function requiredMembers(names: readonly string[]): JsonObject {
  if (names.length === 0) return {}
  const any = { anyOf: [typeNamed('{}'), { type: 'null' }] }
  return { properties: Object.fromEntries(names.map((name) => [name, any])), required: names }
}

/** Returns the values that `const` or `enum` allows and the types do; undefined if one has no literal type. */
function valuesOf({ const: constant, enum: listed, types }: Schema): readonly Json[] | undefined {
  const values = constant === undefined ? listed : [constant]
  if (values === undefined || values.length === 0) return undefined
  if (values.some((value) => typeof value === 'object' && value !== null)) return undefined
  return types === undefined ? values : values.filter((value) => isOfType(value, types))
}

function isOfType(value: Json, types: ReadonlySet<string>): boolean {
  if (value === null) return types.has('null')
  if (typeof value !== 'number' && typeof value !== 'bigint') return types.has(typeof value)
  return (
    types.has('number') || (types.has('integer') && (typeof value === 'bigint' || Number.isInteger(value)))
  )
}

function valuesIn(schema: Schema): JsonObject {
  const values = valuesOf(schema)?.map((value) => (typeof value === 'bigint' ? Number(value) : value))
  if (values === undefined) return {}
  const [only = null] = values
  if (schema.const === undefined || values.length === 0) return { enum: values }
  return only === null ? { type: 'null' } : { const: only }
}

/** Returns the literals of int64 values; undefined for any value. */
function literalsOf(schema: Schema, { types }: Named): Json[] | undefined {
  if (types !== numbers) return undefined
  return valuesOf(schema)?.map((value) => {
    if (value === null) return { type: 'null' }
    const isNumber = typeof value === 'bigint' || Number.isInteger(value)
    return isNumber ? typeNamed(`${BigInt(value as bigint)}n`) : { const: value }
  })
}
