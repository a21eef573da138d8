/**
 * The shape of the values that a schema allows: types, declared properties, items, with every composition
 * (`$ref`, `allOf`, `anyOf`, `oneOf`, `then`, `else`, `dependentSchemas`) merged. Validation is not its concern:
 * a shape says what to read from a text, and what to write of a value that is known to be valid.
 */
import { inheritors } from './discriminator.ts'
import { arrayOf, isObject, type Json, type JsonObject, objectOf, own } from './json.ts'
import { atPointer, isFlagged, plainTarget, pointerOf } from './reference.ts'
import { typesOf } from './schema.ts'

export type ShapeType = 'string' | 'number' | 'integer' | 'int64' | 'boolean' | 'null' | 'object' | 'array'

/** Children are lists of schemas, any of which may apply; `Shapes.of` makes a shape of them. */
export interface Shape {
  /** undefined: any. */
  readonly types: ReadonlySet<ShapeType> | undefined
  readonly properties: ReadonlyMap<string, readonly Json[]>
  readonly patterns: readonly (readonly [string, Json])[]
  /** Schemas of undeclared properties; empty: there are none. */
  readonly additional: readonly Json[]
  /** Schemas of the items; empty: nothing is said of them. */
  readonly items: readonly Json[]
  readonly prefixItems: readonly (readonly Json[])[]
  /** Nothing is said of properties: an object of this shape may hold any. */
  readonly free: boolean
  /** Members are of alternatives: where another one holds, a member may be of other types than are said here. */
  readonly loose: boolean
}

const anything: Shape = {
  types: undefined,
  properties: new Map(),
  patterns: [],
  additional: [],
  items: [],
  prefixItems: [],
  free: true,
  loose: false
}

export class Shapes {
  readonly #document: JsonObject
  readonly #heirs = new WeakMap<JsonObject, readonly JsonObject[]>()
  readonly #hidden: 'readOnly' | 'writeOnly' | undefined

  /** @param hidden properties with this flag are left out */
  constructor(document: JsonObject, hidden?: 'readOnly' | 'writeOnly') {
    this.#document = document
    this.#hidden = hidden
  }

  of(schemas: readonly Json[]): Shape {
    const shape = union(schemas.map((schema) => this.#shape(schema, new Set())))
    const mayBeObject = shape.types === undefined || shape.types.has('object')
    return shape.free && mayBeObject ? { ...shape, additional: [true] } : shape
  }

  target(schema: Json): Json {
    return plainTarget(this.#document, schema)
  }

  #shape(schema: Json | undefined, seen: ReadonlySet<Json>): Shape {
    if (!isObject(schema) || seen.has(schema)) return anything
    const within = new Set(seen).add(schema)
    const shapes = (key: string) => arrayOf(own(schema, key)).map((part) => this.#shape(part, within))
    const pointer = pointerOf(schema)
    const parts = [this.#base(schema), ...shapes('allOf')]
    if (pointer !== undefined) parts.push(this.#shape(atPointer(this.#document, pointer), within))
    for (const key of ['anyOf', 'oneOf']) if (shapes(key).length > 0) parts.push(union(shapes(key)))
    for (const part of conditional(schema))
      parts.push({ ...this.#shape(part, within), types: undefined, loose: true })
    const heirs = this.#inheritors(schema).map((heir) => this.#shape(heir, within))
    if (heirs.length > 0) parts.push(inherited(heirs))
    const shape = intersection(parts)
    return own(schema, 'nullable') === true ? { ...shape, types: withNull(shape.types) } : shape
  }

  #inheritors(schema: JsonObject): readonly JsonObject[] {
    const heirs = this.#heirs.get(schema) ?? inheritors(this.#document, schema)
    this.#heirs.set(schema, heirs)
    return heirs
  }

  #base(schema: JsonObject): Shape {
    const properties = new Map<string, Json[]>()
    for (const name of arrayOf(own(schema, 'required'))) properties.set(String(name), [true])
    for (const [name, property] of Object.entries(objectOf(own(schema, 'properties'))))
      properties.set(name, [property])
    for (const [name, [property]] of properties) if (this.#isHidden(property)) properties.set(name, [])
    const patterns = Object.entries(objectOf(own(schema, 'patternProperties')))
    const additional = ['additionalProperties', 'unevaluatedProperties'].map((key) => own(schema, key))
    const items = [own(schema, 'items'), own(schema, 'unevaluatedItems')].filter((item) => item !== undefined)
    return {
      types: typeSet(schema),
      properties,
      patterns,
      additional: additional.filter((item) => item !== undefined && item !== false),
      items: items.filter((item) => item !== false),
      prefixItems: arrayOf(own(schema, 'prefixItems')).map((item) => [item]),
      free:
        own(schema, 'properties') === undefined &&
        patterns.length === 0 &&
        additional.every((item) => item === undefined),
      loose: false
    }
  }

  #isHidden(property: Json | undefined): boolean {
    return this.#hidden !== undefined && isFlagged(this.#document, property, this.#hidden)
  }
}

/** Of those that a discriminator tells apart only one is meant; none of them says more of the parent's own members. */
function inherited(heirs: readonly Shape[]): Shape {
  const either = union(heirs.map((heir) => ({ ...heir, free: false })))
  return { ...either, types: undefined, free: true, loose: true }
}

function conditional(schema: JsonObject): Json[] {
  const branches = [
    own(schema, 'then'),
    own(schema, 'else'),
    ...dependentSchemas(schema).map(([, branch]) => branch)
  ]
  return branches.filter((branch) => branch !== undefined)
}

/** By the name of the property that they depend on; earlier drafts have lists of names between them. */
export function dependentSchemas(schema: JsonObject): [string, Json][] {
  const members = ['dependentSchemas', 'dependencies'].flatMap((key) =>
    Object.entries(objectOf(own(schema, key)))
  )
  return members.filter(([, branch]) => !Array.isArray(branch))
}

function typeSet(schema: JsonObject): Set<ShapeType> | undefined {
  const types = typesOf(schema) as ShapeType[]
  if (types.length === 0) return valueTypes(schema)
  const wide = own(schema, 'format') === 'int64'
  return new Set(types.map((type) => (wide && (type === 'integer' || type === 'number') ? 'int64' : type)))
}

/** Types of what `const` and `enum` list. */
function valueTypes(schema: JsonObject): Set<ShapeType> | undefined {
  const constant = own(schema, 'const')
  const values = constant === undefined ? arrayOf(own(schema, 'enum')) : [constant]
  const types = values.map((value): ShapeType => {
    if (value === null) return 'null'
    if (Array.isArray(value)) return 'array'
    return typeof value === 'bigint' ? 'number' : (typeof value as 'string' | 'number' | 'boolean' | 'object')
  })
  return types.length === 0 ? undefined : new Set(types)
}

function withNull(types: Shape['types']): Shape['types'] {
  return types === undefined ? undefined : new Set([...types, 'null'] as const)
}

function intersection(parts: readonly Shape[]): Shape {
  return { ...merge(parts), types: parts.map(({ types }) => types).reduce(narrower) }
}

function union(parts: readonly Shape[]): Shape {
  const merged = merge(parts)
  const known = parts.map(({ types }) => types).filter((types) => types !== undefined)
  const types = known.length === parts.length ? new Set(known.flatMap((types) => [...types])) : undefined
  const opens =
    !merged.free && parts.some((part) => part.free && (part.types === undefined || part.types.has('object')))
  const additional = opens ? [...merged.additional, true] : merged.additional
  return { ...merged, types, additional, loose: merged.loose || alternates(parts) }
}

/** Whether several of the parts may be objects, or several of them arrays. */
function alternates(parts: readonly Shape[]): boolean {
  return (['object', 'array'] as const).some(
    (type) => parts.filter(({ types }) => types === undefined || types.has(type)).length > 1
  )
}

function merge(parts: readonly Shape[]): Shape {
  const properties = new Map<string, readonly Json[]>()
  const hidden = new Set<string>()
  for (const [name, schemas] of parts.flatMap((part) => [...part.properties])) {
    if (schemas.length === 0) hidden.add(name)
    properties.set(name, [...declared(properties.get(name)), ...schemas])
  }
  for (const name of hidden) properties.set(name, [])
  const longest = Math.max(0, ...parts.map(({ prefixItems }) => prefixItems.length))
  return {
    types: undefined,
    properties: prune(properties),
    patterns: parts.flatMap((part) => part.patterns),
    additional: parts.flatMap((part) => part.additional),
    items: parts.flatMap((part) => part.items),
    prefixItems: Array.from({ length: longest }, (_, index) =>
      parts.flatMap((part) => part.prefixItems[index] ?? [])
    ),
    free: parts.every((part) => part.free),
    loose: parts.some((part) => part.loose)
  }
}

const declared = (schemas: readonly Json[] | undefined): readonly Json[] => schemas ?? []

/** A name that `required` lists and a branch declares has the declared schema. */
function prune(properties: Map<string, readonly Json[]>): Map<string, readonly Json[]> {
  for (const [name, schemas] of properties) {
    const specific = schemas.filter((schema) => schema !== true)
    if (specific.length > 0) properties.set(name, specific)
  }
  return properties
}

function narrower(a: Shape['types'], b: Shape['types']): Shape['types'] {
  if (a === undefined) return b
  if (b === undefined) return a
  const both = [...a].flatMap((type) => [...b].flatMap((other) => common(type, other)))
  return new Set(both)
}

const numbers: readonly ShapeType[] = ['number', 'integer', 'int64']

function common(a: ShapeType, b: ShapeType): ShapeType[] {
  if (a === b) return [a]
  const [rankA, rankB] = [numbers.indexOf(a), numbers.indexOf(b)]
  return rankA < 0 || rankB < 0 ? [] : [rankA > rankB ? a : b]
}
