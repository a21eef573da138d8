/** One of the two contracts, with the schemas of a message as that contract reads them. */
import { arrayOf, isObject, type Json, type JsonObject, objectOf, own } from '../../compile/documents.ts'
import { Reading, type Role } from '../../evaluate/evaluate.ts'
import { Budget } from './budget.ts'

export type { Role } from '../../evaluate/evaluate.ts'

export class Side extends Reading {
  readonly isNew: boolean
  readonly budget: Budget
  readonly #translations = new WeakMap<JsonObject, JsonObject>()
  #names: ReadonlyMap<Json, string> | undefined

  constructor(document: JsonObject, isNew: boolean, role: Role, budget = new Budget()) {
    super(document, role, false)
    this.isNew = isNew
    this.budget = budget
  }

  /** Returns a schema in the form in which all are compared; the same object for the same schema. */
  override read(node: JsonObject): JsonObject {
    this.budget.spend(1)
    const known = this.#translations.get(node) ?? translated(node)
    this.#translations.set(node, known)
    return known
  }

  /** Follows references without siblings, so that a schema is the same object for all references. */
  resolve(node: Json): Json {
    const seen = new Set<Json>()
    let current = node
    while (isObject(current) && !seen.has(current) && isPlain(this.read(current))) {
      seen.add(current)
      current = this.target(current) ?? true
    }
    return current
  }

  /** Returns the name of a schema that is a component. */
  nameOf(schema: JsonObject): string | undefined {
    this.#names ??= namesOf(this.document)
    return this.#names.get(schema)
  }
}

function namesOf(document: JsonObject): ReadonlyMap<Json, string> {
  const schemas = objectOf(own(objectOf(own(document, 'components')), 'schemas'))
  return new Map(Object.entries(schemas).map(([name, schema]) => [schema, name]))
}

const isPlain = (node: JsonObject): boolean =>
  own(node, '$ref') !== undefined && Object.keys(node).every((key) => key === '$ref' || texts.has(key))

const texts: ReadonlySet<string> = new Set(['summary', 'description'])

/** Translates a schema into the form in which all are compared; schemas inside of it are translated when they are read. */
function translated(node: JsonObject): JsonObject {
  const schema = { ...node }
  constant(schema)
  bytes(schema)
  dependencies(schema)
  return made(schema, node)
}

const origins = new WeakMap<JsonObject, JsonObject>()

export function made(schema: JsonObject, from: JsonObject): JsonObject {
  origins.set(schema, from)
  return schema
}

export function originOf(node: JsonObject): JsonObject {
  const origin = origins.get(node)
  return origin === undefined ? node : originOf(origin)
}

function constant(schema: JsonObject): void {
  const value = own(schema, 'const')
  if (value === undefined) return
  const values = own(schema, 'enum')
  schema['enum'] = [value]
  if (Array.isArray(values)) schema['allOf'] = [...arrayOf(own(schema, 'allOf')), { enum: values }]
  delete schema['const']
}

/** Translates formats of OpenAPI 3.0 that are keywords since 3.1 (OpenAPI 3.1.0, section 4.8.14.2). */
function bytes(schema: JsonObject): void {
  const format = own(schema, 'format')
  if (format === 'byte') schema['contentEncoding'] = 'base64'
  if (format === 'binary') schema['contentMediaType'] = 'application/octet-stream'
  if (format === 'byte' || format === 'binary' || format === 'password') delete schema['format']
}

/** Translates `dependencies` of earlier drafts: a member is a list of names, or a schema. */
function dependencies(schema: JsonObject): void {
  for (const [name, value] of Object.entries(objectOf(own(schema, 'dependencies')))) {
    const key = Array.isArray(value) ? 'dependentRequired' : 'dependentSchemas'
    const known = own(objectOf(own(schema, key)), name)
    const both = Array.isArray(value) ? [...arrayOf(known), ...value] : { allOf: [known ?? true, value] }
    schema[key] = { ...objectOf(own(schema, key)), [name]: both }
  }
  delete schema['dependencies']
}

/**
 * Lists a schema with the schemas that apply to the same value.
 * @param compositions keywords to follow; references are always followed
 */
export function flattened(
  schemas: readonly Json[],
  side: Side,
  compositions: readonly string[] = ['allOf', 'anyOf', 'oneOf']
): JsonObject[] {
  const found = new Set<JsonObject>()
  const pending: Json[] = [...schemas]
  for (const next of pending) {
    if (!isObject(next)) continue
    const node = side.read(next)
    if (found.has(node)) continue
    found.add(node)
    pending.push(side.target(node) ?? true, ...compositions.flatMap((key) => arrayOf(own(node, key))))
  }
  return [...found]
}
