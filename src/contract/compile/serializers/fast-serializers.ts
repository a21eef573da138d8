/**
 * Serializers by fast-json-stringify, all of a contract in one module: every object and array is one function, which all
 * that refer to it call. Built one by one, the serializers of a large contract would repeat each other ten times over.
 */
import assert from 'node:assert/strict'
import build from 'fast-json-stringify'
import type { JsonObject } from '../document/json-value.ts'
import { withAncestors } from '../shapes/ancestors.ts'
import { childrenOf } from '../shapes/graph.ts'
import type { ShapeGraph, ShapeNode } from './shape-graph.ts'

/** Its types do not say that in standalone mode a build is source text. */
const standalone = build as unknown as (
  schema: JsonObject,
  options: { mode: 'standalone'; schema: JsonObject }
) => string

/** Numbers of the nodes that fast-json-stringify can write exactly, with all that they lead to. */
export function regularNodes({ nodes }: ShapeGraph): Set<number> {
  const irregular = [...nodes.keys()].filter((number) => regularSchema(nodes[number]) === undefined)
  return new Set(nodes.keys()).difference(withAncestors(irregular, nodes.map(childrenOf)))
}

/** Steps along paths from one node, and how deep they lead, that fast-json-stringify may be asked to take. */
const most = { steps: 5000, depth: 30 }

/** It follows every path through the schemas to find circles: where they meet again and again, that takes for ever. */
export function isTractable(graph: ShapeGraph, first: number): boolean {
  const path = new Set<number>()
  let steps = 0
  const follow = (number: number): boolean => {
    const node = graph.nodes[number]
    if (node === undefined || path.has(number)) return true
    steps++
    if (steps > most.steps || path.size > most.depth) return false
    path.add(number)
    const all = childrenOf(node).every(follow)
    path.delete(number)
    return all
  }
  return follow(first)
}

/** @returns the module's source: it exports an object of functions, by node as `e12` */
export function fastModule(
  graph: ShapeGraph,
  numbers: readonly number[],
  runtimeModule: string
): { source: string; made: ReadonlySet<number> } {
  const schema = Object.fromEntries(numbers.flatMap((number) => graph.reachable(number)).map(external))
  const properties = Object.fromEntries(numbers.map((number) => [`e${number}`, ref(number)]))
  const code = standalone({ type: 'object', properties }, { mode: 'standalone', schema })
  const made = [...code.matchAll(/json \+= (anonymous\d+)\(value_e(\d+)_\d+\)/g)]
  const exported = made.map(([, name, number]) => `e${number}: ${name}`)
  const main = /const main = \w+\s+return main\b/
  assert.match(code, main, 'fast-json-stringify has changed how it ends')
  const source = withoutHooks(withoutCoercion(code.replace(main, `return { ${exported.join(', ')} }`)))
  return {
    source: `const { exactStringify } = require(${JSON.stringify(runtimeModule)})\n${source}`,
    made: new Set(made.map(([, , number]) => Number(number)))
  }
}

/** A value that is to be a string has been validated as one; what else could become a string is most of the code. */
function withoutCoercion(code: string): string {
  return code.replaceAll(
    /if \(typeof (\w+) !== 'string'\) \{\s*if \(\1 === null\) \{[^{}]*\}(?: else if \(\1 instanceof \w+\) \{[^{}]*\})* else \{[^{}]*\}\s*\} else \{\s*json \+= asString\(\1\)\s*\}/g,
    'json += asString($1)'
  )
}

/**
 * fast-json-stringify trusts `toJSON`, whose result nobody has validated, and writes values of any type with
 * `JSON.stringify`, which can not write a bigint.
 */
function withoutHooks(code: string): string {
  const body = code
    .replaceAll(/\((\w+) && typeof \1\.toJSON === 'function'\)\s*\? \1\.toJSON\(\)\s*: \1/g, '$1')
    .replaceAll('JSON.stringify(', 'exactStringify(')
  // What is left only guards against a hook that someone has set on all arrays.
  const hook = /(?<!Array\.prototype)\.toJSON\b/
  assert.doesNotMatch(body, hook, 'fast-json-stringify has changed how it calls toJSON')
  return body
}

const external = ([number, node]: readonly [number, ShapeNode]): [string, JsonObject] => [
  `n${number}`,
  { $id: `n${number}`, ...regularSchema(node) }
]

const ref = (number: number): JsonObject => ({ $ref: `n${number}#` })

/** One type, or one and null; no patterns, no tuples, no name that every object answers to. */
function regularSchema(node: ShapeNode | undefined): JsonObject | undefined {
  if (node?.types === undefined) return node !== undefined && isUnsaid(node) ? {} : undefined
  if (node.fromUnion) return undefined
  const [type, ...others] = [...node.types].filter((name) => name !== 'null')
  if (type === undefined) return { type: 'null' }
  if (others.length > 0 || node.patterns.length > 0 || node.prefixItems.length > 0) return undefined
  const nullable = node.types.has('null')
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
  if (!node.properties.every(([name]) => isPlainName(name))) return undefined
  return {
    ...base,
    properties: Object.fromEntries(node.properties.map(([name, child]) => [name, ref(child)])),
    ...(node.additional === undefined ? {} : { additionalProperties: ref(node.additional) })
  }
}

const isPlainName = (name: string): boolean =>
  !(name in Object.prototype) && !name.includes('toJSON') && /^[\w$@.\-: ]*$/.test(name)
