/**
 * Reads the keywords of schemas: those of JSON Schema draft 2020-12, `dependencies` of earlier drafts, and those that
 * OpenAPI adds (3.2.0, section 4.24). Other keywords have no effect and are left out.
 */
import { pattern } from '@contract-first/engine/model'
import { arrayOf, isObject, type Json, type JsonObject, objectOf, own, textOf } from '../model/json.ts'
import type { Decimal, Discriminator, EncodedContent, Pattern, Schema, Type, Xml } from '../model/schema.ts'
import { type Draft, type SourceDocument, textsOf } from './document.ts'

/** Part of the builder of schemas that the readers of keywords need. */
export interface Builder {
  readonly document: SourceDocument
  /** Schemas with a discriminator, in the order in which they were reached. */
  readonly discriminated: Read[]
  /** Returns the schema of a member; it is filled later. */
  schema(value: Json, holder: object, key: string): Schema
  /** Returns the schema that a reference leads to. */
  target(reference: string): Schema | undefined
}

/** A schema that is being filled, and its JSON. */
export interface Read {
  readonly schema: Draft<Schema>
  readonly node: JsonObject
}

/** Reads the value of a keyword of a node. Returns what the value must be where it is not. */
type Reader = (schema: Draft<Schema>, value: Json, node: JsonObject, builder: Builder) => string | undefined

/** Names of the members of a schema whose value is a `Value`. */
type NamesOf<Value> = {
  [Name in keyof Schema]-?: Exclude<Schema[Name], undefined> extends Value ? Name : never
}[keyof Schema]

export const keywords = new Map<string, Reader>()

function each<Name extends string>(names: readonly Name[], readerOf: (name: Name) => Reader): void {
  for (const name of names) keywords.set(name, readerOf(name))
}

const isNumber = (value: Json): value is Decimal => typeof value === 'number' || typeof value === 'bigint'
const isCount = (value: Json): value is Decimal => isNumber(value) && value >= 0 && isInteger(value)
const isInteger = (value: Decimal): boolean => typeof value === 'bigint' || Number.isInteger(value)

/** Returns the texts of a list of different ones. */
function textsIn(value: Json): Set<string> | undefined {
  const list = Array.isArray(value) ? new Set<Json>(value) : undefined
  const isValid =
    list?.size === arrayOf(value).length && arrayOf(value).every((item) => typeof item === 'string')
  return isValid ? (list as Set<string>) : undefined
}

const count = 'must be a whole number, at least 0'
const object = 'must be an object'

each(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'], (name) => (schema, value) => {
  if (!isNumber(value)) return 'must be a number'
  schema[name] = value
  return undefined
})

keywords.set('multipleOf', (schema, value) => {
  if (!isNumber(value) || value <= 0) return 'must be a number above 0'
  schema.multipleOf = value
  return undefined
})

each(
  ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'],
  (name) => (schema, value) => {
    if (!isCount(value)) return count
    schema[name] = Number(value)
    return undefined
  }
)

each(['format', 'title', 'description'], (name) => (schema, value) => {
  if (typeof value !== 'string') return 'must be a text'
  schema[name] = value
  return undefined
})

each(['readOnly', 'writeOnly', 'deprecated', 'uniqueItems'], (name) => (schema, value) => {
  if (typeof value !== 'boolean') return 'must be true or false'
  if (value) schema[name] = true
  return undefined
})

const member =
  (name: NamesOf<Schema>, key: string = name): Reader =>
  (schema, value, node, builder) => {
    schema[name] = builder.schema(value, node, key)
    return undefined
  }
each(['not', 'if', 'then', 'else', 'items', 'unevaluatedItems', 'unevaluatedProperties'], (name) =>
  member(name)
)
keywords.set('additionalProperties', member('additional', 'additionalProperties'))
keywords.set('propertyNames', member('names', 'propertyNames'))

const members =
  (name: 'allOf' | 'anyOf' | 'oneOf' | 'prefix'): Reader =>
  (schema, value, _node, builder) => {
    if (!Array.isArray(value) || value.length === 0) return 'must be a list of schemas'
    schema[name] = value.map((item: Json, index) => builder.schema(item, value, String(index)))
    return undefined
  }
each(['allOf', 'anyOf', 'oneOf'], (name) => members(name))
keywords.set('prefixItems', members('prefix'))

function named(value: JsonObject, builder: Builder): Map<string, Schema> {
  const found = new Map<string, Schema>()
  for (const name of Object.keys(value)) found.set(name, builder.schema(value[name] ?? null, value, name))
  return found
}

keywords.set('properties', (schema, value, _node, builder) => {
  if (!isObject(value)) return object
  schema.properties = named(value, builder)
  return undefined
})

keywords.set('patternProperties', (schema, value, _node, builder) => {
  if (!isObject(value)) return object
  const read = [...named(value, builder)].map(([source, inner]) => ({
    pattern: patternOf(source),
    schema: inner
  }))
  const valid = read.filter(
    (each): each is { pattern: Pattern; schema: Schema } => each.pattern !== undefined
  )
  schema.patterns = valid
  return valid.length === read.length ? undefined : 'has a name that is not a regular expression'
})

keywords.set('pattern', (schema, value) => {
  const found = typeof value === 'string' ? patternOf(value) : undefined
  if (found === undefined) return 'must be a regular expression'
  schema.pattern = found
  return undefined
})

function patternOf(source: string): Pattern | undefined {
  try {
    return { source, regexp: pattern(source) }
  } catch {
    return undefined
  }
}

keywords.set('dependentSchemas', (schema, value, _node, builder) => {
  if (!isObject(value)) return object
  schema.dependentSchemas = new Map([...(schema.dependentSchemas ?? []), ...named(value, builder)])
  return undefined
})

keywords.set('dependentRequired', (schema, value) => {
  if (!isObject(value)) return object
  const lists = Object.entries(value)
  schema.dependentRequired = new Map([
    ...(schema.dependentRequired ?? []),
    ...lists.flatMap(([name, list]) => {
      const names = textsIn(list)
      return names === undefined ? [] : [[name, [...names]] as const]
    })
  ])
  return lists.every(([, list]) => textsIn(list)) ? undefined : `${object} of lists of different texts`
})

/** Draft 7 has schemas and lists of names in one keyword, which most validators still enforce. */
keywords.set('dependencies', (schema, value, node, builder) => {
  if (!isObject(value)) return object
  const split = Object.groupBy(Object.entries(value), ([, item]) =>
    Array.isArray(item) ? 'lists' : 'schemas'
  )
  const { lists = [], schemas = [] } = split
  const read = (name: string, entries: readonly [string, Json][]) =>
    keywords.get(name)?.(schema, Object.fromEntries(entries), node, builder)
  const wanted = lists.length > 0 ? read('dependentRequired', lists) : undefined
  for (const [name, inner] of schemas)
    schema.dependentSchemas = new Map(schema.dependentSchemas).set(name, builder.schema(inner, value, name))
  const isIn = (key: string, entries: readonly [string, Json][]) =>
    entries.some(([name]) => own(objectOf(own(node, key)), name) !== undefined)
  const isTwice = isIn('dependentRequired', lists) || isIn('dependentSchemas', schemas)
  return isTwice ? 'names what another keyword of this schema names, too' : wanted
})

const types: readonly Type[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']
const all: ReadonlySet<string> = new Set(types)
const none: ReadonlySet<Type> = new Set()
/** Sets of one type, which most schemas share. */
const single = new Map<Json, ReadonlySet<Type>>(types.map((type) => [type, new Set([type])]))

keywords.set('type', (schema, value) => {
  const listed = textsIn(value)
  const found = single.get(value) ?? (listed?.isSubsetOf(all) ? (listed as Set<Type>) : none)
  if (found.size === 0) return `must be one of ${types.join(', ')}, or a list of these`
  schema.types = found
  return undefined
})

keywords.set('required', (schema, value) => {
  const names = textsIn(value)
  if (names === undefined) return 'must be a list of different texts'
  schema.required = names
  return undefined
})

keywords.set('enum', (schema, value) => {
  if (!Array.isArray(value)) return 'must be a list'
  schema.enum = value
  return undefined
})

each(['const', 'default'], (name) => (schema, value) => {
  schema[name] = value
  return undefined
})

keywords.set('contains', (schema, value, node, builder) => {
  const [min = 1, max] = [own(node, 'minContains'), own(node, 'maxContains')]
  schema.contains = {
    schema: builder.schema(value, node, 'contains'),
    min: isCount(min) ? Number(min) : 1,
    ...(max !== undefined && isCount(max) && { max: Number(max) })
  }
  return undefined
})
each(['minContains', 'maxContains'], () => (_schema, value) => (isCount(value) ? undefined : count))

const content = (schema: Draft<Schema>, part: EncodedContent): undefined => {
  schema.content = { ...schema.content, ...part }
}
keywords.set('contentEncoding', (schema, value) =>
  typeof value === 'string' ? content(schema, { encoding: value }) : 'must be a text'
)
keywords.set('contentMediaType', (schema, value) =>
  typeof value === 'string' ? content(schema, { mediaType: value }) : 'must be a text'
)
keywords.set('contentSchema', (schema, value, node, builder) =>
  content(schema, { schema: builder.schema(value, node, 'contentSchema') })
)

keywords.set('example', (schema, value, node, builder) => {
  const origin = builder.document.origin(node).at('example')
  schema.examples = [...schema.examples, { value, origin }]
  return undefined
})
keywords.set('examples', (schema, value, _node, builder) => {
  if (!Array.isArray(value)) return 'must be a list'
  const origin = builder.document.origin(value)
  const read = value.map((item: Json, index) => ({ value: item, origin: origin.at(String(index)) }))
  schema.examples = [...schema.examples, ...read]
  return undefined
})

keywords.set('$ref', (schema, value, _node, builder) => {
  const target = typeof value === 'string' ? builder.target(value) : undefined
  if (target === undefined) return `leads nowhere: ${String(value)}`
  schema.ref = target
  return undefined
})

keywords.set('discriminator', (schema, value, node, builder) => {
  const property = textOf(own(objectOf(value), 'propertyName'))
  if (property === undefined) return 'must be an object with a propertyName'
  const of = ['oneOf' as const, 'anyOf' as const].find((name) => Array.isArray(own(node, name))) ?? 'heirs'
  const written = objectOf(own(objectOf(value), 'mapping'))
  const mapping = new Map<string, Schema>()
  for (const [name, text] of Object.entries(written)) {
    const target = mapped(text, builder)
    if (target !== undefined) mapping.set(name, target)
  }
  const otherwise = mapped(own(objectOf(value), 'defaultMapping'), builder)
  const discriminator: Draft<Discriminator> = { property, of, mapping, heirs: [] }
  if (otherwise !== undefined) discriminator.otherwise = otherwise
  schema.discriminator = discriminator
  builder.discriminated.push({ schema, node })
  return mapping.size === Object.keys(written).length ? undefined : 'maps to a schema that is not there'
})

/** Returns the schema that a value of `mapping` names, by its component or its place. */
function mapped(target: Json | undefined, builder: Builder): Schema | undefined {
  const text = textOf(target)
  if (text === undefined) return undefined
  const schemas = builder.document.components('schemas')
  const component = own(schemas, text)
  return component === undefined ? builder.target(text) : builder.schema(component, schemas, text)
}

keywords.set('xml', (schema, value) => {
  if (!isObject(value)) return object
  const xml: Draft<Xml> = textsOf(value, 'nodeType', 'name', 'namespace', 'prefix')
  for (const name of ['attribute', 'wrapped'] as const) if (own(value, name) === true) xml[name] = true
  schema.xml = xml
  return undefined
})
