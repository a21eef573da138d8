/** Identity of a schema by content: equal digests mean that equal values are valid. */
import { hash } from 'node:crypto'
import { stringify } from '@contract-first/engine/json'
import type { Json } from '../model/json.ts'
import type { Schema } from '../model/schema.ts'
import { childrenOf, cycleOf } from './children.ts'

/** Digests of what is read: all that a schema says but descriptions, or what decides which values are valid. */
interface Reading {
  readonly digests: WeakMap<Schema, string>
  readonly hasAnnotations: boolean
  readonly digest: (text: string) => string
}

const numbers = new Map<string, string>()

/** Numbers the texts of this process, which is cheaper than a hash. */
function numbered(text: string): string {
  const number = numbers.get(text) ?? String(numbers.size)
  numbers.set(text, number)
  return number
}

const whole: Reading = { digests: new WeakMap(), hasAnnotations: true, digest: numbered }
const validity: Reading = {
  digests: new WeakMap(),
  hasAnnotations: false,
  digest: (text) => hash('sha256', text)
}

/**
 * Returns a digest of what a schema says of values, of how they are read and of who writes them; names, titles,
 * descriptions, examples and extensions do not count. Schemas of a cycle that is entered at another place, or unrolled,
 * have other digests.
 */
export const digestOf = (schema: Schema): string => digestBy(schema, whole)

/** Returns a digest of what decides which values are valid, and who writes them; no other annotation counts. */
export const validityDigest = (schema: Schema): string => digestBy(schema, validity)

function digestBy(schema: Schema, reading: Reading): string {
  const { digests } = reading
  // Schemas below come first, without recursion: the depth of a contract has no bound.
  const pending = digests.has(schema) ? [] : [schema]
  for (let next = pending.at(-1); next !== undefined; next = pending.at(-1)) {
    const cycle = cycleOf(next)
    const members = cycle.size === 0 ? [next] : reachedIn(cycle, next)
    const below = members.flatMap(childrenOf).map(([, child]) => child)
    const missing = below.filter((child) => !cycle.has(child) && !digests.has(child))
    if (missing.length > 0 && !digests.has(next)) pending.push(...missing)
    else {
      pending.pop()
      if (!digests.has(next)) digests.set(next, digestIn(members, reading))
    }
  }
  return digests.get(schema) ?? ''
}

/** Returns the members of a cycle in the order in which they are reached from one of them. */
function reachedIn(cycle: ReadonlySet<Schema>, start: Schema): Schema[] {
  const found = new Set([start])
  for (const each of found) for (const [, child] of childrenOf(each)) if (cycle.has(child)) found.add(child)
  return [...found]
}

/** @param members the schema, then the others of its cycle, which stand for their position */
function digestIn(members: readonly Schema[], { digests, hasAnnotations, digest }: Reading): string {
  const positions = new Map(members.map((member, index) => [member, String(index)]))
  const text = members.map((member) => {
    const below = childrenOf(member).map(
      ([name, child]): Json => [name, positions.get(child) ?? digests.get(child) ?? '']
    )
    return [keywordsOf(member, hasAnnotations), sorted(below)]
  })
  return digest(jsonText(text))
}

/** Writes most values without the function that writes a bigint, which is slower. */
function jsonText(value: Json): string {
  try {
    return JSON.stringify(value)
  } catch {
    return stringify(value)
  }
}

/** Sorts by the text of each. */
function sorted(list: readonly Json[]): readonly Json[] {
  if (list.length < 2) return list
  const texts = list.map((value) => ({ value, text: String(value) }))
  return texts.sort((a, b) => (a.text < b.text ? -1 : 1)).map(({ value }) => value)
}

const values = [
  ...['never', 'const', 'enum', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['multipleOf', 'minLength', 'maxLength', 'format', 'minItems', 'maxItems', 'uniqueItems'],
  ...['minProperties', 'maxProperties', 'readOnly', 'writeOnly']
] as const
const annotations = ['default', 'deprecated', 'xml'] as const

/** Returns the keywords that hold no schema, those without order sorted. */
function keywordsOf(schema: Schema, hasAnnotations: boolean): Json {
  const { types, required, pattern, contains, content, dependentRequired, discriminator } = schema
  const found: Json[] = []
  for (const name of hasAnnotations ? [...values, ...annotations] : values) {
    const value = schema[name] as Json | undefined
    if (value !== undefined) found.push([name, value])
  }
  if (types !== undefined) found.push(['types', [...types].sort()])
  if (required !== undefined && required.size > 0) found.push(['required', [...required].sort()])
  if (pattern !== undefined) found.push(['pattern', pattern.source])
  if (contains !== undefined) found.push(['contains', contains.min, contains.max ?? null])
  if (content !== undefined) found.push(['content', content.encoding ?? null, content.mediaType ?? null])
  const dependent = [...(dependentRequired ?? [])].map(([name, list]) => [name, [...list].sort()])
  if (dependent.length > 0) found.push(['dependent', sorted(dependent)])
  if (discriminator !== undefined)
    found.push(['discriminator', discriminator.property, ...targetsOf(discriminator)])
  return found
}

/** Tags name their alternatives by position; names of schemas count where a value is mapped to them. */
function targetsOf({ tags, mapping, otherwise }: NonNullable<Schema['discriminator']>): Json[] {
  const schemas = [...new Set(tags?.values())]
  return [
    sorted([...(tags ?? [])].map(([tag, schema]) => [tag, schemas.indexOf(schema)])),
    sorted([...mapping].map(([value, { name = '' }]) => [value, name])),
    otherwise?.name ?? null
  ]
}
