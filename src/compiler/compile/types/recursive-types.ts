/**
 * Gives an alias to each union or list that contains itself without an object between. TypeScript refuses such a type as
 * a member of an interface and accepts it as an alias (TypeScript 3.7, recursive type aliases).
 */
import ts from 'typescript'
import { arrayOf, isObject, type Json, type JsonObject, objectOf, own } from '../document/json-value.ts'
import { escapePointer, fragmentOf } from '../document/pointer.ts'
import { pointerOf } from '../document/reference.ts'
import { reachable } from '../shapes/graph.ts'
import { astToString } from './transform.ts'

const { factory } = ts

export class RecursiveTypes {
  /** Aliases by the pointers of their schemas, and by the types that refer to these schemas. */
  readonly #names = new Map<string, string>()
  readonly #types = new Map<string, ts.TypeNode>()

  /** @param view the document that is transformed */
  constructor(view: JsonObject) {
    const names = recursiveNames(objectOf(own(objectOf(own(view, 'components')), 'schemas')))
    for (const [index, name] of names.entries()) {
      this.#names.set(`#/components/schemas/${escapePointer(name)}`, `Recursive${index + 1}`)
      this.#names.set(`components["schemas"][${JSON.stringify(name)}]`, `Recursive${index + 1}`)
    }
  }

  /** @returns the alias that replaces the type of the schema at `path`, or undefined */
  replace(type: ts.TypeNode, path: string): ts.TypeNode | undefined {
    if (this.#names.size === 0) return undefined
    const declared = this.#names.get(path)
    if (declared !== undefined) this.#types.set(declared, type)
    const name = declared ?? this.#names.get(astToString(type).trim())
    return name === undefined ? undefined : factory.createTypeReferenceNode(name)
  }

  /** Returns the aliases of the schemas that have been transformed. */
  declarations(): ts.Node[] {
    const exported = factory.createModifier(ts.SyntaxKind.ExportKeyword)
    return [...this.#types].map(([name, type]) =>
      factory.createTypeAliasDeclaration([exported], name, undefined, type)
    )
  }
}

const pointerTo = (name: string): string => fragmentOf(['components', 'schemas', name])

function recursiveNames(schemas: JsonObject): string[] {
  const names = Object.keys(schemas)
  const pointers = names.map(pointerTo)
  const edges = Object.values(schemas).map((schema) =>
    directReferences(schema).map((reference) => pointers.indexOf(reference))
  )
  return names.filter((_name, number) => {
    const all = reachable(edges, number, (references) => references)
    return [...all.values()].some((references) => references.includes(number))
  })
}

/** Returns the references in the type of the schema that are outside of braces. */
function directReferences(schema: Json): string[] {
  if (!isObject(schema)) return []
  const pointer = pointerOf(schema)
  const parts = ['allOf', 'anyOf', 'oneOf', 'prefixItems'].flatMap((key) => arrayOf(own(schema, key)))
  const inner = [...parts, own(schema, 'items') ?? true].flatMap(directReferences)
  return pointer === undefined ? inner : [pointer, ...inner]
}
