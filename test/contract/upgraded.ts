/** The schemas of a document in JSON Schema draft 2020-12, as OpenAPI has them since 3.1, written apart from the reader. */
import { fragmentOf, fragmentSegments } from '../../src/contract/document/pointer.ts'
import { atPath, rewriteReferences } from '../../src/contract/document/reference.ts'
import { schemaKeywords, typesOf } from '../../src/contract/document/schema-object.ts'
import { contractNodes } from '../../src/contract/document/walk.ts'
import { define, type Json, type JsonObject, own } from '../../src/contract/model/json.ts'

/** Returns a copy of the document. */
export function upgraded(written: JsonObject): JsonObject {
  const document = structuredClone(written)
  const inner = new Map<Json | undefined, JsonObject>()
  const visited: JsonObject[] = []
  for (const { node, names } of contractNodes(document)) {
    visited.push(node)
    if (names !== undefined) continue
    exclusiveBounds(node)
    const union = nullable(node)
    if (union[0] !== undefined) inner.set(node, union[0])
  }
  if (inner.size > 0)
    for (const node of visited) rewriteReferences(node, (reference) => moved(document, reference, inner))
  return document
}

const flags = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum']
] as const

/** Upgrades the flags of OpenAPI 3.0 beside the bounds, as in JSON Schema draft 4. */
function exclusiveBounds(schema: JsonObject): void {
  for (const [flag, bound] of flags) {
    const [written, limit] = [own(schema, flag), own(schema, bound)]
    if (typeof written !== 'boolean') continue
    Reflect.deleteProperty(schema, flag)
    if (!written || limit === undefined) continue
    define(schema, flag, limit)
    Reflect.deleteProperty(schema, bound)
  }
}

/** Keywords that may refuse null whatever types the schema lists. */
const judging = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'const']

const types: ReadonlySet<string> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array'])

/**
 * Upgrades `nullable` of OpenAPI 3.0 (3.0.3, section 4.7.24): null is valid, too, whatever else the schema requires.
 * @returns the branches of the union that the schema has become; no branch if it lists null itself
 */
function nullable(schema: JsonObject): JsonObject[] {
  const written = own(schema, 'nullable')
  Reflect.deleteProperty(schema, 'nullable')
  if (written !== true) return []
  if (judging.some((key) => own(schema, key) !== undefined)) return united(schema)
  const [named, values] = [typesOf(schema), own(schema, 'enum')]
  if (named.length > 0 && named.every((type) => types.has(type))) define(schema, 'type', [...named, 'null'])
  if (Array.isArray(values) && !values.includes(null)) define(schema, 'enum', [...values, null])
  return []
}

/** Moves what constrains the value into a branch; what describes it stays. */
function united(schema: JsonObject): JsonObject[] {
  const constraints = Object.entries(schema).filter(
    ([key]) => schemaKeywords.has(key) || key === 'discriminator'
  )
  for (const [key] of constraints) Reflect.deleteProperty(schema, key)
  const union = [Object.fromEntries(constraints), { type: 'null' }]
  define(schema, 'anyOf', union)
  return union
}

/** Returns a reference that leads through `united` schemas to the same place. */
function moved(
  document: JsonObject,
  reference: string,
  inner: ReadonlyMap<Json | undefined, JsonObject>
): string {
  if (!reference.startsWith('#/')) return reference
  const path: string[] = []
  let holder: Json | undefined = document
  for (const segment of fragmentSegments(reference)) {
    const constraints = inner.get(holder)
    const isMoved = constraints !== undefined && Object.hasOwn(constraints, segment)
    if (isMoved) path.push('anyOf', '0')
    path.push(segment)
    holder = atPath(isMoved ? constraints : holder, [segment])
  }
  return fragmentOf(path)
}
