/**
 * Serializers, ahead of time: fast-json-stringify where it can say the shape exactly, else a copy of what is declared
 * and plain JSON. They write what a validator has accepted, and only declared properties of it.
 */
import build from 'fast-json-stringify'
import { isObject, type Json, type JsonObject } from './json.ts'
import { pointerOf } from './reference.ts'
import { Shapes } from './shape.ts'
import { ShapeGraph, type ShapeNode } from './shape-graph.ts'

export class Serializers {
  readonly #graph: ShapeGraph
  readonly #exports = new Map<string, number>()
  readonly #names = new Map<number, string>()

  constructor(document: JsonObject) {
    this.#graph = new ShapeGraph(new Shapes(document, 'writeOnly'))
  }

  /** @returns the name under which the generated module exports the serializer of the schema */
  add(schema: Json, label: string): string {
    const number = this.#graph.add([schema])
    const name =
      this.#names.get(number) ?? this.#freeName(isObject(schema) ? (nameOf(schema) ?? label) : label)
    this.#names.set(number, name)
    this.#exports.set(name, number)
    return name
  }

  #freeName(label: string): string {
    let name = label
    for (let serial = 2; this.#exports.has(name); serial++) name = `${label}_${serial}`
    return name
  }

  /** The modules of the generated code by name: an index, and one per serializer that fast-json-stringify makes. */
  modules(runtimeModule: string): Map<string, string> {
    const modules = new Map<string, string>()
    const index = [`import { exactStringify, declaredOnly } from ${JSON.stringify(runtimeModule)}`]
    for (const [name, number] of this.#exports) {
      const regular = this.#regular(number)
      if (regular !== undefined) modules.set(`./${name}`, fastModule(regular, runtimeModule))
      index.push(
        regular === undefined ? this.#plain(name, number) : `export { default as ${name} } from "./${name}"`
      )
    }
    return modules.set('index', `${index.join('\n')}\n`)
  }

  #plain(name: string, first: number): string {
    const nodes = this.#graph.reachable(first)
    const positions = new Map(nodes.map(([number], position) => [number, position]))
    const shapes = nodes.map(([, node]) => plainShape(node, (number) => positions.get(number) ?? 0))
    const text = JSON.stringify(shapes).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
    const literal = JSON.stringify(text)
    return `const ${name}_shapes = JSON.parse(${literal})\nexport const ${name} = (value) => exactStringify(declaredOnly(value, ${name}_shapes, 0))`
  }

  /** The schema for fast-json-stringify, or undefined where it could not say one of the shapes. */
  #regular(first: number): JsonObject | undefined {
    const definitions: JsonObject = {}
    for (const [number, node] of this.#graph.reachable(first)) {
      const schema = regularSchema(node)
      if (schema === undefined) return undefined
      definitions[String(number)] = schema
    }
    return { $ref: `#/definitions/${first}`, definitions }
  }
}

/** Its types do not say that in standalone mode a build is source text. */
const standalone = build as unknown as (schema: JsonObject, options: { mode: 'standalone' }) => string

/** The name of the schema that is referred to. */
const nameOf = (schema: JsonObject): string | undefined =>
  pointerOf(schema)
    ?.split('/')
    .at(-1)
    ?.replaceAll(/[^A-Za-z0-9_]/g, '_')
    .replace(/^(?=\d)/, '_')

const ref = (number: number): JsonObject => ({ $ref: `#/definitions/${number}` })

function plainShape(node: ShapeNode, position: (number: number) => number): object {
  const positions = (pairs: readonly (readonly [string, number])[]) =>
    pairs.map(([name, child]) => [name, position(child)])
  const known = node.properties.length > 0 || node.patterns.length > 0 || node.additional !== undefined
  const mayBeObject = node.types === undefined || node.types.has('object')
  return {
    ...(known || mayBeObject ? { properties: Object.fromEntries(positions(node.properties)) } : {}),
    ...(node.patterns.length > 0 ? { patterns: positions(node.patterns) } : {}),
    ...(node.additional === undefined ? {} : { additional: position(node.additional) }),
    ...(node.items === undefined ? {} : { items: position(node.items) }),
    ...(node.prefixItems.length > 0 ? { prefixItems: node.prefixItems.map(position) } : {})
  }
}

/** One type, or one and null; no patterns, no tuples, no name that every object answers to. */
function regularSchema(node: ShapeNode): JsonObject | undefined {
  const types = [...(node.types ?? [])].filter((type) => type !== 'null')
  const nullable = node.types?.has('null') === true
  const [type, ...others] = types
  if (node.types === undefined) return isUnsaid(node) ? {} : undefined
  if (type === undefined) return { type: 'null' }
  if (others.length > 0 || node.patterns.length > 0 || node.prefixItems.length > 0) return undefined
  const base = { type: type === 'int64' ? 'integer' : type, ...(nullable ? { nullable } : {}) }
  if (type === 'array') return { ...base, items: node.items === undefined ? {} : ref(node.items) }
  return type === 'object' ? regularObject(node, base) : base
}

/** Nothing is known of it: any JSON value, written as it is. */
function isUnsaid(node: ShapeNode): boolean {
  return (
    node.properties.length === 0 &&
    node.patterns.length === 0 &&
    node.items === undefined &&
    node.prefixItems.length === 0
  )
}

function regularObject(node: ShapeNode, base: JsonObject): JsonObject | undefined {
  if (node.properties.some(([name]) => name in Object.prototype || !/^[\w$@.\-: ]*$/.test(name)))
    return undefined
  return {
    ...base,
    properties: Object.fromEntries(node.properties.map(([name, child]) => [name, ref(child)])),
    ...(node.additional === undefined ? {} : { additionalProperties: ref(node.additional) })
  }
}

/**
 * fast-json-stringify trusts `toJSON`, whose result nobody has validated, and writes values of any type with
 * `JSON.stringify`, which can not write a bigint.
 */
function fastModule(schema: JsonObject, runtimeModule: string): string {
  const code = standalone(schema, { mode: 'standalone' })
  const body = code
    .replaceAll(/\((\w+) && typeof \1\.toJSON === 'function'\)\s*\? \1\.toJSON\(\)\s*: \1/g, '$1')
    .replaceAll('JSON.stringify(', 'exactStringify(')
  if (body.includes('toJSON')) throw new Error('fast-json-stringify has changed how it calls toJSON')
  return `const { exactStringify } = require(${JSON.stringify(runtimeModule)})\n${body}`
}
