/** Properties, items and limits as all schemas of a case declare them together. */
import { isFlagged, type Schema } from '@contract-first/contract'

type Schemas = readonly Schema[]

/** Lower and upper limit of a length or a count. */
export interface Limits {
  readonly least: number
  readonly most: number
}

type Counts = 'minLength' | 'maxLength' | 'minItems' | 'maxItems' | 'minProperties' | 'maxProperties'

/** Returns the limits that two keywords set; 0 and Infinity by default. */
export const limitsOf = (schemas: Schemas, minimum: Counts, maximum: Counts): Limits => ({
  least: Math.max(0, ...schemas.map((schema) => schema[minimum] ?? 0)),
  most: Math.min(
    ...schemas.map((schema) => schema[maximum] ?? Number.POSITIVE_INFINITY),
    Number.POSITIVE_INFINITY
  )
})

export const prefixLength = (schemas: Schemas): number =>
  Math.max(0, ...schemas.map(({ prefix = [] }) => prefix.length))

export const itemSchemas = (schemas: Schemas, index: number): Schema[] =>
  schemas.flatMap(({ prefix = [], items }) => prefix[index] ?? items ?? [])

/** Returns the possible lengths: a list ends before an item whose schema is false. */
export function lengthsOf(schemas: Schemas): Limits {
  const closed = schemas.flatMap(({ items, prefix = [] }) => (items?.never === true ? [prefix.length] : []))
  const { least, most } = limitsOf(schemas, 'minItems', 'maxItems')
  return { least, most: Math.min(most, ...closed) }
}

export interface Property {
  readonly schemas: Schemas
  /** True when the property is named, or a pattern matches its name. */
  readonly isDeclared: boolean
}

export const namesOf = (schemas: Schemas): string[] =>
  schemas.flatMap(({ properties }) => [...(properties?.keys() ?? [])])

export const patternsOf = (schemas: Schemas): string[] =>
  schemas.flatMap(({ patterns = [] }) => patterns.map(({ pattern }) => pattern.source))

export const requiredOf = (schemas: Schemas): Set<string> =>
  new Set(schemas.flatMap(({ required }) => [...(required ?? [])]))

export function propertyOf(all: Schemas, name: string): Property {
  const schemas: Schema[] = []
  let isDeclared = false
  for (const schema of all) {
    const count = schemas.length
    const named = schema.properties?.get(name)
    if (named !== undefined) schemas.push(named)
    for (const each of schema.patterns ?? []) if (each.pattern.regexp.test(name)) schemas.push(each.schema)
    if (schemas.length > count) isDeclared = true
    else schemas.push(...additionalOf(schema))
  }
  return { schemas, isDeclared }
}

/** Returns the schemas of names that match a pattern, or that nothing declares. */
export function othersOf(schemas: Schemas, source?: string): Property {
  const found = schemas.flatMap((schema) => {
    const same = (schema.patterns ?? []).filter(({ pattern }) => pattern.source === source)
    const every = (schema.patterns ?? []).filter(({ pattern }) => matchesAll.has(pattern.source))
    const matching = same.length > 0 ? same : every
    return matching.length > 0 ? matching.map((each) => each.schema) : additionalOf(schema)
  })
  return { schemas: found, isDeclared: source !== undefined && patternsOf(schemas).includes(source) }
}

const matchesAll: ReadonlySet<string> = new Set(['', '^', '.*', '^.*', '^.*$'])

/** Returns no schemas when the keyword constrains nothing, as if it were absent. */
function additionalOf({ additional }: Schema): Schemas {
  const isOpen = additional === undefined || isFree(additional)
  return isOpen ? [] : [additional]
}

const silent: ReadonlySet<string> = new Set([
  'origin',
  'examples',
  'extensions',
  'name',
  'title',
  'description'
])

const isFree = (schema: Schema): boolean => Object.keys(schema).every((key) => silent.has(key))

export const isClosed = ({ schemas }: Property): boolean => schemas.some(({ never }) => never === true)

/** Flag of the properties that messages do not have: clients send no `readOnly` one, services no `writeOnly` one. */
export type Flag = 'readOnly' | 'writeOnly'

/** Returns true for a property that messages do not have. The flags of schemas of other names have no effect. */
export const isHidden = (schemas: Schemas, name: string, flag: Flag): boolean =>
  schemas.some(({ properties }) => {
    const property = properties?.get(name)
    return property !== undefined && hasFlag(property, flag)
  })

const flagged = { readOnly: new WeakMap<Schema, boolean>(), writeOnly: new WeakMap<Schema, boolean>() }

function hasFlag(property: Schema, flag: Flag): boolean {
  const known = flagged[flag].get(property) ?? isFlagged(property, flag)
  flagged[flag].set(property, known)
  return known
}
