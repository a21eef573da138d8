/**
 * The shape of the values that a schema allows: types, declared properties, items, with every composition
 * (`$ref`, `allOf`, `anyOf`, `oneOf`, `then`, `else`, `dependentSchemas`) merged. Validation is not its concern:
 * a shape says what to read from a text, and what to write of a value that is known to be valid.
 */

import { inheritors } from '../document/discriminator-object.ts'
import { arrayOf, isObject, type Json, type JsonObject, objectOf, own } from '../document/json-value.ts'
import { atPointer, isFlagged, plainTarget, pointerOf } from '../document/reference.ts'
import { typesOf } from '../document/schema-object.ts'
import { anything, intersection, type Shape, type ShapeType, union } from './shape-merge.ts'

export type { Shape, ShapeType } from './shape-merge.ts'

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
