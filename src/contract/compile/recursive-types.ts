/**
 * A union or list that contains itself, without an object between, is no type to TypeScript where it is a member of an
 * interface; as an alias it is (TypeScript 3.7, recursive type aliases). Such schemas get one.
 */
import ts from 'typescript'
import { arrayOf, escapePointer, isObject, type Json, type JsonObject, objectOf, own } from './json.ts'
import { pointerOf } from './reference.ts'

const { factory } = ts
const pointerTo = (name: string): string => `#/components/schemas/${escapePointer(name)}`

export class RecursiveTypes {
  /** Aliases by the pointers of their schemas. */
  readonly #names: ReadonlyMap<string, string>
  readonly #types = new Map<string, ts.TypeNode>()

  /** @param view the document that is transformed */
  constructor(view: JsonObject) {
    const pointers = recursivePointers(objectOf(own(objectOf(own(view, 'components')), 'schemas')))
    this.#names = new Map(pointers.map((pointer, index) => [pointer, `Recursive${index + 1}`]))
  }

  /** What to write instead of the type that openapi-typescript has made of the schema at `path`. */
  replace(type: ts.TypeNode, path: string | undefined): ts.TypeNode | undefined {
    const referred = this.#names.get(pointerOfType(type) ?? '')
    const declared = this.#names.get(path ?? '')
    if (declared !== undefined) this.#types.set(declared, type)
    const name = declared ?? referred
    return name === undefined ? undefined : factory.createTypeReferenceNode(name)
  }

  declarations(): ts.Node[] {
    const exported = factory.createModifier(ts.SyntaxKind.ExportKeyword)
    return [...this.#types].map(([name, type]) =>
      factory.createTypeAliasDeclaration([exported], name, undefined, type)
    )
  }
}

/** Of `components["schemas"]["Name"]`. */
function pointerOfType(type: ts.TypeNode): string | undefined {
  if (!ts.isIndexedAccessTypeNode(type) || !ts.isIndexedAccessTypeNode(type.objectType)) return undefined
  const [section, name] = [type.objectType.indexType, type.indexType].map(literalOf)
  return section === 'schemas' && name !== undefined ? pointerTo(name) : undefined
}

const literalOf = (type: ts.TypeNode): string | undefined =>
  ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal) ? type.literal.text : undefined

function recursivePointers(schemas: JsonObject): string[] {
  const edges = new Map(
    Object.entries(schemas).map(([name, schema]) => [pointerTo(name), directReferences(schema)])
  )
  return [...edges.keys()].filter((start) => reaches(start, start, edges))
}

function reaches(start: string, goal: string, edges: ReadonlyMap<string, readonly string[]>): boolean {
  const seen = new Set<string>()
  const pending = [...(edges.get(start) ?? [])]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next === goal) return true
    if (seen.has(next)) continue
    seen.add(next)
    pending.push(...(edges.get(next) ?? []))
  }
  return false
}

/** What a type mentions outside of braces. */
function directReferences(schema: Json): string[] {
  if (!isObject(schema)) return []
  const pointer = pointerOf(schema)
  const parts = ['allOf', 'anyOf', 'oneOf', 'prefixItems'].flatMap((key) => arrayOf(own(schema, key)))
  const inner = [...parts, own(schema, 'items') ?? true].flatMap(directReferences)
  return pointer === undefined ? inner : [pointer, ...inner]
}
