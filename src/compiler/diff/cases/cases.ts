/**
 * The values that schemas allow, as alternatives of one type each: the meaning of `anyOf`, `oneOf`, `allOf` and
 * references; and of `unevaluated…` (JSON Schema Core 2020-12, section 11), because within one case every applicator is known.
 */
import {
  arrayOf,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  own,
  typesOf
} from '../../compile/documents.ts'
import { identitiesIn, identity } from '../../evaluate/evaluate.ts'
import { prefixLength } from '../../evaluate/members.ts'
import { flattened, made, type Side } from './side.ts'

export const types = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const
export type Type = (typeof types)[number]

/** Values of one type that satisfy the keywords of every node. */
export interface Case {
  readonly type: Type
  readonly isInteger: boolean
  /** Possible values, if `enum` or `const` list them. */
  readonly values: readonly Json[] | undefined
  /** Schemas whose own keywords hold; their compositions and references have become cases. */
  readonly nodes: readonly JsonObject[]
  /** The branches of unions that lead here, the outermost first. */
  readonly branches: readonly Json[]
  /** True when some union was too large to be expanded: the case allows more than the schema. */
  readonly isApproximate: boolean
}

const plain = { isInteger: false, nodes: [], branches: [], isApproximate: false } as const

const anything: readonly Case[] = [
  { ...plain, type: 'null', values: [null] },
  { ...plain, type: 'boolean', values: [true, false] },
  ...(['number', 'string', 'array', 'object'] as const).map((type) => ({ ...plain, type, values: undefined }))
]

/** Most cases of one schema; a larger product of unions is not expanded. */
const maxCases = 200

export function casesOf(schemas: readonly Json[], side: Side): readonly Case[] {
  return product(
    schemas.map((schema) => expanded(schema, { side, open: new Set(), known: new Map(), cuts: 0 })),
    side
  )
}

interface Expansion {
  readonly side: Side
  /** Schemas around the expanded one. */
  readonly open: Set<Json>
  /** Cases of schemas that no cycle has cut: 28 levels that name the next one twice have 2^28 expansions. */
  readonly known: Map<Json, readonly Case[]>
  /** Number of cycles that were cut. */
  cuts: number
}

function expanded(schema: Json, expansion: Expansion): readonly Case[] {
  if (!isObject(schema)) return schema === false ? [] : anything
  const known = expansion.known.get(schema)
  if (known !== undefined) return known
  const { open, cuts } = expansion
  if (open.has(schema)) {
    expansion.cuts++
    return anything
  }
  open.add(schema)
  const cases = expandedNode(schema, expansion)
  open.delete(schema)
  if (expansion.cuts === cuts) expansion.known.set(schema, cases)
  return cases
}

function expandedNode(schema: JsonObject, expansion: Expansion): readonly Case[] {
  const { side } = expansion
  const node = side.read(schema)
  const inner = (part: Json) => expanded(part, expansion)
  const target = side.target(node)
  const unions = (['anyOf', 'oneOf'] as const)
    .map((key) => arrayOf(own(node, key)))
    .filter((branches) => branches.length > 0)
  const found = product(
    [
      ownCases(node),
      ...(target === undefined ? [] : [inner(target)]),
      ...arrayOf(own(node, 'allOf')).map(inner),
      ...unions.map((branches) => branches.flatMap((branch) => inner(branch).map(from(side.resolve(branch)))))
    ],
    side
  )
  return found.map((each) => closed(each, node, side))
}

const from =
  (branch: Json) =>
  (each: Case): Case => ({ ...each, branches: [branch, ...each.branches] })

/** Rewrites `unevaluatedProperties` and `unevaluatedItems` as keywords that do not depend on other schemas. */
function closed(each: Case, node: JsonObject, side: Side): Case {
  if (!['unevaluatedProperties', 'unevaluatedItems'].some((key) => Object.hasOwn(node, key))) return each
  const sometimes = conditional(each.nodes, side)
  const all = [...each.nodes, ...sometimes]
  const added = [evaluatedProperties(all, node), evaluatedItems(all, node)]
  const nodes = added.filter((schema) => schema !== undefined)
  const isApproximate = each.isApproximate || sometimes.some(evaluates)
  return { ...each, nodes: [...each.nodes, ...nodes.map((schema) => made(schema, node))], isApproximate }
}

const evaluates = (node: JsonObject): boolean =>
  [
    'properties',
    'patternProperties',
    'additionalProperties',
    'unevaluatedProperties',
    'prefixItems',
    'items',
    'unevaluatedItems'
  ].some((key) => Object.hasOwn(node, key))

/** Returns the schemas that evaluate parts of some values only. */
function conditional(nodes: readonly JsonObject[], side: Side): JsonObject[] {
  const found = new Set<JsonObject>()
  const pending = [...nodes]
  for (const node of pending) {
    const branches = ['if', 'then', 'else'].flatMap((key) => own(node, key) ?? [])
    const counted = own(node, 'contains') === undefined ? [] : [{ items: true }]
    const inner = [...branches, ...Object.values(objectOf(own(node, 'dependentSchemas'))), ...counted]
    const fresh = flattened(inner, side).filter((each) => !found.has(each))
    for (const each of fresh) found.add(each)
    pending.push(...fresh)
  }
  return [...found]
}

function ownCases(node: JsonObject): readonly Case[] {
  const written = typesOf(node)
  const values = Array.isArray(own(node, 'enum')) ? arrayOf(own(node, 'enum')) : undefined
  return anything
    .filter(({ type }) => written.length === 0 || written.includes(type) || isIntegerType(type, written))
    .map((each) => ({
      ...each,
      nodes: [node],
      isInteger: each.type === 'number' && isIntegerType(each.type, written) && !written.includes('number'),
      values: common(
        each.values,
        values?.filter((value) => typeOf(value) === each.type)
      )
    }))
    .filter(isInhabited)
}

const isIntegerType = (type: Type, written: readonly string[]): boolean =>
  type === 'number' && written.includes('integer')

function typeOf(value: Json): Type {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'bigint' ? 'number' : (typeof value as 'boolean' | 'number' | 'string' | 'object')
}

const isInhabited = ({ values }: Case): boolean => values === undefined || values.length > 0

function product(lists: readonly (readonly Case[])[], { budget }: Side): readonly Case[] {
  let cases = anything
  for (const list of lists) {
    budget.spend(cases.length * list.length)
    const next = cases.flatMap((a) => list.flatMap((b) => both(a, b)))
    if (next.length > maxCases) cases = cases.map((each) => ({ ...each, isApproximate: true }))
    else cases = next
  }
  return cases
}

function both(a: Case, b: Case): Case[] {
  if (a.type !== b.type) return []
  const merged: Case = {
    type: a.type,
    isInteger: a.isInteger || b.isInteger,
    values: common(a.values, b.values),
    nodes: [...new Set([...a.nodes, ...b.nodes])],
    branches: [...a.branches, ...b.branches],
    isApproximate: a.isApproximate || b.isApproximate
  }
  return isInhabited(merged) ? [merged] : []
}

function common(a: readonly Json[] | undefined, b: readonly Json[] | undefined): readonly Json[] | undefined {
  if (a === undefined || b === undefined) return a ?? b
  const identities = identitiesIn(b)
  return a.filter((value) => identities.has(identity(value)))
}

/**
 * Returns `unevaluatedProperties` of a schema as `additionalProperties`.
 * @param nodes the schemas that apply together with it, itself included
 */
function evaluatedProperties(nodes: readonly JsonObject[], schema: JsonObject): JsonObject | undefined {
  const rest = own(schema, 'unevaluatedProperties')
  if (rest === undefined || nodes.some((node) => own(node, 'additionalProperties') !== undefined))
    return undefined
  return {
    properties: allowed(nodes, 'properties'),
    patternProperties: allowed(nodes, 'patternProperties'),
    additionalProperties: rest
  }
}

function allowed(nodes: readonly JsonObject[], key: string): JsonObject {
  const names = nodes.flatMap((node) => Object.keys(objectOf(own(node, key))))
  return Object.fromEntries(names.map((name) => [name, true as Json]))
}

/** Returns `unevaluatedItems` of a schema as `items`. */
function evaluatedItems(nodes: readonly JsonObject[], schema: JsonObject): JsonObject | undefined {
  const rest = own(schema, 'unevaluatedItems')
  if (rest === undefined || nodes.some((node) => own(node, 'items') !== undefined)) return undefined
  return { prefixItems: Array.from({ length: prefixLength(nodes) }, (): Json => true), items: rest }
}
