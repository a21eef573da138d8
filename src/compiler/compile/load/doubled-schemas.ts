/**
 * Finds schemas that hold others so often that the linter, which follows each of them, takes hours: 28 levels of
 * `allOf: [next, next]` are 2^28 schemas.
 */
import { arrayOf, isObject, type Json, type JsonObject, own } from '../document/json-value.ts'
import { atPointer, pointerOf } from '../document/reference.ts'
import { contractNodes } from '../document/walk.ts'

/** Most schemas that apply to one value, each counted as often as it is named. */
export const maxApplied = 50_000
/** Levels of schemas beyond which they count as too many. */
const maxLevels = 1_000

/** Rules of the linter that follow schemas without remembering them. */
export const rulesThatFollow = [
  'no-invalid-media-type-examples',
  'no-invalid-parameter-examples',
  'no-invalid-schema-examples',
  'no-required-schema-properties-undefined'
]

/** @returns the pointer of the first schema that stands for too many */
export function doubledSchema(document: JsonObject): string | undefined {
  const counts = new Map<Json, number>()
  for (const { node, pointer } of contractNodes(document))
    if (applied(node, { document, counts, level: 0 }) > maxApplied) return pointer
  return undefined
}

interface Counting {
  readonly document: JsonObject
  readonly counts: Map<Json, number>
  readonly level: number
}

/** Counts the schemas that apply to a value with this one; a schema that holds itself adds nothing. */
function applied(schema: Json | undefined, { document, counts, level }: Counting): number {
  if (!isObject(schema)) return 0
  const known = counts.get(schema)
  if (known !== undefined) return known
  if (level > maxLevels) return Infinity
  counts.set(schema, 0)
  const pointer = pointerOf(schema)
  const inner = [
    ...(pointer === undefined ? [] : [atPointer(document, pointer)]),
    ...['allOf', 'anyOf', 'oneOf'].flatMap((key) => arrayOf(own(schema, key))),
    ...['not', 'if', 'then', 'else'].map((key) => own(schema, key))
  ]
  const further = inner.map((each) => applied(each, { document, counts, level: level + 1 }))
  const count = further.reduce((sum, each) => sum + each, 1)
  counts.set(schema, count)
  return count
}
