/** Converts every int64 of a validated body to a bigint with the exact value that the client sent, and parses texts of formats. */
import type { CompiledCode } from '../model/compiled-contract.ts'
import type { Format } from '../model/own-format.ts'
import { pattern } from '../model/pattern.ts'
import type { Int64Node, Int64Plan } from '../model/value-plans.ts'
import { type Holder, type ParsedJson, type Place, plainJson } from './exact-json.ts'
import type { NumberLiteral } from './number-literal.ts'

type Code = Pick<CompiledCode, 'validators' | 'formats'>

interface Visit extends Place {
  readonly plan: string
}

type Read = (parsed: ParsedJson, plan: Int64Plan | undefined, code: Code) => unknown

/**
 * Returns the value with its int64. Finds all places first, then converts in place, because the validators of branches
 * must see the values as sent.
 */
export const restoreInt64: Read = (parsed, plan, code) => {
  if (plan === undefined) return plainJson(parsed)
  const places = known.get(plan) ?? { convert: int64Places(plan) }
  known.set(plan, places)
  if (places.convert === undefined) return searchInt64(parsed, plan, code)
  const root: Holder = { '': parsed.value }
  places.convert(root, '')
  return plainJson(parsed, root[''])
}

/** Does the same without the functions of known places, which are faster and more code. */
export const searchInt64: Read = (parsed, plan, code) => {
  if (plan === undefined) return plainJson(parsed)
  const root: Holder = { '': parsed.value }
  const search = new Search(plan, code)
  search.add({ holder: root, key: '', plan: plan.start })
  for (const visit of search.pending) search.visit(visit)
  for (const { holder, key } of search.found) convertInt64(holder, key)
  for (const { holder, key, format } of search.texts) convertText(holder, key, code.formats?.[format])
  return plainJson(parsed, root[''])
}

/** Two parts of a schema may lead to one place. */
function convertText(holder: Holder, key: Place['key'], format: Format | undefined): void {
  const text = holder[key]
  if (typeof text === 'string' && format?.check(text)) holder[key] = format.parse?.(text)
}

const known = new WeakMap<Int64Plan, { readonly convert: ConvertPlaces | undefined }>()

/** Applies each plan to each object once, so that the work is linear. A list of visits replaces recursion. */
class Search {
  readonly found: Place[] = []
  readonly texts: (Place & { readonly format: string })[] = []
  readonly pending: Visit[] = []
  readonly #plan: Int64Plan
  readonly #code: Code
  readonly #visited = new Map<string, Set<unknown>>()
  /** Verdicts that the validators of branches share, so that each object is validated once (runtime/validation-run.ts). */
  readonly #shared = {}

  constructor(plan: Int64Plan, code: Code) {
    this.#plan = plan
    this.#code = code
  }

  add(visit: Visit): void {
    const value = visit.holder[visit.key]
    if (typeof value === 'object') {
      const visited = this.#visited.get(visit.plan) ?? new Set()
      if (visited.has(value)) return
      this.#visited.set(visit.plan, visited.add(value))
    }
    this.pending.push(visit)
  }

  visit({ plan, ...place }: Visit): void {
    const node = this.#plan.plans[plan] as Int64Node // every name is one of the plans: int64-plan.ts
    const value = place.holder[place.key]
    if (node.int64 === true) this.found.push(place)
    if (node.format !== undefined && typeof value === 'string')
      this.texts.push({ ...place, format: node.format })
    for (const part of node.parts ?? [])
      if (part.when === undefined || this.#accepts(part.when, value)) this.add({ ...place, plan: part.plan })
    if (typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) this.#addItems(value, node)
    else this.#addMembers(value as Holder, node)
  }

  #addItems(list: readonly unknown[], node: Int64Node): void {
    if (node.items === undefined && node.prefixItems === undefined) return
    for (let index = 0; index < list.length; index++) {
      const plan = index < (node.prefixItems?.length ?? 0) ? node.prefixItems?.[index] : node.items
      if (typeof plan === 'string') this.add({ holder: list as unknown as Holder, key: index, plan })
    }
  }

  #addMembers(holder: Holder, node: Int64Node): void {
    for (const [key, plan] of Object.entries(node.properties ?? {})) {
      if (Object.hasOwn(holder, key)) this.add({ holder, key, plan })
    }
    if (node.additional === undefined && node.patterns === undefined) return
    for (const key of Object.keys(holder)) {
      const matching = (node.patterns ?? []).filter(([source]) => pattern(source).test(key))
      for (const [, plan] of matching) this.add({ holder, key, plan })
      const additional = matching.length === 0 && !node.declared?.includes(key) ? node.additional : undefined
      if (additional !== undefined) this.add({ holder, key, plan: additional })
    }
  }

  #accepts(validator: string, value: unknown): boolean {
    return this.#code.validators[validator]?.(value, this.#shared) === true
  }
}

/** Converts the int64 of a member. */
type ConvertPlaces = (holder: Holder, key: Place['key']) => void

/** Maximum of places in one plan, because members are visited once for each part that leads to them. */
const maxPlaces = 500

/** @returns undefined for a recursive plan, for one with formats, and for one whose places depend on validators or on the names in a value */
export function int64Places(plan: Int64Plan): ConvertPlaces | undefined {
  return plan.formats ? undefined : new Places(plan).of(plan.start, [])
}

class Places {
  readonly #plan: Int64Plan
  #count = 0

  constructor(plan: Int64Plan) {
    this.#plan = plan
  }

  /** @param outer the plans that lead to this one */
  of(name: string, outer: readonly string[]): ConvertPlaces | undefined {
    const node = this.#plan.plans[name] as Int64Node // every name is one of the plans: int64-plan.ts
    if (outer.includes(name) || needsSearch(node) || ++this.#count > maxPlaces) return undefined
    const { items, parts = [], properties = {} } = node
    const inner = (child: string) => this.of(child, [...outer, name])
    const members = Object.entries(properties).map(([key, child]) => [key, inner(child)] as const)
    const places = [
      ...parts.map((part) => inner(part.plan)),
      ...(node.int64 === true ? [convertInt64] : []),
      ...(members.length > 0 ? [memberPlaces(members)] : []),
      ...(items === undefined ? [] : [itemPlaces(inner(items))])
    ]
    return together(places)
  }
}

function needsSearch({ additional, parts = [], patterns, prefixItems }: Int64Node): boolean {
  const isConditional = parts.some(({ when }) => when !== undefined)
  return isConditional || additional !== undefined || patterns !== undefined || prefixItems !== undefined
}

function together(places: readonly (ConvertPlaces | undefined)[]): ConvertPlaces | undefined {
  const known = places.filter((convert) => convert !== undefined)
  if (known.length < places.length) return undefined
  if (known.length === 1) return known[0]
  return (holder, key) => {
    for (const convert of known) convert(holder, key)
  }
}

function memberPlaces(
  members: readonly (readonly [string, ConvertPlaces | undefined])[]
): ConvertPlaces | undefined {
  const known = members.flatMap(([name, convert]) =>
    convert === undefined ? [] : [[name, convert] as const]
  )
  if (known.length < members.length) return undefined
  return (holder, key) => {
    const value = holder[key]
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    for (const [name, convert] of known) if (Object.hasOwn(value, name)) convert(value as Holder, name)
  }
}

function itemPlaces(convert: ConvertPlaces | undefined): ConvertPlaces | undefined {
  if (convert === undefined) return undefined
  return (holder, key) => {
    const value = holder[key]
    if (Array.isArray(value))
      for (let index = 0; index < value.length; index++) convert(value as unknown as Holder, index)
  }
}

/** Converts one place. Skips bigints, therefore it is idempotent. */
const convertInt64: ConvertPlaces = (holder, key) => {
  const value = holder[key]
  if (Number.isInteger(value)) holder[key] = BigInt(Number(value))
  else if (value instanceof Number) holder[key] = (value as NumberLiteral).integer ?? Number(value)
}
