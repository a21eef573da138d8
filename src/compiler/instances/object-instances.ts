/** Makes objects: declared, patterned and further properties, within their counts. */
import { anyValue, make, type Schema } from '@contract-first/contract'
import fc from 'fast-check'
import { define } from '../compile/document/json-value.ts'
import { uniqueItems } from './array-instances.ts'
import { limitsOf, propertySchemas, requiredOf, valuesOf } from './members.ts'
import type { InstancesOf } from './schemas.ts'

interface Member {
  readonly name: string
  readonly isRequired: boolean
  readonly value: fc.Arbitrary<unknown>
}

interface Names {
  readonly required: readonly string[]
  readonly optional: readonly string[]
}

export function objectInstances(
  parts: readonly Schema[],
  inner: InstancesOf
): fc.Arbitrary<object> | undefined {
  const { required, optional } = declaredNames(parts, inner)
  const { least, most } = limitsOf(parts, 'Properties')
  inner.budget.require(Math.max(required.length, least))
  const needed = members(parts, required, inner, true)
  if (needed.length < required.length) return undefined
  if (needed.length > most) return undefined
  const further = inner.isLean && least <= needed.length ? [] : members(parts, optional, inner, false)
  const declared = [...needed, ...further]
  const isMap = required.length + optional.length === 0 && !inner.isLean
  const missing = Math.max(least - declared.length, isMap || isOpen(parts, inner) ? 2 : 0)
  const undeclared = undeclaredMembers(parts, inner, Math.min(missing, most - needed.length))
  return undeclared.chain((others) => assembled([...declared, ...others], { least, most, parts, inner }))
}

/** Returns whether undeclared properties are added: occasionally, and never to plain instances. */
const isOpen = (parts: readonly Schema[], { style, isLean }: InstancesOf): boolean =>
  !style.isPlain && !isLean && valuesOf(parts, 'additional').some((schema) => schema.never !== true)

function declaredNames(parts: readonly Schema[], { schemas }: InstancesOf): Names {
  const declared = valuesOf(parts, 'properties').flatMap((properties) => [...properties])
  const hidden = new Set(declared.flatMap(([name, schema]) => (schemas.isHidden([schema]) ? [name] : [])))
  const required = requiredOf(parts).difference(hidden)
  const names = new Set(declared.map(([name]) => name))
  return { required: [...required], optional: [...names.difference(hidden).difference(required)] }
}

function members(
  parts: readonly Schema[],
  names: readonly string[],
  inner: InstancesOf,
  isRequired: boolean
): Member[] {
  return names.flatMap((name) => {
    const schemas = schemasOf(parts, name)
    const value = nameFits(parts, name, inner) ? inner.of(schemas, name) : undefined
    return value === undefined ? [] : [{ name, isRequired, value }]
  })
}

/** Returns the schemas of a property; `unevaluatedProperties` applies to properties that no part declares. */
function schemasOf(parts: readonly Schema[], name: string): Schema[] {
  const found = propertySchemas(parts, name)
  return found.length === 0 ? valuesOf(parts, 'unevaluatedProperties') : found
}

const nameFits = (parts: readonly Schema[], name: string, { schemas }: InstancesOf): boolean =>
  schemas.holds(valuesOf(parts, 'names'), name)

/** Makes members whose names match `patternProperties` or `propertyNames`, or are free. */
function undeclaredMembers(
  parts: readonly Schema[],
  inner: InstancesOf,
  count: number
): fc.Arbitrary<readonly Member[]> {
  const [matched] = valuesOf(parts, 'patterns').flat()
  const name = make(
    { types: new Set(['string'] as const), ...(matched && { pattern: matched.pattern }) },
    anyValue
  )
  const schemas = [...valuesOf(parts, 'names'), name]
  const names = count > 0 ? (inner.of(schemas, 'slug') as fc.Arbitrary<string> | undefined) : undefined
  if (names === undefined) return fc.constant([])
  const taken = new Set(valuesOf(parts, 'properties').flatMap((each) => [...each.keys()]))
  const found = uniqueItems(names, { minLength: count, maxLength: count })
  return found.map((list) =>
    members(
      parts,
      list.filter((name) => !taken.has(name)),
      inner,
      true
    )
  )
}

interface Limits {
  readonly least: number
  readonly most: number
  readonly parts: readonly Schema[]
  readonly inner: InstancesOf
}

function assembled(all: readonly Member[], { least, most, parts, inner }: Limits): fc.Arbitrary<object> {
  const optional = all.filter(({ isRequired }) => !isRequired)
  const room = Math.min(optional.length, most - (all.length - optional.length))
  const wanted = inner.style.isPlain ? room : Math.max(0, least - (all.length - optional.length))
  const chosen = fc.subarray(
    optional.map(({ name }) => name),
    { minLength: Math.min(wanted, room), maxLength: room }
  )
  const values = fc.tuple(...all.map(({ value }) => value))
  return fc.tuple(chosen, values).map(([names, list]) => {
    const present = withDependencies(parts, names)
    const object = {}
    for (const [index, { name, isRequired }] of all.entries())
      if (isRequired || present.has(name)) define(object, name, list[index])
    return object
  })
}

/** Adds the names that `dependentRequired` requires beside the chosen ones. */
function withDependencies(parts: readonly Schema[], names: readonly string[]): Set<string> {
  const present = new Set(names)
  const rules = valuesOf(parts, 'dependentRequired')
  for (const name of present)
    for (const rule of rules) for (const other of rule.get(name) ?? []) present.add(other)
  return present
}
