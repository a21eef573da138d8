/** Finds branches of `allOf` that forbid each other, so that no value fits all of them. */
import { arrayOf, isObject, type JsonObject, objectOf, own, stringify } from '../document/json-value.ts'
import { partsOf } from '../document/reference.ts'
import { typesOf } from '../document/schema-object.ts'

/** @returns the subject on which the branches disagree; undefined when a value may fit all of them */
export function contradictionOf(document: JsonObject, schema: JsonObject): string | undefined {
  return conflictIn(schema, { document, depth: 0, budget: { schemas: maxSchemas } })
}

function conflictIn(schema: JsonObject, context: Context): string | undefined {
  const { document, depth, budget } = context
  const parts = partsOf(document, schema)
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
  readonly document: JsonObject
  readonly depth: number
  readonly budget: { schemas: number }
}

function typeConflict(parts: readonly JsonObject[]): string | undefined {
  const lists = parts.filter((part) => typesOf(part).length > 0)
  const [first, ...others] = lists.map((part) => new Set(typesOf(part)))
  const common = [...(first ?? [])].filter((type) => others.every((types) => includes(types, type)))
  const isWhole = others.some((types) => first?.has('number') === true && types.has('integer'))
  if (lists.length === 0 || common.length > 0 || isWhole) return undefined
  return `types ${[...new Set(lists.flatMap(typesOf))].join(' and ')} exclude each other`
}

const includes = (types: ReadonlySet<string>, type: string): boolean =>
  types.has(type) || (type === 'integer' && types.has('number'))

function valueConflict(parts: readonly JsonObject[]): string | undefined {
  const lists = parts.flatMap((part) => {
    const constant = own(part, 'const')
    const listed = constant === undefined ? own(part, 'enum') : [constant]
    return Array.isArray(listed) && listed.length > 0 ? [listed.map((value) => stringify(value))] : []
  })
  const [first = [], ...others] = lists
  const common = first.filter((value) => others.every((values) => values.includes(value)))
  return others.length > 0 && common.length === 0 ? 'their values have none in common' : undefined
}

/** Finds a property that one branch requires or declares, and that another forbids or declares differently. */
function memberConflict(parts: readonly JsonObject[], context: Context): string | undefined {
  const required = new Set(parts.flatMap((part) => arrayOf(own(part, 'required')).map(String)))
  const declared = new Set(parts.flatMap((part) => Object.keys(objectOf(own(part, 'properties')))))
  for (const name of new Set([...required, ...declared])) {
    const verb = required.has(name) ? 'no object fits' : `no value has property ${name}`
    if (parts.some((part) => forbids(part, name)))
      return `${verb}: property ${name} is ${required.has(name) ? 'required' : 'declared'} by one branch and forbidden by another`
    const schemas = parts.map((part) => own(objectOf(own(part, 'properties')), name)).filter(isObject)
    if (schemas.length < 2) continue
    const inner = conflictIn({ allOf: schemas }, { ...context, depth: context.depth + 1 })
    if (inner !== undefined) return `${verb}: property ${name}: ${inner}`
  }
  return undefined
}

function forbids(part: JsonObject, name: string): boolean {
  const declared = objectOf(own(part, 'properties'))
  if (own(declared, name) !== undefined) return own(declared, name) === false
  return own(part, 'additionalProperties') === false && own(part, 'patternProperties') === undefined
}

const ranges = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties']
] as const

function rangeConflict(parts: readonly JsonObject[]): string | undefined {
  const numbers = (key: string) =>
    parts.map((part) => own(part, key)).filter((value) => typeof value === 'number')
  const range = ranges.find(([least, most]) => Math.max(...numbers(least)) > Math.min(...numbers(most)))
  return range === undefined ? undefined : `${range.join(' and ')} exclude each other`
}
