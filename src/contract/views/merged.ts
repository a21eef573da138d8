/**
 * Merges what a schema says of a value with every composition (`$ref`, `allOf`, `anyOf`, `oneOf`, `then`, `else`,
 * `dependentSchemas`, heirs of a discriminator): types, declared properties and items. The result does not validate: it
 * determines how a text is decoded, and which members of a valid value are written.
 */
import type { Json } from '../model/json.ts'
import { NodeOrigin } from '../model/origin.ts'
import { make, type PatternProperties, type Schema, type Type } from '../model/schema.ts'
import { type Flag, isFlagged, isUnconstrained } from './parts.ts'

/** Side that writes the message: a service sends no `writeOnly` property, a client no `readOnly` one. */
export type Writer = 'service' | 'client'

/** Flags of the properties that messages of a writer do not have. */
export const hiddenFlags: Readonly<Record<Writer, Flag>> = { service: 'writeOnly', client: 'readOnly' }

/** Results for one writer. */
class Views {
  /** Results of single schemas. */
  readonly single = new WeakMap<Schema, Merged>()
  /** Results of lists, by a schema of each and the numbers of all. */
  readonly lists = new WeakMap<Schema, Map<string, Merged>>()
  readonly whole = new WeakMap<Schema, Merged>()
}

const views = { service: new Views(), client: new Views(), anybody: new Views() }
const ids = new WeakMap<Schema, number>()
let lastId = 0

/** Returns the number that stands for a schema in keys. */
export function idOf(schema: Schema): number {
  const id = ids.get(schema) ?? ++lastId
  ids.set(schema, id)
  return id
}

/**
 * Returns what holds for a value to which any of the schemas may apply; the same object for the same schemas.
 * @param writer side that writes the value; undefined where the flags have no effect, as in parameters
 */
export function merged(schemas: readonly Schema[], writer?: Writer): Merged {
  const { single, lists } = views[writer ?? 'anybody']
  const [first = anyValue] = schemas
  if (schemas.length === 1) {
    const alone = single.get(first) ?? openedUp(new Merging(writer).of(schemas))
    single.set(first, alone)
    return alone
  }
  // The constants outlive every contract, and with them what was merged for one.
  const owner = schemas.find((schema) => schema !== anyValue && schema !== onlyRequired) ?? first
  const known = lists.get(owner) ?? new Map<string, Merged>()
  lists.set(owner, known)
  const key = schemas.map(idOf).join()
  const found = known.get(key) ?? openedUp(new Merging(writer).of(schemas))
  known.set(key, found)
  return found
}

/** An object without declared properties may have any. */
const openedUp = (found: Merged): Merged =>
  found.isOpen && mayBe(found, 'object')
    ? { ...found, unnamed: [{ patterns: [], additional: [anyValue] }] }
    : found

/** Merges after which schemas of a cycle are merged once, too, from wherever the cycle was entered first. */
const maxMerges = 2_000

/** One composition: each schema in it is merged once, because 28 that hold the next one twice would take 2^28 merges. */
class Merging {
  readonly #flag: Flag | undefined
  /** Results of schemas in no cycle: they hold for all compositions. */
  readonly #whole: WeakMap<Schema, Merged>
  /** Results of other schemas: they depend on where their cycle was entered. */
  readonly #known = new Map<Schema, Merged>()
  /** Schemas being merged, with their depths. */
  readonly #open = new Map<Schema, number>()
  /** Least depth at which a cycle has ended since the schema being merged was entered. */
  #cycleEnd = Infinity
  #merges = 0

  constructor(writer: Writer | undefined) {
    this.#flag = writer && hiddenFlags[writer]
    this.#whole = views[writer ?? 'anybody'].whole
  }

  of(schemas: readonly Schema[]): Merged {
    return union(schemas.map((schema) => this.#merged(schema)))
  }

  /** Returns what holds for a schema; one that holds itself adds nothing. */
  #merged(schema: Schema): Merged {
    const known = this.#whole.get(schema) ?? this.#known.get(schema)
    if (known !== undefined) return known
    const depth = this.#open.get(schema)
    if (depth === undefined) return this.#entered(schema)
    this.#cycleEnd = Math.min(this.#cycleEnd, depth)
    return anything
  }

  #entered(schema: Schema): Merged {
    const [depth, cycleEnd] = [this.#open.size, this.#cycleEnd]
    this.#cycleEnd = Infinity
    this.#open.set(schema, depth)
    const result = this.#composed(schema)
    this.#open.delete(schema)
    // A result without a schema above it holds only there.
    const isWhole = this.#cycleEnd >= depth
    if (!isWhole) this.#merges++
    const isLarge = this.#merges > maxMerges
    if (this.#cycleEnd === Infinity && !isLarge) this.#whole.set(schema, result)
    else if (isWhole || isLarge) this.#known.set(schema, result)
    this.#cycleEnd = isWhole ? cycleEnd : Math.min(cycleEnd, this.#cycleEnd)
    return result
  }

  #composed(schema: Schema): Merged {
    const parts: [Merged, ...Merged[]] = [this.#base(schema), ...this.#all(schema.allOf)]
    if (schema.ref !== undefined) parts.push(this.#merged(schema.ref))
    for (const branches of [schema.anyOf, schema.oneOf])
      if (branches !== undefined) parts.push(union(this.#all(branches)))
    const conditional = [schema.then, schema.else, ...(schema.dependentSchemas?.values() ?? [])]
    for (const part of conditional) if (part !== undefined) parts.push(conditionally(this.#merged(part)))
    const heirs = schema.discriminator?.heirs ?? []
    if (heirs.length > 0) parts.push(inherited(this.#all(heirs)))
    return intersection(parts)
  }

  #all = (schemas: readonly Schema[] = []): Merged[] => schemas.map((schema) => this.#merged(schema))

  #base(schema: Schema): Merged {
    const { properties, patterns, additional, unevaluatedProperties } = schema
    const unnamed = unnamedOf(schema)
    const types = typesOf(schema)
    const isHidden = (property: Schema) => this.#flag !== undefined && isFlagged(property, this.#flag)
    const required = schema.required ?? none
    const declared = new Map<string, readonly Schema[]>()
    for (const name of required) {
      const schemas = unnamedSchemas(unnamed, name)
      declared.set(name, schemas.length > 0 ? schemas : [onlyRequired])
    }
    const hidden: string[] = []
    for (const [name, property] of properties ?? []) {
      const isLeftOut = isHidden(property)
      if (isLeftOut) hidden.push(name)
      const further = unnamed.flatMap((each) => matching(each.patterns, name))
      declared.set(name, isLeftOut ? [] : [property, ...further])
    }
    return {
      ...(types && { types }),
      properties: declared.size === 0 ? anything.properties : declared,
      required: hidden.length === 0 ? required : required.difference(new Set(hidden)),
      unnamed,
      ...itemsOf(schema),
      isOpen: [properties, patterns, additional, unevaluatedProperties].every((each) => each === undefined),
      isUnion: false
    }
  }
}

const none: ReadonlySet<string> = new Set()

const anything: Merged = {
  properties: new Map(),
  required: none,
  unnamed: [],
  items: [],
  prefix: [],
  isOpen: true,
  isUnion: false
}

/** A condition says nothing of the types of other values, and requires nothing of them. */
const conditionally = ({ types: _types, ...part }: Merged): Merged => ({
  ...part,
  required: none,
  isUnion: true
})

function unnamedOf({ patterns = [], additional, unevaluatedProperties }: Schema): Unnamed[] {
  const others = allowed([additional, unevaluatedProperties])
  return patterns.length + others.length === 0 ? [] : [{ patterns, additional: others }]
}

const allowed = (schemas: readonly (Schema | undefined)[]): Schema[] =>
  schemas.filter((schema) => schema !== undefined && schema.never !== true) as Schema[]

/** Returns the schemas of items; those of `contains` apply to some of them. */
function itemsOf(schema: Schema): Pick<Merged, 'items' | 'prefix'> {
  const { prefix = [], items, unevaluatedItems } = schema
  const contains = schema.contains === undefined ? [] : [schema.contains.schema]
  const others = allowed([items, unevaluatedItems])
  const isAny = items === undefined && unevaluatedItems === undefined && prefix.length > 0
  return {
    items: isAny ? [anyValue] : others.length > 0 ? [...others, ...contains] : [],
    prefix: prefix.map((item) => [item, ...contains])
  }
}

function typesOf({ types, format, const: constant, enum: values }: Schema): Merged['types'] {
  if (types !== undefined)
    return format === 'int64'
      ? new Set([...types].map((type) => (type === 'integer' || type === 'number' ? 'int64' : type)))
      : types
  const listed = constant === undefined ? (values ?? []) : [constant]
  return listed.length === 0 ? undefined : new Set(listed.map(typeOf))
}

/** Returns the type of a value (JSON Schema Core 2020-12, section 4.2.1); every number is a `number`. */
export function typeOf(value: Json): Exclude<Type, 'integer'> {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'bigint' ? 'number' : (typeof value as 'boolean' | 'number' | 'string' | 'object')
}

export type MergedType = Type | 'int64'

/** Schemas of properties without their names: those of every matching pattern, otherwise the additional ones. */
interface Unnamed {
  readonly patterns: readonly PatternProperties[]
  readonly additional: readonly Schema[]
}

/** Statements of schemas together. Lists of schemas mean that any of them may apply; `merged` takes such a list. */
export interface Merged {
  /** Types of the values; undefined for any type. */
  readonly types?: ReadonlySet<MergedType>
  /** Declared and required properties; an empty list for one that the writer leaves out. */
  readonly properties: ReadonlyMap<string, readonly Schema[]>
  /** Properties that every object has. */
  readonly required: ReadonlySet<string>
  /** Entries for schemas that declare properties without their names; empty without such schemas. */
  readonly unnamed: readonly Unnamed[]
  /** Schemas of the items; empty when any item is allowed. */
  readonly items: readonly Schema[]
  readonly prefix: readonly (readonly Schema[])[]
  /** True when no property is declared: an object may have any. */
  readonly isOpen: boolean
  /** True when members come from alternatives: a member's types hold for one alternative only. */
  readonly isUnion: boolean
}

const nowhere = new NodeOrigin(() => ({ file: '', pointer: '#', line: 1, column: 1 }), {})
/** Schema of a property that is required but not declared. */
const onlyRequired: Schema = make({}, { origin: nowhere })
/** Schema of any value, where the contract gives none. */
export const anyValue: Schema = make({}, { origin: nowhere })

const anyProperty: Unnamed = { patterns: [], additional: [anyValue] }

/** Returns what holds for values that fit all parts. */
function intersection(parts: readonly [Merged, ...Merged[]]): Merged {
  if (parts.length === 1) return parts[0]
  const types = parts.map((part) => part.types).reduce(narrower)
  const isUnion = parts.some((part) => part.isUnion)
  const result = merge(parts, isUnion ? declaring : restricting)
  // A message that leaves a property out leaves it out of every branch that requires it.
  const required = parts.flatMap((part) => [...part.required])
  return {
    ...result,
    required: new Set(required.filter((name) => result.properties.get(name)?.length !== 0)),
    ...(types && { types })
  }
}

/** Returns what holds for values that fit any of the parts. */
function union(parts: readonly Merged[]): Merged {
  const [only] = parts
  if (only !== undefined && parts.length === 1 && mayBe(only, 'object')) return only
  const isOpened = parts.some((part) => !part.isOpen)
  const hasItems = parts.some((part) => part.items.length > 0)
  const result = merge(
    parts.map((part) => withAnyItem(withAnyProperty(part, isOpened), hasItems)),
    declared
  )
  const isTyped = parts.every(({ types }) => types !== undefined)
  const objects = parts.filter((part) => mayBe(part, 'object')).map(({ required }) => required)
  const [first = new Set<string>(), ...others] = objects
  return {
    ...result,
    required: others.reduce((all, required) => all.intersection(required), first),
    ...(isTyped && { types: new Set(parts.flatMap(({ types }) => [...(types ?? [])])) }),
    isUnion: result.isUnion || alternates(parts)
  }
}

/** Merges the heirs of a discriminator: a value belongs to one of them, and none restricts the members of the parent. */
function inherited(heirs: readonly Merged[]): Merged {
  const { types: _types, ...either } = union(heirs.map((heir) => ({ ...heir, isOpen: false })))
  return { ...either, required: new Set(), isOpen: true, isUnion: true }
}

/** Returns true when the values may have the type. */
const mayBe = ({ types }: Merged, type: MergedType): boolean => types === undefined || types.has(type)

/** Returns true when several parts may be objects, or several may be arrays. */
const alternates = (parts: readonly Merged[]): boolean =>
  (['object', 'array'] as const).some((type) => parts.filter((part) => mayBe(part, type)).length > 1)

function withAnyProperty(part: Merged, isOpened: boolean): Merged {
  if (!isOpened || !part.isOpen || !mayBe(part, 'object')) return part
  return { ...part, unnamed: [...part.unnamed, anyProperty] }
}

function withAnyItem(part: Merged, hasItems: boolean): Merged {
  const isFree = part.items.length === 0 && part.prefix.length === 0 && mayBe(part, 'array')
  return hasItems && isFree ? { ...part, items: [anyValue] } : part
}

/** Chooses the schemas of a member from those of every part. */
type Choice = (lists: readonly (readonly Schema[])[]) => readonly Schema[]

function merge(parts: readonly Merged[], choose: Choice): Omit<Merged, 'types' | 'required'> {
  const names = new Set(parts.flatMap((part) => [...part.properties.keys()]))
  const longest = Math.max(0, ...parts.map(({ prefix }) => prefix.length))
  return {
    properties: new Map([...names].map((name) => [name, propertySchemas(parts, name, choose)])),
    unnamed: unique(parts.flatMap((part) => part.unnamed)),
    items: choose(parts.map(({ items }) => items)),
    prefix: Array.from({ length: longest }, (_, index) =>
      choose(parts.map(({ prefix, items }) => prefix[index] ?? items))
    ),
    isOpen: parts.every((part) => part.isOpen),
    isUnion: parts.some((part) => part.isUnion)
  }
}

/** Returns the schemas of a property; an empty list when a part hides it. */
function propertySchemas(parts: readonly Merged[], name: string, choose: Choice): readonly Schema[] {
  const isHidden = parts.some(({ properties }) => properties.get(name)?.length === 0)
  return isHidden
    ? []
    : choose(parts.map(({ properties, unnamed }) => properties.get(name) ?? unnamedSchemas(unnamed, name)))
}

/** Returns the schemas of all properties without a name. */
export const allUnnamed = ({ unnamed }: Pick<Merged, 'unnamed'>): Schema[] => [
  ...unnamed.flatMap(({ additional }) => additional),
  ...unnamed.flatMap(({ patterns }) => patterns.map(({ schema }) => schema))
]

/** Returns the schemas of a property that no part names. */
const unnamedSchemas = (unnamed: readonly Unnamed[], name: string): readonly Schema[] =>
  unnamed.flatMap(({ patterns, additional }) => {
    const found = matching(patterns, name)
    return found.length > 0 ? found : additional
  })

const matching = (patterns: readonly PatternProperties[], name: string): readonly Schema[] =>
  patterns.flatMap(({ pattern, schema }) => (pattern.regexp.test(name) ? [schema] : []))

/**
 * Drops lists that declare nothing about the member. A branch that declares any value counts unless every branch
 * applies.
 */
const declared: Choice = (lists) => without(lists, (schema) => schema === onlyRequired)
const declaring: Choice = (lists) =>
  without(lists, (schema) => schema === onlyRequired || schema === anyValue)
const restricting: Choice = (lists) => without(lists, isUnconstrained)

function without(
  lists: readonly (readonly Schema[])[],
  isFree: (schema: Schema) => boolean
): readonly Schema[] {
  const specific = lists.filter((list) => !list.every(isFree))
  return unique((specific.length > 0 ? specific : lists).flat())
}

/** Returns each once: a part may be held twice at each level. */
const unique = <T>(list: readonly T[]): T[] => [...new Set(list)]

type Types = Merged['types']

function narrower(a: Types, b: Types): Types {
  if (a === undefined) return b
  if (b === undefined) return a
  return new Set([...a].flatMap((type) => [...b].flatMap((other) => common(type, other))))
}

const numbers: readonly MergedType[] = ['number', 'integer', 'int64']

function common(a: MergedType, b: MergedType): MergedType[] {
  if (a === b) return [a]
  const [rankA, rankB] = [numbers.indexOf(a), numbers.indexOf(b)]
  return rankA < 0 || rankB < 0 ? [] : [rankA > rankB ? a : b]
}
