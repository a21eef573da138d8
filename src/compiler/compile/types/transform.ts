/**
 * The one file that reaches into openapi-typescript; transform.test.ts holds its version. Its entry function is avoided:
 * it lints the document again, with a linter that takes a fifth of a cold generation to load, and writes the document as
 * JSON, which cannot hold bigints.
 */
import type { GlobalContext, OpenAPI3, SchemaObject, TransformNodeOptions } from 'openapi-typescript'
import { astToString } from 'openapi-typescript/dist/lib/ts.mjs'
import transformDocument from 'openapi-typescript/dist/transform/index.mjs'
import transformSchema from 'openapi-typescript/dist/transform/schema-object.mjs'
import ts from 'typescript'
import { define, isObject, type Json, type JsonObject } from '../document/json-value.ts'
import { atPointer } from '../document/reference.ts'

export type { TransformNodeOptions }
export { astToString }

/** Functions that openapi-typescript calls for each schema; undefined keeps its own type. */
export interface Hooks {
  /** Types schemas that have a `type`. */
  readonly transform: (schema: JsonObject, options: TransformNodeOptions) => ts.TypeNode | undefined
  readonly postTransform: (type: ts.TypeNode, place: { readonly path: string }) => ts.TypeNode | undefined
  /** Returns declarations to which the types of the last part refer. */
  readonly declarations: () => readonly ts.Node[]
  /** Rewrites printed types. */
  readonly rewrite: (types: string) => string
}

/** Printed types of a part of a document. */
export interface PartTypes {
  /** Members of the interfaces by name: `paths`, `operations`, `components schemas`. */
  readonly members: ReadonlyMap<string, string>
  /** Declarations beside the interfaces; several parts may need the same one. */
  readonly declarations: readonly string[]
}

/** @param part document of one path, webhook or component, which refers to those of the whole document */
export function partTypes(part: JsonObject, view: JsonObject, hooks: Hooks): PartTypes {
  // The options that the entry function would set to false are left out.
  const context = {
    ...hooks,
    transform: once(hooks.transform),
    discriminators: { objects: {}, refsHandled: [] },
    emptyObjectsUnknown: true,
    injectFooter: [],
    resolve: (reference: string) => atPointer(view, reference)
  }
  const nodes = transformDocument(part as unknown as OpenAPI3, context as unknown as GlobalContext)
  const print = (node: ts.Node) => hooks.rewrite(astToString(node))
  const interfaces = nodes.filter(ts.isInterfaceDeclaration)
  const others = nodes.filter((node) => !ts.isInterfaceDeclaration(node) && !isEmpty(node))
  return {
    members: new Map(
      interfaces.flatMap(lists).map(({ name, node, depth }) => [name, inner(print(node), depth)])
    ),
    declarations: [...others, ...hooks.declarations()].map(print)
  }
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

/** Returns true for the alias that openapi-typescript writes in place of an interface without members. */
const isEmpty = (node: ts.Node): boolean =>
  ts.isTypeAliasDeclaration(node) && /^(paths|webhooks|components|\$defs|operations)$/.test(node.name.text)

/** Returns an interface, and that of components as one for each section with members. */
function lists(node: ts.InterfaceDeclaration) {
  if (node.name.text !== 'components') return [{ name: node.name.text, node, depth: 1 }]
  return node.members.flatMap((section) => {
    if (!ts.isPropertySignature(section) || section.type?.kind !== ts.SyntaxKind.TypeLiteral) return []
    const only = ts.factory.createInterfaceDeclaration(undefined, node.name, undefined, undefined, [section])
    return [{ name: `components ${(section.name as ts.Identifier).text}`, node: only, depth: 2 }]
  })
}

/** Leaves out the first and last lines of a printed interface. */
const inner = (text: string, depth: number): string =>
  text
    .split('\n')
    .slice(depth, -depth - 1)
    .map((line) => `${line}\n`)
    .join('')

/** Returns the type of a schema at another place of the document. */
export function typeAt(schema: Json, path: string, options: TransformNodeOptions): ts.TypeNode {
  return transformSchema(schema as unknown as SchemaObject, { ...options, path })
}

interface Masked {
  readonly view: JsonObject
  /** Word for a percent sign; empty if the document has none. */
  readonly word: string
  /** Returns the printed types with the percent signs. */
  readonly restore: (types: string) => string
}

/**
 * Replaces percent signs in names and texts by a word that the document does not have, and that is no identifier:
 * openapi-typescript decodes each name as if it were percent-encoded, and stops at `50%`.
 * @param text the document as JSON
 */
export function maskPercentSigns(view: JsonObject, text: string): Masked {
  if (!text.includes('%')) return { view, word: '', restore: (types) => types }
  let word = 'percent-sign'
  while (text.includes(word)) word = `${word}-`
  return { view: maskedNode(view, word), word, restore: (types) => types.replaceAll(word, '%') }
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
