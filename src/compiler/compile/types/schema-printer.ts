/**
 * Prints schemas of the model for openapi-typescript, which writes their types as validators enforce them: what it
 * misreads or does not know is printed in its own words.
 */
import {
  type Discriminator,
  hasSides,
  holdsBytes,
  isRecursive,
  isUnconstrained,
  type Json,
  type JsonObject,
  merged,
  type OwnFormats,
  partsAndItems,
  partsOf,
  present,
  reaches,
  type Schema,
  type Type,
  target
} from '@contract-first/contract'
import { escapePointer } from '@contract-first/engine/json'
import { hasType } from '../../../tools/samples/fit.ts'
import { HiddenNames } from '../validators/reading.ts'
import { tupleOf, typeNamed } from './transform.ts'

export interface Place {
  /** True for what a handler or sender receives. */
  readonly isReceived: boolean
  /** Place in a multipart body: strings of fields may be bytes; deeper strings are JSON. */
  readonly part?: 'body' | 'field' | undefined
  /** True in a multipart body whose files are streams. */
  readonly isStreamed?: boolean | undefined
}

/** A component of the contract, or a schema of another place that something refers to. */
interface Component {
  readonly name: string
  readonly schema: Schema
  readonly place: Place
  /** Name of the type that a schema needs which contains itself without an object between. */
  readonly alias?: string
}

type Names = ReadonlySet<string>
const none: ReadonlySet<never> = new Set()

export class SchemaPrinter {
  readonly #schemas: ReadonlyMap<string, Schema>
  readonly #formats: OwnFormats | undefined
  /** All components by name, and by schema for each kind of place. */
  readonly #components = new Map<string, Component>()
  readonly #known = new Map<string, Map<Schema, Component>>()
  readonly #hidden = { received: new HiddenNames('readOnly'), sent: new HiddenNames('writeOnly') }
  /** Names of the engine's types that were printed; complete when the components are. */
  readonly named = new Set<string>()
  /** Schemas of aliases by name; complete when the components are printed. */
  readonly aliases = new Map<string, Json>()

  /** @param schemas components of the contract */
  constructor(schemas: ReadonlyMap<string, Schema>, formats: OwnFormats | undefined) {
    this.#schemas = schemas
    this.#formats = formats
    for (const [name, schema] of schemas) this.#add('', { name, schema, place: { isReceived: false } })
  }

  /** Number of components; complete when they are printed. */
  get size(): number {
    return this.#components.size
  }

  /** Returns the names of the types that handlers receive, by the names of schemas that differ from what they send. */
  received(): Map<string, string> {
    const pairs = [...this.#schemas].map(
      ([name, schema]) => [name, this.#component(schema, { isReceived: true }).name] as const
    )
    return new Map(pairs.filter(([name, other]) => name !== other))
  }

  /** Prints all components; call it last. */
  *components(): Iterable<[name: string, printed: Json]> {
    // Printing one may add further ones.
    for (const { name, schema, place, alias } of this.#components.values()) {
      const type = this.schema(schema, place)
      if (alias !== undefined) this.aliases.set(alias, type)
      yield [name, alias === undefined ? type : { ...Object(type), ...typeNamed(alias) }]
    }
  }

  /** @param outer names that schemas hide whose `allOf` holds this one */
  schema(schema: Schema, place: Place, outer: Names = none): Json {
    if (schema.never === true) return false
    const { ref, allOf, anyOf, oneOf, discriminator, title, description, deprecated } = schema
    const hidden = this.#hidden[place.isReceived ? 'received' : 'sent'].with(schema, outer)
    const core = this.#core(schema, place, hidden)
    const reference = ref && this.#reference(ref, place)
    const notes = present({ title, description, deprecated })
    const isComposed = (allOf ?? anyOf ?? oneOf) !== undefined || (reference !== undefined && isTyped(core))
    if (!isComposed) return { ...core, ...reference, ...notes }
    const parts = [
      reference ?? {},
      ...(allOf ?? []).map((part) => withOtherTypes(this.schema(part, place, hidden), schema)),
      ...[anyOf, oneOf].map((branches = []) => this.#union(branches, place, discriminator)),
      withOtherTypes(core, schema)
    ].filter(isTyped)
    // openapi-typescript ignores what stands beside a reference.
    const [only = core, ...further] = parts
    return { ...(further.length === 0 ? only : { allOf: parts }), ...notes }
  }

  /** Returns nothing for a union with a branch of any type. */
  #union(branches: readonly Schema[], place: Place, discriminator?: Discriminator): Json {
    const printed = branches.map((branch) => {
      const tag = discriminator && this.#tag(branch, place, discriminator)
      return tag === undefined ? this.schema(branch, place) : { allOf: [this.schema(branch, place), tag] }
    })
    return printed.length > 0 && printed.every(isTyped) ? unionOf(printed) : {}
  }

  /**
   * Prints the values of a discriminator that select a branch. They stand beside the branch, because its schema may allow
   * others elsewhere. Returns nothing for the branch of all other values, and where the branch lists the values itself.
   */
  #tag(
    branch: Schema,
    { isReceived }: Place,
    { property, tags = new Map(), otherwise }: Discriminator
  ): Json | undefined {
    const values = [...tags].flatMap(([value, to]) => (to === branch ? [value] : []))
    const parts = partsOf(branch)
    const declared = parts.flatMap((part) => part.properties?.get(property) ?? [])
    const isListed = declared.flatMap(partsOf).some((part) => valuesOf(part)?.length === values.length)
    const isHidden = this.#hidden[isReceived ? 'received' : 'sent'].in(branch).has(property)
    const isObject = merged([branch]).types?.has('object') ?? !isUnconstrained(target(branch))
    if (values.length === 0 || branch.ref === otherwise || isListed || isHidden || !isObject) return undefined
    const required = parts.some((part) => part.required?.has(property)) ? [property] : []
    const properties = { [property]: { type: 'string', enum: values } }
    return withOtherTypes({ properties, required }, branch)
  }

  /** Prints what a schema says besides its compositions. */
  #core(schema: Schema, place: Place, hidden: Names): JsonObject {
    const { types = none, format } = schema
    const members = { ...this.#members(schema, place, hidden), ...this.#items(schema, place) }
    const named = this.#named(schema, place)
    if (named !== undefined) {
      const each = [...types].map((type) => (named.types.has(type) ? named.type : { ...members, type }))
      return present({ ...unionOf([...new Set(each)]), format })
    }
    const [type, ...others] = types
    return present({ type: others.length > 0 ? [...types] : type, format, ...members, ...literalsOf(schema) })
  }

  #members(schema: Schema, place: Place, hidden: Names): JsonObject {
    const {
      types,
      properties,
      required: listed = none,
      patterns = [],
      additional,
      unevaluatedProperties
    } = schema
    const inner: Place = { ...place, part: place.part === 'body' ? 'field' : undefined }
    const print = (each: Schema) => this.schema(each, inner)
    const names = [...new Set([...(properties?.keys() ?? []), ...listed])].filter((name) => !hidden.has(name))
    const members = names.map((name) => {
      const property = properties?.get(name)
      return [name, property === undefined ? anyMember : print(property)] as const
    })
    const declared = members.flatMap(([, each]) => (each === anyMember || each === false ? [] : [each]))
    const rest = [...patterns.map((each) => each.schema), additional].filter(isPossible)
    const isAny =
      rest.some(isUnconstrained) ||
      isPossible(unevaluatedProperties) ||
      // An object without declared properties may have any.
      (additional === undefined &&
        (patterns.length > 0 || (names.length > 0 && !properties && types?.has('object'))))
    // TypeScript checks the declared members against an index signature as well.
    const others = () => (rest.length === 0 ? undefined : unionOf([...rest.map(print), ...declared]))
    return present({
      ...((properties !== undefined || names.length > 0) && {
        properties: Object.fromEntries(members),
        required: names.filter((name) => listed.has(name))
      }),
      additionalProperties: isAny || others()
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
  #named(schema: Schema, { part, isStreamed }: Place): Named | undefined {
    const { types = none, format = '' } = schema
    if (types.has('string') && this.#formats?.get(format)?.format.parse !== undefined)
      return { types: strings, type: { $ref: `#/Formats/${escapePointer(format)}` } }
    if (part === 'field' && holdsBytes(schema)) {
      const name = isStreamed ? 'UploadedFile' : 'FilePart'
      this.named.add(name)
      return { types: strings, type: typeNamed(name) }
    }
    if (format !== 'int64' || numbers.isDisjointFrom(types)) return undefined
    const values = valuesOf(schema)
    return values === undefined
      ? { types: numbers, type: typeNamed('bigint') }
      : { types, type: unionOf(values.map(int64Literal)) }
  }

  #reference(schema: Schema, place: Place): JsonObject {
    const { name, alias } = this.#component(schema, place)
    return alias === undefined ? { $ref: `#/components/schemas/${escapePointer(name)}` } : typeNamed(alias)
  }

  #component(schema: Schema, { part, isStreamed, ...place }: Place): Component {
    const isReceived = place.isReceived && hasSides(schema)
    const multipart = part && reaches(schema, holdsBytes) && { part, isStreamed }
    const words = [
      isReceived && 'received',
      multipart && `multipart ${part}`,
      multipart && isStreamed && 'streamed'
    ]
    const kind = words.filter(Boolean).join(' ')
    const known = this.#known.get(kind)?.get(schema)
    if (known !== undefined) return known
    const text = `${kind} ${schema.name ?? schema.origin.pointer}`
    const base = text.replaceAll(/[^A-Za-z0-9]+/g, '_').replace(/^_/, '')
    let name = base
    for (let number = 2; this.#components.has(name); number++) name = `${base}_${number}`
    return this.#add(kind, { name, schema, place: { isReceived, ...multipart } })
  }

  #add(kind: string, found: Component): Component {
    const { name, schema } = found
    const component = isLoop(schema) ? { ...found, alias: `Recursive${this.aliases.size + 1}` } : found
    if (component.alias !== undefined) this.aliases.set(component.alias, false)
    const known = this.#known.get(kind) ?? new Map<Schema, Component>()
    this.#known.set(kind, known.set(schema, component))
    this.#components.set(name, component)
    return component
  }
}

interface Named {
  readonly types: ReadonlySet<Type>
  readonly type: JsonObject
}

const strings: ReadonlySet<Type> = new Set(['string'])
const numbers: ReadonlySet<Type> = new Set(['integer', 'number'])
/** Member of any value, which JSON cannot leave undefined. */
const anyMember = { anyOf: [typeNamed('{}'), { type: 'null' }] }

const isPossible = (schema: Schema | undefined): schema is Schema =>
  schema !== undefined && schema.never !== true

/**
 * Returns true for a union or list that contains itself without an object between. TypeScript refuses such a type as a
 * member of an interface and accepts it as an alias (TypeScript 3.7, recursive type aliases).
 */
function isLoop(schema: Schema): boolean {
  if (!isRecursive(schema)) return false
  const found = new Set(partsAndItems(schema))
  for (const each of found) for (const next of partsAndItems(each)) found.add(next)
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
  return printed.length < 2 ? Object(only) : { anyOf: printed }
}

/** Adds the types of other values: keywords of objects without `type` allow every value that is not an object. */
function withOtherTypes(printed: Json, whole: Schema): Json {
  const isOfObjects = isTyped(printed) && ('properties' in printed || 'additionalProperties' in printed)
  if (!isOfObjects || 'type' in printed) return printed
  const others = [...(merged([whole]).types ?? [])].filter((type) => type !== 'object')
  const named = others.map((type) => (type === 'int64' ? typeNamed('bigint') : { type }))
  return unionOf([{ ...printed, type: 'object' }, ...named])
}

/** Returns the values that `const` or `enum` allows and the types do; undefined if one has no literal type. */
function valuesOf({ const: constant, enum: listed = [], types }: Schema): readonly Json[] | undefined {
  const values = constant === undefined ? listed : [constant]
  const isLiteral = (value: Json) => typeof value !== 'object' || value === null
  if (values.length === 0 || !values.every(isLiteral)) return undefined
  return types === undefined ? values : values.filter((value) => hasType(value, types))
}

function literalsOf(schema: Schema): JsonObject {
  const values = valuesOf(schema)?.map((value) => (typeof value === 'bigint' ? Number(value) : value))
  if (values === undefined) return {}
  const [only = null] = values
  if (schema.const === undefined || values.length === 0) return { enum: values }
  return only === null ? { type: 'null' } : { const: only }
}

function int64Literal(value: Json): JsonObject {
  if (value === null) return { type: 'null' }
  const isInteger = typeof value === 'bigint' || Number.isInteger(value)
  return isInteger ? typeNamed(`${BigInt(value as bigint)}n`) : { const: value }
}
