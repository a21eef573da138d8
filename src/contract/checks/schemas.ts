/** Checks schemas: that none refuses or accepts other values than it seems to. */
import { stringify } from '@contract-first/engine/json'
import { noAlternative } from '../build/keywords.ts'
import { resembles } from '../diagnostics/spelling.ts'
import type { Contract } from '../model/contract.ts'
import type { Json } from '../model/json.ts'
import type { Schema, Type } from '../model/schema.ts'
import { typeOf } from '../views/merged.ts'
import { always, isNull, partsOf, requires } from '../views/parts.ts'
import type { Reporter } from './reporter.ts'

export function checkSchemas({ schemas }: Contract, reporter: Reporter): void {
  const holders = composingSchemas(schemas)
  for (const schema of schemas) {
    checkValues(schema, reporter)
    checkBounds(schema, reporter)
    checkRequired(schema, holders, reporter)
    const contradiction = schema.allOf && contradictionOf(schema)
    if (contradiction !== undefined)
      reporter.warn(`branches of \`allOf\` exclude each other: ${contradiction}`, schema.origin.at('allOf'))
  }
}

/** Checks the values that a schema lists: each once, and of its types. */
function checkValues({ enum: listed, const: constant, types, origin }: Schema, { warn }: Reporter): void {
  const isTyped = (value: Json) => types === undefined || [...types].some((type) => hasType(value, type))
  const names = [...(types ?? [])].join(' or ')
  if (listed?.length === 0) warn('`enum` is empty: no value fits', origin.at('enum'))
  const seen = new Set<string>()
  for (const [index, value] of listed?.entries() ?? []) {
    const [text, place] = [stringify(value), origin.at('enum', String(index))]
    if (seen.has(text)) warn(`Duplicated enum value found: ${text}.`, place)
    seen.add(text)
    if (!isTyped(value)) warn(`no value is ${text}: it is not of type ${names}`, place)
  }
  if (constant !== undefined && !isTyped(constant))
    warn(`no value fits: \`const\` is not of type ${names}`, origin.at('const').value)
}

const hasType = (value: Json, type: Type): boolean =>
  type === 'integer' ? typeof value === 'bigint' || Number.isInteger(value) : typeOf(value) === type

function checkBounds(schema: Schema, { warn }: Reporter): void {
  const { types, items, properties, origin } = schema
  for (const [bound, exclusive] of [
    ['maximum', 'exclusiveMaximum'],
    ['minimum', 'exclusiveMinimum']
  ] as const)
    if (schema[bound] !== undefined && schema[exclusive] !== undefined) {
      const message = `\`${bound}\` and \`${exclusive}\` stand beside each other: the stricter one applies`
      warn(message, origin.at(exclusive))
    }
  const [type, ...others] = types ?? []
  if (others.length > 0) return
  const idle =
    type === 'object' && items ? 'items' : type === 'array' && properties ? 'properties' : undefined
  if (idle !== undefined) warn(`\`${idle}\` has no effect in a schema of type ${type}`, origin.at(idle).value)
}

/** Schemas that have a schema in a union or an `allOf`, directly or by reference. */
type Holders = ReadonlyMap<Schema, readonly Schema[]>

function composingSchemas(schemas: readonly Schema[]): Holders {
  const holders = new Map<Schema, Schema[]>()
  for (const schema of schemas) {
    const { allOf = [], anyOf = [], oneOf = [], dependentSchemas } = schema
    for (const branch of [...allOf, ...anyOf, ...oneOf, ...(dependentSchemas?.values() ?? [])])
      for (const part of branch.ref === undefined ? [branch] : [branch, branch.ref])
        holders.set(part, [...(holders.get(part) ?? []), schema])
  }
  return holders
}

/** Checks that required properties are declared, in the schema itself or in one that it is a part of: names are misspelt. */
function checkRequired(schema: Schema, holders: Holders, { warn }: Reporter): void {
  const { required = [], properties, origin } = schema
  const composing = new Set([schema])
  for (const each of composing) for (const holder of holders.get(each) ?? []) composing.add(holder)
  for (const [index, name] of [...required].entries()) {
    const known = new Map<Schema, boolean>()
    const declares = (part: Schema) => part.properties?.has(name) === true || isNull(part)
    if ([...composing].some((each) => always(each, declares, known))) continue
    const meant = [...(properties?.keys() ?? [])].find((other) => resembles(name, other))
    const hint = meant === undefined ? '' : ` Did you mean \`${meant}\`?`
    warn(`Required property '${name}' is not defined.${hint}`, origin.at('required', String(index)))
  }
}

/**
 * Checks that a discriminator selects an alternative (OpenAPI 3.2.0, section 4.25).
 * @param is32 true for a contract of OpenAPI 3.2, which has `defaultMapping`
 */
export function checkDiscriminator(schema: Schema, is32: boolean, { warn }: Reporter): void {
  const { discriminator } = schema
  if (discriminator === undefined || discriminator.of === 'heirs') return
  const { property, of, tags, otherwise } = discriminator
  const place = schema.origin.at('discriminator')
  if (otherwise !== undefined && schema[of]?.every(({ ref }) => ref !== otherwise)) {
    const name = otherwise.name ?? otherwise.origin.pointer
    warn(noAlternative(name), place.at('defaultMapping'))
  } else if (tags === undefined) warn(ambiguous, place)
  if (is32 && otherwise === undefined && !requires(schema, property))
    warn(`${property} may be absent: write a defaultMapping; without it the union judges`, place)
}

const ambiguous =
  'the property does not tell the alternatives apart: all of them are tried; map a value to each, by reference'

/**
 * Finds branches of `allOf` that forbid each other.
 * @returns the subject on which they disagree; undefined when a value may fit all of them
 */
const contradictionOf = (schema: Schema): string | undefined =>
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
