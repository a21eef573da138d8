/** Finds branches of `allOf` that forbid each other, so that no value fits all of them. */
import { stringify } from '@contract-first/engine/json'
import type { Schema } from '../model/schema.ts'
import { partsOf } from '../views/parts.ts'

/** @returns the subject on which the branches disagree; undefined when a value may fit all of them */
export const contradictionOf = (schema: Schema): string | undefined =>
  conflictIn(partsOf(schema), { depth: 0, budget: { schemas: maxSchemas } })

type Parts = readonly Schema[]

function conflictIn(parts: Parts, context: Context): string | undefined {
  const { depth, budget } = context
  budget.schemas -= parts.length
  if (depth > maxDepth || budget.schemas < 0 || parts.length < 2) return undefined
  const whole = typeConflict(parts) ?? valueConflict(parts) ?? rangeConflict(parts)
  return whole === undefined ? memberConflict(parts, context) : `no value fits: ${whole}`
}

/** Bounds the depth, because schemas may refer to themselves. */
const maxDepth = 4
/** Bounds the schemas that are compared: properties of properties multiply. */
const maxSchemas = 10_000

interface Context {
  readonly depth: number
  readonly budget: { schemas: number }
}

function typeConflict(parts: Parts): string | undefined {
  const lists = parts.flatMap(({ types }) => types ?? [])
  const [first, ...others] = lists
  const includes = (types: ReadonlySet<string>, type: string) =>
    types.has(type) || (type === 'integer' && types.has('number'))
  const common = [...(first ?? [])].filter((type) => others.every((types) => includes(types, type)))
  const isWhole = others.some((types) => first?.has('number') === true && types.has('integer'))
  if (lists.length === 0 || common.length > 0 || isWhole) return undefined
  return `types ${[...new Set(lists.flatMap((types) => [...types]))].join(' and ')} exclude each other`
}

function valueConflict(parts: Parts): string | undefined {
  const lists = parts.flatMap(({ const: constant, enum: values = [] }) => {
    const listed = constant === undefined ? values : [constant]
    return listed.length > 0 ? [listed.map((value) => stringify(value))] : []
  })
  const [first = [], ...others] = lists
  const common = first.filter((value) => others.every((values) => values.includes(value)))
  return others.length > 0 && common.length === 0 ? 'their values have none in common' : undefined
}

/** Finds a property that one branch requires or declares, and that another forbids or declares differently. */
function memberConflict(parts: Parts, context: Context): string | undefined {
  const required = new Set(parts.flatMap((part) => [...(part.required ?? [])]))
  const declared = parts.flatMap(({ properties }) => [...(properties?.keys() ?? [])])
  for (const name of required.union(new Set(declared))) {
    const verb = required.has(name) ? 'no object fits' : `no value has property ${name}`
    if (parts.some((part) => forbids(part, name)))
      return `${verb}: property ${name} is ${required.has(name) ? 'required' : 'declared'} by one branch and forbidden by another`
    const schemas = parts.flatMap(({ properties }) => properties?.get(name) ?? [])
    if (schemas.length < 2) continue
    const all = [...new Set(schemas.flatMap((schema) => partsOf(schema)))]
    const inner = conflictIn(all, { ...context, depth: context.depth + 1 })
    if (inner !== undefined) return `${verb}: property ${name}: ${inner}`
  }
  return undefined
}

function forbids({ properties, patterns, additional }: Schema, name: string): boolean {
  const declared = properties?.get(name)
  if (declared !== undefined) return declared.never === true
  return additional?.never === true && patterns === undefined
}

const ranges = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties']
] as const

function rangeConflict(parts: Parts): string | undefined {
  const range = ranges.find(([least, most]) => {
    const [lows, highs] = [
      parts.flatMap((part) => part[least] ?? []),
      parts.flatMap((part) => part[most] ?? [])
    ]
    return lows.some((low) => highs.some((high) => low > high))
  })
  return range === undefined ? undefined : `${range.join(' and ')} exclude each other`
}
