/** Checks schemas that contradict themselves: they are served, but refuse or accept other values than they seem to. */
import { stringify } from '@contract-first/engine/json'
import { schemaOf } from '../build/build-contract.ts'
import { resembles } from '../diagnostics/spelling.ts'
import { atPointer, pointerOf } from '../document/reference.ts'
import { typesOf } from '../document/schema-object.ts'
import type { LoadedContract } from '../load/load.ts'
import { arrayOf, isObject, type Json, type JsonObject, objectOf, own } from '../model/json.ts'
import { contradictionOf } from './contradiction.ts'
import type { Reporter } from './reporter.ts'

export function checkSchemas(contract: LoadedContract, reporter: Reporter): void {
  const { document } = contract
  const model = contract.model
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
