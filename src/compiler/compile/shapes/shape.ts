/**
 * The shape of the values that a schema allows: types, declared properties and items, with every composition (`$ref`,
 * `allOf`, `anyOf`, `oneOf`, `then`, `else`, `dependentSchemas`) merged. A shape does not validate: it determines how to
 * decode a text, and which members of a valid value are serialized.
 */

import { inheritors } from '../document/discriminator-object.ts'
import { arrayOf, isObject, type Json, type JsonObject, objectOf, own } from '../document/json-value.ts'
import { atPointer, isFlagged, plainTarget, pointerOf } from '../document/reference.ts'
import { typesOf } from '../document/schema-object.ts'
import { Merging } from './merging.ts'
import {
  anything,
  anyValue,
  intersection,
  matchingSchemas,
  mayBe,
  required,
  type Shape,
  type ShapeType,
  type Unnamed,
  union,
  unnamedSchemas
} from './shape-merge.ts'

export type { Shape, ShapeType } from './shape-merge.ts'

export class Shapes {
  readonly #document: JsonObject
  readonly #inheritorsOf = new WeakMap<JsonObject, readonly JsonObject[]>()
  readonly #hidden: 'readOnly' | 'writeOnly' | undefined

  /** @param hidden flag of the properties to leave out */
  constructor(document: JsonObject, hidden?: 'readOnly' | 'writeOnly') {
    this.#document = document
    this.#hidden = hidden
  }

  /** Returns the shape of a value to which any of the schemas may apply. */
  of(schemas: readonly Json[]): Shape {
    const merging = new Merging()
    const shape = union(schemas.map((schema) => this.#shape(schema, merging)))
    return shape.open && mayBe(shape, 'object')
      ? { ...shape, unnamed: [{ patterns: [], additional: [true] }] }
      : shape
  }

  /** Returns the target of a plain reference; any other schema itself. */
  target(schema: Json): Json {
    return plainTarget(this.#document, schema)
  }

  #shape(schema: Json | undefined, merging: Merging): Shape {
    return isObject(schema) ? merging.once(schema, () => this.#merged(schema, merging)) : anything
  }

  #merged(schema: JsonObject, within: Merging): Shape {
    const shapes = (key: string) => arrayOf(own(schema, key)).map((part) => this.#shape(part, within))
    const pointer = pointerOf(schema)
    const parts = [this.#base(schema), ...shapes('allOf')]
    if (pointer !== undefined) parts.push(this.#shape(atPointer(this.#document, pointer), within))
    for (const key of ['anyOf', 'oneOf'])
      if (arrayOf(own(schema, key)).length > 0) parts.push(union(shapes(key)))
    for (const part of conditional(schema))
      parts.push({ ...this.#shape(part, within), types: undefined, fromUnion: true })
    const subtypes = this.#inheritors(schema).map((subtype) => this.#shape(subtype, within))
    if (subtypes.length > 0) parts.push(inherited(subtypes))
    return intersection(parts)
  }

  #inheritors(schema: JsonObject): readonly JsonObject[] {
    const found = this.#inheritorsOf.get(schema) ?? inheritors(this.#document, schema)
    this.#inheritorsOf.set(schema, found)
    return found
  }

  #base(schema: JsonObject): Shape {
    const unnamed = unnamedOf(schema)
    return {
      types: typeSet(schema),
      properties: this.#properties(schema, unnamed),
      unnamed,
      ...itemsOf(schema),
      open: ['properties', ...unnamedKeywords].every((key) => own(schema, key) === undefined),
      fromUnion: false
    }
  }

  /** Returns the properties with their schemas; patterns also apply to named properties. */
  #properties(schema: JsonObject, unnamed: readonly Unnamed[]): Map<string, readonly Json[]> {
    const properties = new Map<string, readonly Json[]>()
    for (const name of arrayOf(own(schema, 'required')).map(String)) {
      const schemas = unnamedSchemas(unnamed, name)
      properties.set(name, schemas.length > 0 ? schemas : [required])
    }
    for (const [name, property] of Object.entries(objectOf(own(schema, 'properties')))) {
      const matching = unnamed.flatMap(({ patterns }) => matchingSchemas(patterns, name))
      properties.set(name, this.#isHidden(property) ? [] : [property, ...matching])
    }
    return properties
  }

  #isHidden(property: Json | undefined): boolean {
    return this.#hidden !== undefined && isFlagged(this.#document, property, this.#hidden)
  }
}

const unnamedKeywords = ['patternProperties', 'additionalProperties', 'unevaluatedProperties'] as const

function unnamedOf(schema: JsonObject): Unnamed[] {
  const [patternProperties, ...others] = unnamedKeywords.map((key) => own(schema, key))
  const patterns = Object.entries(objectOf(patternProperties))
  const additional = others.filter((other) => other !== undefined && other !== false)
  return patterns.length + additional.length === 0 ? [] : [{ patterns, additional }]
}

/** Returns the schemas of items; those of `contains` apply to some of them. */
function itemsOf(schema: JsonObject): Pick<Shape, 'items' | 'prefixItems'> {
  const tuple = arrayOf(own(schema, 'prefixItems'))
  const contains = [own(schema, 'contains')].filter((item) => item !== undefined)
  const others = ['items', 'unevaluatedItems'].map((key) => own(schema, key))
  const written = others.filter((item) => item !== undefined)
  const items = written.filter((item) => item !== false)
  const isAny = written.length === 0 && tuple.length > 0
  return {
    items: isAny ? [anyValue] : items.length > 0 ? [...items, ...contains] : [],
    prefixItems: tuple.map((item) => [item, ...contains])
  }
}

/**
 * Merges the subtypes of a discriminator: a value belongs to one of them, and none restricts the parent's own members.
 */
function inherited(subtypes: readonly Shape[]): Shape {
  const either = union(subtypes.map((subtype) => ({ ...subtype, open: false })))
  return { ...either, types: undefined, open: true, fromUnion: true }
}

/** Returns the schemas that apply only to some values. */
function conditional(schema: JsonObject): Json[] {
  const branches = [
    own(schema, 'then'),
    own(schema, 'else'),
    ...dependentSchemas(schema).map(([, branch]) => branch)
  ]
  return branches.filter((branch) => branch !== undefined)
}

/**
 * Returns schemas by the property on which they depend; lists of names in `dependencies` of earlier drafts are skipped.
 */
export function dependentSchemas(schema: JsonObject): [string, Json][] {
  const members = ['dependentSchemas', 'dependencies'].flatMap((key) =>
    Object.entries(objectOf(own(schema, key)))
  )
  return members.filter(([, branch]) => !Array.isArray(branch))
}

function typeSet(schema: JsonObject): Set<ShapeType> | undefined {
  const types = typesOf(schema) as ShapeType[]
  if (types.length === 0) return valueTypes(schema)
  const isInt64 = own(schema, 'format') === 'int64'
  return new Set(types.map((type) => (isInt64 && (type === 'integer' || type === 'number') ? 'int64' : type)))
}

/** Returns the types of the values in `const` or `enum`. */
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
