/**
 * The one file that reaches into openapi-typescript; transform.test.ts holds its version. Its entry function is avoided:
 * it lints the document again, with a linter that takes a fifth of a cold generation to load, and writes the document as
 * JSON, which cannot hold bigints.
 */
import type { GlobalContext, OpenAPI3, SchemaObject, TransformNodeOptions } from 'openapi-typescript'
import { astToString } from 'openapi-typescript/dist/lib/ts.mjs'
import transformDocument from 'openapi-typescript/dist/transform/index.mjs'
import transformSchema from 'openapi-typescript/dist/transform/schema-object.mjs'
import type ts from 'typescript'
import { define, isObject, type Json, type JsonObject, stringify } from '../document/json-value.ts'
import { atPointer } from '../document/reference.ts'

export type { TransformNodeOptions }
export { astToString }

/** Functions that openapi-typescript calls for each schema; undefined keeps its own type. */
export interface Hooks {
  /** Types schemas that have a `type`. */
  readonly transform: (schema: JsonObject, options: TransformNodeOptions) => ts.TypeNode | undefined
  readonly postTransform: (type: ts.TypeNode, place: { readonly path: string }) => ts.TypeNode | undefined
}

/** Returns the declarations of a document: `paths`, `webhooks`, `components`, `operations`, and those that these need. */
export function documentTypes(view: JsonObject, hooks: Hooks): ts.Node[] {
  // The options that the entry function would set to false are left out.
  const context = {
    ...hooks,
    transform: once(hooks.transform),
    discriminators: { objects: {}, refsHandled: [] },
    emptyObjectsUnknown: true,
    injectFooter: [],
    resolve: (reference: string) => atPointer(view, reference)
  }
  return transformDocument(view as unknown as OpenAPI3, context as unknown as GlobalContext)
}

/**
 * Keeps the type of each schema: openapi-typescript asks for that of a property twice, which would double the work with
 * each level of nesting.
 */
function once(transform: Hooks['transform']): Hooks['transform'] {
  const known = new Map<JsonObject, ts.TypeNode | undefined>()
  return (schema, options) => {
    if (!known.has(schema)) known.set(schema, transform(schema, options))
    return known.get(schema)
  }
}

/** Returns the type of a schema at another place of the document. */
export function typeAt(schema: Json, path: string, options: TransformNodeOptions): ts.TypeNode {
  return transformSchema(schema as unknown as SchemaObject, { ...options, path })
}

interface Masked {
  readonly view: JsonObject
  /** Returns the printed types with the percent signs. */
  readonly restore: (types: string) => string
}

/**
 * Replaces percent signs in names and texts by a word that the document does not have, and that is no identifier:
 * openapi-typescript decodes each name as if it were percent-encoded, and stops at `50%`.
 */
export function maskPercentSigns(view: JsonObject): Masked {
  const text = stringify(view)
  if (!text.includes('%')) return { view, restore: (types) => types }
  let word = 'percent-sign'
  while (text.includes(word)) word = `${word}-`
  return { view: maskedNode(view, word), restore: (types) => types.replaceAll(word, '%') }
}

function masked(value: Json, word: string): Json {
  if (typeof value === 'string') return value.replaceAll('%', word)
  if (Array.isArray(value)) return value.map((item) => masked(item, word))
  return isObject(value) ? maskedNode(value, word) : value
}

function maskedNode(node: JsonObject, word: string): JsonObject {
  const result: JsonObject = {}
  for (const [key, value] of Object.entries(node)) {
    // A reference of a loaded document is percent-encoded (document/pointer.ts, fragmentOf).
    const named = key === '$ref' && typeof value === 'string' ? value.replaceAll('%25', '%') : value
    define(result, key.replaceAll('%', word), masked(named, word))
  }
  return result
}
