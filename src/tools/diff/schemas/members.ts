/** Properties, items and limits as all schemas of a case declare them together. */
import { type Flag, isFlagged, partsOf, type Schema } from '@contract-first/contract'
import { declaredIn, type Limits, limitsOf, requiredOf } from '../../samples/members.ts'

type Schemas = readonly Schema[]

/** Returns the possible lengths: a list ends before an item whose schema is false. */
export function lengthsOf(schemas: Schemas): Limits {
  const closed = schemas.flatMap(({ items, prefix = [] }) => (items?.never === true ? [prefix.length] : []))
  const { least, most } = limitsOf(schemas, 'Items')
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

export function propertyOf(all: Schemas, name: string): Property {
  const found = all.map((schema) => ({ schema, declared: declaredIn(schema, name) }))
  return {
    schemas: found.flatMap(({ schema, declared }) => (declared.length > 0 ? declared : additionalOf(schema))),
    isDeclared: found.some(({ declared }) => declared.length > 0)
  }
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
  return additional === undefined || isFree(additional) ? [] : [additional]
}

const silent: ReadonlySet<string> = new Set([
  'origin',
  'examples',
  'extensions',
  'unknown',
  'name',
  'title',
  'description'
])

/** Returns true for a schema of any value, also by references and `allOf`. */
const isFree = (schema: Schema): boolean =>
  partsOf(schema).every((part) =>
    Object.keys(part).every((key) => key === 'ref' || key === 'allOf' || silent.has(key))
  )

export const isClosed = ({ schemas }: Property): boolean => schemas.some(({ never }) => never === true)

export const isRequired = (schemas: Schemas, name: string): boolean =>
  schemas.some(({ required }) => required?.has(name) === true)

/** Returns names and all that are required where they are present. */
export function impliedBy(
  schemas: Schemas,
  names: Iterable<string>,
  isSent: (name: string) => boolean = () => true
): Set<string> {
  const found = new Set([...names].filter(isSent))
  for (const name of found)
    for (const { dependentRequired, dependentSchemas, if: condition, then } of schemas) {
      const applied = [dependentSchemas?.get(name), isPresent(condition, found) ? then : undefined]
      const required = requiredOf(applied.flatMap((schema) => (schema === undefined ? [] : partsOf(schema))))
      for (const other of [...(dependentRequired?.get(name) ?? []), ...required])
        if (isSent(other)) found.add(other)
    }
  return found
}

/** Returns true for a condition that only requires names, all of them present. */
const isPresent = (condition: Schema | undefined, names: ReadonlySet<string>): boolean =>
  condition !== undefined &&
  condition.types?.has('object') !== false &&
  Object.keys(condition).every((key) => key === 'required' || key === 'types' || silent.has(key)) &&
  (condition.required ?? new Set()).isSubsetOf(names)

/** Returns the names of properties that all messages have. */
export const presentIn = (schemas: Schemas, flag: Flag): Set<string> =>
  impliedBy(schemas, requiredOf(schemas), (name) => !isHidden(schemas, name, flag))

/** Returns true for a property that messages do not have. The flags of schemas of other names have no effect. */
export const isHidden = (schemas: Schemas, name: string, flag: Flag): boolean =>
  schemas.some(({ properties }) => {
    const property = properties?.get(name)
    return property !== undefined && isFlagged(property, flag)
  })
