/** Checks schemas: that one stands where it must, and that none refuses or accepts other values than it seems to. */
import { stringify } from '@contract-first/engine/json'
import { schemaOf } from '../build/build-contract.ts'
import { resembles } from '../diagnostics/spelling.ts'
import { atPointer, pointerOf } from '../document/reference.ts'
import { typesOf } from '../document/schema-object.ts'
import { namedMembers } from '../document/walk.ts'
import type { LoadedContract } from '../load/load.ts'
import { arrayOf, isObject, type Json, type JsonObject, objectOf, own } from '../model/json.ts'
import type { Schema } from '../model/schema.ts'
import { partsOf } from '../views/parts.ts'
import type { Reporter } from './reporter.ts'

export function checkSchemas(contract: LoadedContract, reporter: Reporter): void {
  const { document, model } = contract
  const parents = composingSchemas(document, reporter)
  for (const { node, names, kind } of reporter.nodes) {
    if (names !== undefined) continue
    checkValues(node, reporter)
    checkBounds(node, reporter)
    if (kind !== 'dependencies') checkRequired(node, { document, parents }, reporter)
    if (arrayOf(own(node, 'allOf')).length === 0) continue
    const contradiction = contradictionOf(schemaOf(model, node))
    if (contradiction !== undefined)
      reporter.warn(`branches of \`allOf\` exclude each other: ${contradiction}`, node, 'allOf')
  }
}

/** Checks the values that a schema lists: each once, and of its types. */
function checkValues(node: JsonObject, { warn }: Reporter): void {
  const [listed, constant, types] = [own(node, 'enum'), own(node, 'const'), typesOf(node)]
  const isTyped = (value: Json) => types.length === 0 || types.some((type) => hasType(value, type))
  if (Array.isArray(listed)) {
    if (listed.length === 0) warn('`enum` is empty: no value fits', node, 'enum')
    const seen = new Set<string>()
    for (const [index, value] of listed.entries()) {
      const text = stringify(value)
      if (seen.has(text)) warn(`Duplicated enum value found: ${text}.`, listed, String(index))
      seen.add(text)
      if (!isTyped(value))
        warn(`no value is ${text}: it is not of type ${types.join(' or ')}`, listed, String(index))
    }
  }
  if (constant !== undefined && !isTyped(constant))
    warn(`no value fits: \`const\` is not of type ${types.join(' or ')}`, node, 'const', false)
}

function hasType(value: Json, type: string): boolean {
  if (type === 'integer') return typeof value === 'bigint' || Number.isInteger(value)
  if (type === 'number') return ['number', 'bigint'].includes(typeof value)
  if (type === 'array' || type === 'object')
    return type === (Array.isArray(value) ? 'array' : typeofObject(value))
  return type === 'null' ? value === null : typeof value === type
}

const typeofObject = (value: Json): string => (isObject(value) ? 'object' : '')

function checkBounds(node: JsonObject, { warn }: Reporter): void {
  for (const bound of ['maximum', 'minimum']) {
    const exclusive = `exclusive${bound.replace('m', 'M')}`
    if (typeof own(node, bound) === 'number' && typeof own(node, exclusive) === 'number')
      warn(
        `\`${bound}\` and \`${exclusive}\` stand beside each other: the stricter one applies`,
        node,
        exclusive
      )
  }
  for (const [type, keyword] of [
    ['object', 'items'],
    ['array', 'properties']
  ] as const)
    if (own(node, 'type') === type && own(node, keyword) !== undefined)
      warn(`\`${keyword}\` has no effect in a schema of type ${type}`, node, keyword, false)
}

/** Schemas that have a schema in a union or an `allOf`, directly or by reference. */
type Parents = ReadonlyMap<Json, readonly JsonObject[]>

const compositions = ['allOf', 'anyOf', 'oneOf'] as const

function composingSchemas(document: JsonObject, { nodes }: Reporter): Parents {
  const parents = new Map<Json, JsonObject[]>()
  for (const { node, names } of nodes) {
    if (names !== undefined) continue
    for (const keyword of compositions)
      for (const branch of arrayOf(own(node, keyword)))
        for (const schema of [branch, targetOf(document, branch)])
          if (isObject(schema)) parents.set(schema, [...(parents.get(schema) ?? []), node])
  }
  return parents
}

const targetOf = (document: JsonObject, schema: Json): Json | undefined => {
  const pointer = isObject(schema) ? pointerOf(schema) : undefined
  return pointer === undefined ? undefined : atPointer(document, pointer)
}

/** Checks that required properties are declared, in the schema itself or in one that it is a part of: names are misspelt. */
function checkRequired(
  node: JsonObject,
  { document, parents }: { readonly document: JsonObject; readonly parents: Parents },
  { warn }: Reporter
): void {
  const required = own(node, 'required')
  if (!Array.isArray(required)) return
  const composing = new Set([node])
  for (const each of composing) for (const parent of parents.get(each) ?? []) composing.add(parent)
  for (const [index, name] of required.map(String).entries()) {
    const known = new Map<Json, boolean>()
    if ([...composing].some((schema) => declares(schema, name, { document, known }))) continue
    const meant = Object.keys(objectOf(own(node, 'properties'))).find((other) => resembles(name, other))
    const hint = meant === undefined ? '' : ` Did you mean \`${meant}\`?`
    warn(`Required property '${name}' is not defined.${hint}`, required, String(index))
  }
}

interface Declaring {
  readonly document: JsonObject
  /** Answers by schema; false while one is sought, because schemas may refer to themselves. */
  readonly known: Map<Json, boolean>
}

function declares(schema: Json | undefined, name: string, declaring: Declaring): boolean {
  if (!isObject(schema)) return false
  const known = declaring.known.get(schema)
  if (known !== undefined) return known
  declaring.known.set(schema, false)
  const inner = (each: Json | undefined) => declares(each, name, declaring)
  const [all = [], ...unions] = compositions.map((keyword) => arrayOf(own(schema, keyword)))
  const others = unions.map((branches) => branches.filter((each) => !isNull(each)))
  const found =
    own(objectOf(own(schema, 'properties')), name) !== undefined ||
    inner(targetOf(declaring.document, schema)) ||
    all.some(inner) ||
    others.some((branches) => branches.length > 0 && branches.every(inner))
  declaring.known.set(schema, found)
  return found
}

const isNull = (schema: Json): boolean => isObject(schema) && own(schema, 'type') === 'null'

/**
 * Finds branches of `allOf` that forbid each other.
 * @returns the subject on which they disagree; undefined when a value may fit all of them
 */
const contradictionOf = (schema: Schema): string | undefined =>
  conflictIn(partsOf(schema), { depth: 0, budget: { schemas: maxSchemas } })

type Parts = readonly Schema[]

function conflictIn(parts: Parts, context: Context): string | undefined {
  const { depth, budget } = context
  budget.schemas -= parts.length
  if (depth > maxDepth || budget.schemas < 0 || parts.length < 2) return undefined
  const whole = typeConflict(parts) ?? valueConflict(parts) ?? rangeConflict(parts)
  return whole === undefined ? memberConflict(parts, context) : `no value fits: ${whole}`
}

/** Bounds the depth, because schemas may refer to themselves. */
const maxDepth = 4
/** Bounds the schemas that are compared: properties of properties multiply. */
const maxSchemas = 10_000

interface Context {
  readonly depth: number
  readonly budget: { schemas: number }
}

function typeConflict(parts: Parts): string | undefined {
  const lists = parts.flatMap(({ types }) => types ?? [])
  const [first, ...others] = lists
  const includes = (types: ReadonlySet<string>, type: string) =>
    types.has(type) || (type === 'integer' && types.has('number'))
  const common = [...(first ?? [])].filter((type) => others.every((types) => includes(types, type)))
  const isWhole = others.some((types) => first?.has('number') === true && types.has('integer'))
  if (lists.length === 0 || common.length > 0 || isWhole) return undefined
  return `types ${[...new Set(lists.flatMap((types) => [...types]))].join(' and ')} exclude each other`
}

function valueConflict(parts: Parts): string | undefined {
  const lists = parts.flatMap(({ const: constant, enum: values = [] }) => {
    const listed = constant === undefined ? values : [constant]
    return listed.length > 0 ? [listed.map((value) => stringify(value))] : []
  })
  const [first = [], ...others] = lists
  const common = first.filter((value) => others.every((values) => values.includes(value)))
  return others.length > 0 && common.length === 0 ? 'their values have none in common' : undefined
}

/** Finds a property that one branch requires or declares, and that another forbids or declares differently. */
function memberConflict(parts: Parts, context: Context): string | undefined {
  const required = new Set(parts.flatMap((part) => [...(part.required ?? [])]))
  const declared = parts.flatMap(({ properties }) => [...(properties?.keys() ?? [])])
  for (const name of required.union(new Set(declared))) {
    const verb = required.has(name) ? 'no object fits' : `no value has property ${name}`
    if (parts.some((part) => forbids(part, name)))
      return `${verb}: property ${name} is ${required.has(name) ? 'required' : 'declared'} by one branch and forbidden by another`
    const schemas = parts.flatMap(({ properties }) => properties?.get(name) ?? [])
    if (schemas.length < 2) continue
    const all = [...new Set(schemas.flatMap((schema) => partsOf(schema)))]
    const inner = conflictIn(all, { ...context, depth: context.depth + 1 })
    if (inner !== undefined) return `${verb}: property ${name}: ${inner}`
  }
  return undefined
}

function forbids({ properties, patterns, additional }: Schema, name: string): boolean {
  const declared = properties?.get(name)
  if (declared !== undefined) return declared.never === true
  return additional?.never === true && patterns === undefined
}

const ranges = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties']
] as const

function rangeConflict(parts: Parts): string | undefined {
  const range = ranges.find(([least, most]) => {
    const [lows, highs] = [
      parts.flatMap((part) => part[least] ?? []),
      parts.flatMap((part) => part[most] ?? [])
    ]
    return lows.some((low) => highs.some((high) => low > high))
  })
  return range === undefined ? undefined : `${range.join(' and ')} exclude each other`
}

const single: ReadonlySet<string> = new Set([
  ...['not', 'if', 'then', 'else', 'contains', 'propertyNames', 'items'],
  ...['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems', 'contentSchema']
])
/** Members of parameters, headers and media types; in a schema they are unknown keywords. */
const described: ReadonlySet<string> = new Set(['schema', 'itemSchema'])
const describing: ReadonlySet<string | undefined> = new Set([
  'headers',
  'parameters',
  'content',
  'mediaTypes'
])

const lists: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const maps: ReadonlySet<string | undefined> = new Set([
  ...['schemas', 'properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']
])

/** Checks that a schema stands where one is expected: an object or a boolean (JSON Schema Core 2020-12, section 4.3). */
export function checkSchemaPlaces({ error, nodes }: Reporter): void {
  const check = (value: Json, holder: JsonObject | Json[], key: string) => {
    if (isObject(value) || typeof value === 'boolean') return
    const message = `\`${key}\` must be a schema, an object or a boolean: it is ${kindOf(value)}`
    // A list has a place of its own, also where a reference leads to it.
    if (Array.isArray(value)) error(message, value)
    else error(message, holder, key)
  }
  for (const { node, names, kind } of nodes) {
    const describes = describing.has(kind) || own(node, 'in') !== undefined
    const isPlace = (key: string) => single.has(key) || (describes && described.has(key))
    for (const [key, value] of Object.entries(node)) {
      if (names !== undefined ? maps.has(names) : isPlace(key)) check(value, node, key)
      if (names !== undefined) continue
      if (lists.has(key) && Array.isArray(value))
        for (const [index, item] of value.entries()) check(item, value, String(index))
      if (lists.has(key) && !Array.isArray(value))
        error(`\`${key}\` must be a list of schemas: it is ${kindOf(value)}`, node, key)
      if (maps.has(key) && namedMembers.has(key) && !isObject(value))
        error(`\`${key}\` must be an object of schemas by name: it is ${kindOf(value)}`, node, key)
    }
  }
}

function kindOf(value: Json): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (isObject(value)) return 'an object'
  return `the ${typeof value === 'string' ? 'text' : typeof value} ${JSON.stringify(value)}`
}
