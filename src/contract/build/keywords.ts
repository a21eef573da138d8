/**
 * Reads the keywords of schemas: those of JSON Schema draft 2020-12 and those that OpenAPI adds (3.2.0, section 4.24).
 * Other keywords have no effect: the schema has their names.
 */
import { pattern } from '@contract-first/engine/model'
import { isObject, type Json, type JsonObject, objectOf, own, stringOf } from '../model/json.ts'
import type { Decimal, EncodedContent, Example, Pattern, Schema, Type, Xml } from '../model/schema.ts'
import { type Mutable, type SourceDocument, textsOf } from './document.ts'

/** Part of the builder of schemas that the readers of keywords need. */
export interface Builder {
  readonly document: SourceDocument
  /** Returns the schema of a member; it is filled later. */
  schema(value: Json, holder: object, key: string): Schema
  /** Returns the schema that a reference leads to. */
  target(reference: string): Schema | undefined
}

/** Value that is valid and says nothing: `uniqueItems: false`. */
export const absent = Symbol('absent')

/** Reads the value of a keyword of a node; undefined where it is malformed. */
type Read<Value> = (
  value: Json,
  builder: Builder,
  node: JsonObject,
  key: string
) => Value | typeof absent | undefined

interface Keyword {
  /** Member of the schema that is set. */
  readonly member: keyof Schema
  readonly read: Read<unknown>
  /** Rule that a malformed value breaks: `must be a number`; undefined for a keyword that judges no value. */
  readonly rule: string | undefined
}

export const keywords = new Map<string, Keyword>()

/**
 * Keywords that say nothing of values by themselves; those of identifiers are resolved before the model is built, and
 * `nullable` changes others.
 */
export const silentKeywords: ReadonlySet<string> = new Set([
  'nullable',
  ...['$id', '$anchor', '$dynamicAnchor', '$comment', '$schema', '$vocabulary', '$defs', 'definitions'],
  'externalDocs'
])

type Value<Member extends keyof Schema> = Exclude<Schema[Member], undefined>

function keyword<Member extends keyof Schema>(
  name: string,
  member: Member,
  rule: string | undefined,
  read: Read<Value<Member>>
): void {
  keywords.set(name, { member, read, rule })
}

/** Defines a keyword that judges no value. */
function annotation<Member extends keyof Schema>(
  name: string,
  member: Member,
  read: Read<Value<Member>>
): void {
  keyword(name, member, undefined, read)
}

const isNumber = (value: Json | undefined): value is Decimal =>
  typeof value === 'number' || typeof value === 'bigint'
const isInteger = (value: Decimal): boolean => typeof value === 'bigint' || Number.isInteger(value)

for (const [bound, flag] of [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum']
] as const) {
  const read = (value: Json | undefined) => (isNumber(value) ? value : undefined)
  // OpenAPI 3.0 has flags beside the bounds, as JSON Schema draft 4.
  keyword(bound, bound, 'must be a number', (value, _builder, node) =>
    own(node, flag) === true ? absent : read(value)
  )
  keyword(flag, flag, 'must be a number', (value, _builder, node) => {
    if (value !== true) return value === false ? absent : read(value)
    return own(node, bound) === undefined ? absent : read(own(node, bound))
  })
}
keyword('multipleOf', 'multipleOf', 'must be a number above 0', (value) =>
  isNumber(value) && value > 0 ? value : undefined
)

const count = (value: Json | undefined): number | undefined =>
  isNumber(value) && value >= 0 && isInteger(value) ? Number(value) : undefined
const aCount = 'must be a whole number, at least 0'
const counts = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'] as const
for (const name of counts) keyword(name, name, aCount, count)

for (const name of ['format', 'title', 'description'] as const) annotation(name, name, stringOf)

const flag: Read<true> = (value) => (typeof value === 'boolean' ? value || absent : undefined)
for (const name of ['readOnly', 'writeOnly', 'deprecated'] as const) annotation(name, name, flag)
keyword('uniqueItems', 'uniqueItems', 'must be true or false', flag)

const schema: Read<Schema> = (value, builder, node, key) => builder.schema(value, node, key)
const aSchema = 'must be a schema'
for (const name of ['not', 'if', 'then', 'else', 'items'] as const) keyword(name, name, aSchema, schema)
for (const name of ['unevaluatedItems', 'unevaluatedProperties'] as const)
  keyword(name, name, aSchema, schema)
keyword('additionalProperties', 'additional', aSchema, schema)
keyword('propertyNames', 'names', aSchema, schema)

const schemas: Read<Schema[]> = (value, builder) =>
  Array.isArray(value) && value.length > 0
    ? value.map((item: Json, index) => builder.schema(item, value, String(index)))
    : undefined
const aList = 'must be a list of schemas'
for (const name of ['allOf', 'anyOf', 'oneOf'] as const) keyword(name, name, aList, schemas)
keyword('prefixItems', 'prefix', aList, schemas)

const byName: Read<Map<string, Schema>> = (value, builder) => {
  if (!isObject(value)) return undefined
  const found = new Map<string, Schema>()
  for (const name of Object.keys(value)) found.set(name, builder.schema(value[name] ?? null, value, name))
  return found
}
const anObject = 'must be an object'
for (const name of ['properties', 'dependentSchemas'] as const) keyword(name, name, anObject, byName)

keyword(
  'patternProperties',
  'patterns',
  `${anObject} whose names are regular expressions`,
  (value, builder) => {
    if (!isObject(value)) return undefined
    const read = Object.keys(value).map((source) => ({
      pattern: patternOf(source),
      schema: builder.schema(value[source] ?? null, value, source)
    }))
    const valid = read.filter(
      (each): each is { pattern: Pattern; schema: Schema } => each.pattern !== undefined
    )
    return valid.length === read.length ? valid : undefined
  }
)

function patternOf(source: Json): Pattern | undefined {
  if (typeof source !== 'string') return undefined
  try {
    return { source, regexp: pattern(source) }
  } catch {
    return undefined
  }
}
keyword('pattern', 'pattern', 'must be a regular expression', patternOf)

/** Returns the texts of a list of different ones. */
function textsIn(value: Json): Set<string> | undefined {
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) return undefined
  const texts = new Set<string>(value)
  return texts.size === value.length ? texts : undefined
}
keyword('required', 'required', 'must be a list of different texts', textsIn)

keyword('dependentRequired', 'dependentRequired', `${anObject} of lists of different texts`, (value) => {
  if (!isObject(value)) return undefined
  const lists = Object.entries(value).map(([name, list]) => [name, textsIn(list)] as const)
  if (lists.some(([, list]) => list === undefined)) return undefined
  return new Map(lists.map(([name, list]) => [name, [...(list ?? [])]]))
})

const types: readonly Type[] = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']
const all: ReadonlySet<string> = new Set(types)
/** Sets of one type, which most schemas share. */
const single = new Map<Json, ReadonlySet<Type>>(types.map((type) => [type, new Set([type])]))
keyword('type', 'types', `must be one of ${types.join(', ')}, or a list of these`, (value) => {
  const listed = single.get(value) ?? textsIn(value)
  return listed !== undefined && listed.size > 0 && listed.isSubsetOf(all)
    ? (listed as ReadonlySet<Type>)
    : undefined
})

keyword('enum', 'enum', 'must be a list', (value) => (Array.isArray(value) ? value : undefined))
for (const name of ['const', 'default'] as const) keyword(name, name, '', (value) => value)

keyword('contains', 'contains', aSchema, (value, builder, node, key) => {
  const max = count(own(node, 'maxContains'))
  const min = count(own(node, 'minContains')) ?? 1
  return { schema: builder.schema(value, node, key), min, ...(max !== undefined && { max }) }
})
for (const name of ['minContains', 'maxContains'])
  keyword(name, 'contains', aCount, (value) => (count(value) === undefined ? undefined : absent))

/** Reads what three keywords say together. */
function contentOf(builder: Builder, node: JsonObject): EncodedContent {
  const [encoding, mediaType] = ['contentEncoding', 'contentMediaType'].map((key) => stringOf(own(node, key)))
  const inner = own(node, 'contentSchema')
  return {
    ...(encoding !== undefined && { encoding }),
    ...(mediaType !== undefined && { mediaType }),
    ...(inner !== undefined && { schema: builder.schema(inner, node, 'contentSchema') })
  }
}
for (const name of ['contentEncoding', 'contentMediaType'])
  annotation(name, 'content', (value, builder, node) =>
    typeof value === 'string' ? contentOf(builder, node) : undefined
  )
annotation('contentSchema', 'content', (_value, builder, node) => contentOf(builder, node))

/** Reads `examples`, and `example` of OpenAPI 3.0. */
const examples: Read<Example[]> = (_value, { document }, node, key) => {
  const [example, listed = []] = [own(node, 'example'), own(node, 'examples')]
  const origin = document.origin(node)
  if (!Array.isArray(listed)) {
    const message = 'the examples of a schema are a list, and these are an object: they are not read'
    if (key === 'examples' && isObject(listed))
      document.report('warning', 'example', message, origin.at(key).value)
    return undefined
  }
  const further = listed.map((value: Json, index) => ({
    value,
    origin: origin.at('examples', String(index))
  }))
  return example === undefined ? further : [{ value: example, origin: origin.at('example') }, ...further]
}
for (const name of ['examples', 'example']) annotation(name, 'examples', examples)

keyword('$ref', 'ref', 'leads nowhere', (value, builder) =>
  typeof value === 'string' ? builder.target(value) : undefined
)
// One that can be resolved is a reference before the model is built.
keyword('$dynamicRef', 'ref', 'cannot be resolved', () => undefined)

annotation('discriminator', 'discriminator', (value, builder, node) => {
  const [property, defaultMapping] = ['propertyName', 'defaultMapping'].map((key) =>
    stringOf(own(objectOf(value), key))
  )
  if (property === undefined) return undefined
  const warn = (message: string, holder: Json, key: string) =>
    builder.document.report('warning', 'reference', message, builder.document.origin(Object(holder)).at(key))
  const mapping = new Map<string, Schema>()
  const written = objectOf(own(objectOf(value), 'mapping'))
  for (const [name, text] of Object.entries(written)) {
    const target = mapped(text, builder)
    if (target !== undefined) mapping.set(name, target)
    else warn(`no schema ${String(text)} to map ${name} to: all alternatives are tried`, written, name)
  }
  const of = (['oneOf', 'anyOf'] as const).find((name) => Array.isArray(own(node, name))) ?? 'heirs'
  const otherwise = mapped(defaultMapping ?? null, builder)
  const isBroken = defaultMapping !== undefined && otherwise === undefined
  if (isBroken) warn(noAlternative(defaultMapping), value, 'defaultMapping')
  if (mapping.size < Object.keys(written).length || (isBroken && of !== 'heirs')) return undefined
  return { property, of, mapping, heirs: [], ...(otherwise && of !== 'heirs' && { otherwise }) }
})

export const noAlternative = (name: string): string =>
  `defaultMapping ${name} is none of the alternatives: all of them are tried`

/** Returns the schema that a value of `mapping` names, by its component or its place. */
function mapped(target: Json, builder: Builder): Schema | undefined {
  const text = stringOf(target)
  if (text === undefined) return undefined
  const components = builder.document.components('schemas')
  const component = own(components, text)
  return component === undefined ? builder.target(text) : builder.schema(component, components, text)
}

annotation('xml', 'xml', (value) => {
  if (!isObject(value)) return undefined
  const xml: Mutable<Xml> = textsOf(value, 'nodeType', 'name', 'namespace', 'prefix')
  for (const name of ['attribute', 'wrapped'] as const) if (own(value, name) === true) xml[name] = true
  return xml
})

keyword('dependencies', 'dependentSchemas', `${anObject} of schemas and lists of texts`, () => undefined)

/**
 * Splits `dependencies` of draft 7, which most validators still enforce, into the keywords that replace it
 * (JSON Schema Validation 2020-12, section 6.5.4); those win.
 */
export function withoutDependencies(node: JsonObject): JsonObject {
  const { dependencies, ...others } = node
  const members = Object.entries(objectOf(dependencies))
  const isMalformed = ([, item]: (typeof members)[number]) =>
    typeof item !== 'object' && typeof item !== 'boolean'
  if (!isObject(dependencies) || members.some(isMalformed)) return node
  const lists = Object.fromEntries(members.filter(([, item]) => Array.isArray(item)))
  const schemas = Object.fromEntries(members.filter(([, item]) => !Array.isArray(item)))
  return {
    ...others,
    dependentRequired: { ...lists, ...objectOf(own(node, 'dependentRequired')) },
    dependentSchemas: { ...schemas, ...objectOf(own(node, 'dependentSchemas')) }
  }
}
