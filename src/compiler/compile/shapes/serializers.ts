/**
 * Compiles serializers ahead of time. They write only declared properties of a value that a validator has accepted: a function
 * for each object schema copies them into an object literal, which `JSON.stringify` then writes. In V8 this is faster than
 * building the text property by property. In memory the properties that a service does not send are removed instead.
 */
import {
  anyValue,
  define,
  isUnconstrained,
  type Operation,
  type Schema,
  target,
  validityDigest
} from '@contract-first/contract'
import {
  type CompiledCode,
  pattern,
  type RequestBodies,
  type RequestShape
} from '@contract-first/engine/model'
import { exactStringify } from '@contract-first/engine/runtime/serializers'
import { keyOf, propertyAccess, quoted } from '../../source/values.ts'
import { referredName, ShapeGraph, type ShapeNode, type ShapeTable, shapeTable } from './shape-graph.ts'

export class Serializers {
  /** Schemas by the name of their export. */
  readonly #schemas = new Map<string, Schema>()
  /** Names by what a schema refers to. */
  readonly #names = new Map<Schema, string>()

  /** @returns the name under which the generated module exports the serializer of the schema */
  add(schema: Schema, label: string): string {
    const end = target(schema)
    const meant = isUnconstrained(end) ? anyValue : end
    const name = this.#names.get(meant) ?? this.#freeName(referredName(schema) ?? label)
    if (!this.#schemas.has(name)) this.#schemas.set(name, schema)
    this.#names.set(meant, name)
    return name
  }

  /** An import of a module that exports `then` would never end. */
  #freeName(label: string): string {
    let name = label
    for (let serial = 2; this.#schemas.has(name) || name === 'then'; serial++) name = `${label}_${serial}`
    return name
  }

  /** @returns the serializers for this process, which write undeclared properties too; a schema is read at the first call */
  functions(): CompiledCode['serializers'] {
    const shown = shownParts()
    const writer = (schema: Schema) => (value: unknown) => exactStringify(shown(value, schema))
    return Object.fromEntries([...this.#schemas].map(([name, schema]) => [name, writer(schema)]))
  }

  /** @returns the source code of the generated module, by module name */
  modules(runtimeModule: string): Map<string, string> {
    const graph = new ShapeGraph('service')
    const exports = [...this.#schemas].map(([name, schema]) => ({ name, number: graph.add([schema]) }))
    const copies = new CopyFunctions(graph)
    const writers = exports.map(
      ({ name, number }) =>
        `const write_${name} = (value) => exactStringify(${copies.copyOf(number, 'value')});`
    )
    // A schema may be called `delete`, which is valid only as the name of an export.
    const names = exports.map(({ name }) => `write_${name} as ${name}`)
    const lines = [
      `import { declaredOnly, exactStringify, int64 } from ${JSON.stringify(runtimeModule)};`,
      ...copies.declarations(),
      ...writers,
      `export { ${names.join(', ')} };`
    ]
    return new Map([['index', `${lines.join('\n')}\n`]])
  }
}

/** Returns the declared properties of each JSON request body, for the codec of its operation. */
export function requestShapes(operations: readonly Operation[]): RequestBodies {
  const graph = new ShapeGraph('client')
  const added = operations.flatMap(({ id, body }) =>
    (body?.contents ?? [])
      .filter(({ kind }) => kind === 'json')
      .map(({ mediaType, schema = anyValue }) => ({ id, mediaType, schema, number: graph.add([schema]) }))
  )
  const { shapes, position } = shapeTable(
    graph,
    added.map(({ number }) => number)
  )
  const bodies: Record<string, Record<string, RequestShape>> = {}
  for (const { id, mediaType, schema, number } of added) {
    if (!Object.hasOwn(bodies, id)) define(bodies, id, {})
    define(bodies[id] ?? {}, mediaType, { shape: position(number), digest: validityDigest(schema) })
  }
  return { shapes, bodies }
}

/** Ways to copy a value: not at all, by one function, or by a look-up in the table of shapes. */
type Kind = 'same' | 'int64' | 'object' | 'array' | 'table'

class CopyFunctions {
  readonly #graph: ShapeGraph
  readonly #kinds: readonly Kind[]
  /** Names of functions by node, in the order of use. */
  readonly #names = new Map<number, string>()
  readonly #taken = new Set<string>()
  readonly #table: ShapeTable

  constructor(graph: ShapeGraph) {
    this.#graph = graph
    this.#kinds = kindsOf(graph)
    this.#table = shapeTable(
      graph,
      [...graph.nodes.keys()].filter((number) => this.#kinds[number] === 'table')
    )
  }

  /** @returns source code that copies the value of a node; null and undefined stay as they are */
  copyOf(number: number, value: string): string {
    const kind = this.#kinds[number]
    if (kind === 'int64') return `int64(${value})`
    if (kind === 'table') return `declaredOnly(${value}, shapes(), ${this.#table.position(number)})`
    if (kind === 'array') return `${value} && ${this.#mapped(number, value)}`
    return kind === 'object' ? `${value} && ${this.#function(number)}(${value})` : value
  }

  /** Returns the declarations of all functions that the copies call. */
  declarations(): string[] {
    const { shapes } = this.#table
    const text = quoted(JSON.stringify(shapes))
    const table = `let table;\nconst shapes = () => (table ??= JSON.parse(${text}));`
    const functions: string[] = []
    // A map visits members that are added during its iteration.
    for (const [number, name] of this.#names)
      functions.push(`function ${name}(value) {\n  return ${this.#body(number)};\n}`)
    return [...(shapes.length === 0 ? [] : [table]), ...functions]
  }

  #function(number: number): string {
    const known = this.#names.get(number)
    if (known !== undefined) return known
    const name = this.#freeName(number)
    this.#names.set(number, name)
    return name
  }

  #freeName(number: number): string {
    const label = `copy_${this.#graph.nodes[number]?.name ?? number}`
    const name = this.#taken.has(label) ? `${label}_${number}` : label
    this.#taken.add(name)
    return name
  }

  #body(number: number): string {
    if (this.#kinds[number] === 'array') return this.#mapped(number, 'value')
    const properties = this.#graph.nodes[number]?.properties ?? []
    const members = properties.map(
      ([name, child]) => `${keyOf(name)}: ${this.copyOf(child, propertyAccess('value', name))}`
    )
    return members.length === 0 ? '{}' : `{\n    ${members.join(',\n    ')}\n  }`
  }

  #mapped(number: number, value: string): string {
    const item = Number(this.#graph.nodes[number]?.items)
    const nested = this.#kinds[item] === 'array' ? `item && ${this.#function(item)}(item)` : undefined
    return `${value}.map((item) => ${nested ?? this.copyOf(item, 'item')})`
  }
}

/** Returns the kind of each node. An array is not copied unless its items are. */
function kindsOf({ nodes }: ShapeGraph): Kind[] {
  const kinds = nodes.map((node, number) => kindOf(node, isWhole(nodes, number)))
  const isCopied = (number: number): boolean => {
    const lists = new Set<number>()
    let item: number | undefined = number
    while (item !== undefined && kinds[item] === 'array' && !lists.has(item)) {
      lists.add(item)
      item = nodes[item]?.items
    }
    return item !== undefined && !lists.has(item) && kinds[item] !== 'same'
  }
  return kinds.map((kind, number) => (kind === 'array' && !isCopied(number) ? 'same' : kind))
}

function kindOf(node: ShapeNode, isWritten: boolean): Kind {
  if (node.types === undefined) return isWritten ? 'same' : 'table'
  if (node.isUnion) return 'table'
  const types = [...node.types].filter((type) => type !== 'null')
  if (isScalar(node)) return types.includes('int64') ? 'int64' : 'same'
  if (types.length > 1) return 'table'
  if (types[0] === 'array') return node.prefixItems.length > 0 ? 'table' : listKind(node)
  return isPlainObject(node) ? 'object' : 'table'
}

const listKind = (node: ShapeNode): Kind => (node.items === undefined ? 'same' : 'array')

const isScalar = ({ types }: ShapeNode): boolean =>
  types !== undefined && !types.has('object') && !types.has('array')

/** Recognises nodes whose values are written as they are: without a declared type, and without members that have one. */
function isWhole(nodes: readonly ShapeNode[], number: number, seen = new Set<number>()): boolean {
  const node = nodes[number]
  if (node === undefined || seen.has(number) || isScalar(node)) return true
  seen.add(number)
  const { types, properties, hidden, prefixItems, items, unnamed } = node
  if (types !== undefined || items !== undefined || unnamed.length === 0) return false
  if (properties.length + hidden.length + prefixItems.length > 0) return false
  return unnamed.every(
    ({ patterns, additional }) =>
      patterns.length === 0 && (additional === undefined || isWhole(nodes, additional, seen))
  )
}

/** Recognises objects with only declared properties, none named like a member of Object.prototype. */
const isPlainObject = (node: ShapeNode): boolean =>
  node.unnamed.length === 0 && node.properties.every(([name]) => !(name in Object.prototype))

/** Returns a copy of a value of the schema without the properties that are left out. */
export type Shown = (value: unknown, schema: Schema) => unknown

/** Decides which members of a value of these shapes are left out. */
type IsLeftOut = (nodes: readonly ShapeNode[], name: string) => boolean

const isHidden: IsLeftOut = (nodes, name) => nodes.some(({ hidden }) => hidden.includes(name))

/** Returns true for what generated serializers do not write. */
export const isUndeclared: IsLeftOut = (nodes, name) =>
  isHidden(nodes, name) || childrenOf(nodes, name).length === 0

/** @param isLeftOut by default true for `writeOnly` properties */
export function shownParts(isLeftOut = isHidden): Shown {
  const graph = new ShapeGraph('service')
  return (value, schema) => withoutHidden(value, graph, [graph.add([schema])], isLeftOut)
}

/**
 * Copies a value without the properties that are left out, by default those that any of its shapes hides.
 * @param numbers nodes of the shapes that apply to the value
 */
export function withoutHidden(
  value: unknown,
  graph: ShapeGraph,
  numbers: readonly number[],
  isLeftOut = isHidden
): unknown {
  if (typeof value !== 'object' || value === null) return value
  const nodes = numbers.flatMap((number) => graph.nodes[number] ?? [])
  if (nodes.length === 0) return value
  if (Array.isArray(value)) {
    const itemsAt = (index: number) => nodes.flatMap((node) => node.prefixItems[index] ?? node.items ?? [])
    return value.map((item, index) => withoutHidden(item, graph, itemsAt(index), isLeftOut))
  }
  const copy = {}
  for (const [name, member] of Object.entries(value))
    if (!isLeftOut(nodes, name))
      define(copy, name, withoutHidden(member, graph, childrenOf(nodes, name), isLeftOut))
  return copy
}

/** Returns the shapes of a member: those of its name, otherwise of every matching pattern, otherwise the additional ones. */
function childrenOf(nodes: readonly ShapeNode[], name: string): number[] {
  const children = nodes.flatMap(({ properties, unnamed }) => {
    const named = properties.filter(([each]) => each === name)
    if (named.length > 0) return named.map(([, child]) => child)
    return unnamed.flatMap(({ patterns, additional }) => {
      const matching = patterns.filter(([source]) => pattern(source).test(name))
      return matching.length > 0 ? matching.map(([, child]) => child) : (additional ?? [])
    })
  })
  return [...new Set(children)]
}
