/**
 * The one file that reaches into openapi-typescript; transform.test.ts holds its version. Its entry function is avoided,
 * because it lints the document, with a linter that takes a fifth of a cold generation to load. Its CommonJS modules load
 * TypeScript as CommonJS, too (source/typescript.ts).
 */

import { atPointer, type Json, type JsonObject } from '@contract-first/contract'
import { escapePointer } from '@contract-first/engine/json'
import type { GlobalContext, OpenAPI3, SchemaObject } from 'openapi-typescript'
import { astToString } from 'openapi-typescript/dist/lib/ts.cjs'
import transformDocument from 'openapi-typescript/dist/transform/index.cjs'
import schemaObject from 'openapi-typescript/dist/transform/schema-object.cjs'
import type { TypeNode } from 'typescript'
import { RecentResults } from '../../source/recent-results.ts'
import { ts } from '../../source/typescript.ts'

const { factory } = ts

/** Returns a schema with the text as its type: openapi-typescript writes a reference to `#/bigint` as `bigint`. */
export const typeNamed = (text: string): JsonObject => ({ $ref: `#/${escapePointer(text)}` })

/** Names among the items of a printed tuple: the items behind them are optional, or the type of all further ones. */
const optional = 'OptionalItems'
const rest = 'RestItems'

/** @param further schema of the items after the listed ones; undefined if there are none */
export function tupleOf(required: readonly Json[], others: readonly Json[], further?: Json): JsonObject {
  const either = others.length === 0 ? [] : [typeNamed(optional), ...others]
  return {
    prefixItems: [...required, ...either, ...(further === undefined ? [] : [typeNamed(rest), further])]
  }
}

/** Writes optional and further items of a tuple, for which JSON Schema has no keyword that openapi-typescript knows. */
function tupleType(type: TypeNode): TypeNode | undefined {
  if (!ts.isTupleTypeNode(type)) return undefined
  const elements: TypeNode[] = []
  let mark = ''
  for (const element of type.elements as readonly TypeNode[]) {
    const name =
      ts.isTypeReferenceNode(element) && ts.isIdentifier(element.typeName) ? element.typeName.text : ''
    if (name === optional || name === rest) mark = name
    else if (mark === rest) elements.push(factory.createRestTypeNode(factory.createArrayTypeNode(element)))
    else elements.push(mark === optional ? factory.createOptionalTypeNode(element) : element)
  }
  return mark === '' ? undefined : factory.createTupleTypeNode(elements)
}

/**
 * Returns the types of a document: `paths`, `webhooks`, `components`, `operations`, and those that these need.
 * @param aliases schemas of further types by name
 * @param postTransform called once for each schema
 */
export function documentTypes(
  document: JsonObject,
  aliases: ReadonlyMap<string, Json>,
  postTransform = tupleType
): string {
  const text = JSON.stringify({ document, aliases: [...aliases] })
  return written.of([text], () => writtenTypes(text, postTransform))
}

const written = new RecentResults<string>()

/** @param text the document and the aliases, as JSON */
function writtenTypes(text: string, postTransform: typeof tupleType): string {
  const { printed, restore } = maskPercentSigns(text)
  // The options that the entry function would set to false are left out.
  const ctx = {
    postTransform,
    discriminators: { objects: {}, refsHandled: [] },
    emptyObjectsUnknown: true,
    injectFooter: [],
    resolve: (reference: string) => atPointer(printed.document as never, reference)
  } as unknown as GlobalContext
  const nodes = transformDocument(printed.document as unknown as OpenAPI3, ctx)
  const modifiers = [factory.createModifier(ts.SyntaxKind.ExportKeyword)]
  const declarations = printed.aliases.map(([name, schema]) => {
    const type = schemaObject.default(schema as unknown as SchemaObject, { ctx, path: `#/${name}` })
    return factory.createTypeAliasDeclaration(modifiers, name, undefined, type)
  })
  return restore(astToString([...nodes, ...declarations]))
}

interface Masked {
  readonly printed: { readonly document: JsonObject; readonly aliases: readonly (readonly [string, Json])[] }
  /** Returns the types with the percent signs. */
  readonly restore: (types: string) => string
}

/**
 * Replaces percent signs in names and texts by a word that the document does not have, and that is no identifier:
 * openapi-typescript decodes each name as if it were percent-encoded, and stops at `50%`.
 */
function maskPercentSigns(text: string): Masked {
  let word = 'percent-sign'
  while (text.includes(word)) word = `${word}-`
  return { printed: JSON.parse(text.replaceAll('%', word)), restore: (types) => types.replaceAll(word, '%') }
}
