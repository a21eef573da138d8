/** Compiles plans without conditions into functions that visit the places of int64 without a search. */

import type { Int64Node, Int64Plan } from '../model/value-plans.ts'
import type { Holder, Place } from './exact-json.ts'
import type { NumberLiteral } from './number-literal.ts'

/** Converts the int64 of a member. */
export type ConvertPlaces = (holder: Holder, key: Place['key']) => void

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
export const convertInt64: ConvertPlaces = (holder, key) => {
  const value = holder[key]
  if (Number.isInteger(value)) holder[key] = BigInt(Number(value))
  else if (value instanceof Number) holder[key] = (value as NumberLiteral).integer ?? Number(value)
}
