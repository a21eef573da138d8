/** Compares two schemas property by property: `Thing.tag now required`. */

import {
  arrayOf,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  own,
  stringify,
  stringOf
} from '../document/json-value.ts'
import { typesOf } from '../document/schema-object.ts'
import { isText, objectFrom, sameMeaning } from './same-meaning.ts'

/** A schema merged with the branches of `allOf` that are not references. */
interface MergedSchema {
  readonly properties: ReadonlyMap<string, Json>
  readonly required: ReadonlySet<string>
  /** The other keywords. */
  readonly rest: JsonObject
}

/** Returns one line for each change. */
export function schemaChanges(place: string, before: JsonObject, after: JsonObject): string[] {
  const [old, current] = [merged(before), merged(after)]
  const [was, is] = [typeText(before), typeText(after)]
  return [
    ...(was === is ? [] : [`${place} now ${is} (was ${was})`]),
    ...propertyChanges(place, old, current),
    ...keywordChanges(place, old.rest, current.rest)
  ]
}

function merged(schema: JsonObject): MergedSchema {
  const { properties, required, allOf, ...rest } = schema
  const result = {
    properties: new Map(Object.entries(objectOf(properties))),
    required: new Set(arrayOf(required).map(String)),
    rest
  }
  const references = arrayOf(allOf).filter((branch) => !isObject(branch) || Object.hasOwn(branch, '$ref'))
  for (const branch of arrayOf(allOf).filter((item) => !references.includes(item))) {
    const inner = merged(objectFrom(branch))
    for (const [name, property] of inner.properties) result.properties.set(name, property)
    for (const name of inner.required) result.required.add(name)
    result.rest = { ...result.rest, ...inner.rest }
  }
  return references.length === 0 ? result : { ...result, rest: { ...result.rest, allOf: references } }
}

function propertyChanges(place: string, before: MergedSchema, after: MergedSchema): string[] {
  const added = [...after.properties.keys()].filter((name) => !before.properties.has(name))
  const removed = [...before.properties.keys()].filter((name) => !after.properties.has(name))
  const isRequired = (name: string) => (after.required.has(name) ? ' (required)' : '')
  const known = (name: string) => !added.includes(name) && !removed.includes(name)
  const required = [...after.required].filter((name) => known(name) && !before.required.has(name))
  const optional = [...before.required].filter((name) => known(name) && !after.required.has(name))
  return [
    ...added.map((name) => `+ ${place}.${name}${isRequired(name)}`),
    ...removed.map((name) => `- ${place}.${name}`),
    ...required.map((name) => `${place}.${name} now required`),
    ...optional.map((name) => `${place}.${name} now optional`),
    ...[...after.properties].flatMap(([name, property]) => {
      const old = before.properties.get(name)
      return old === undefined || sameMeaning(old, property)
        ? []
        : schemaChanges(`${place}.${name}`, objectFrom(old), objectFrom(property))
    })
  ]
}

/** Keywords that are compared together, as the type. */
const typeKeywords = new Set(['type', 'format', '$ref'])
const nested = new Map([
  ['items', '[]'],
  ['additionalProperties', '.*']
])

function keywordChanges(place: string, before: JsonObject, after: JsonObject): string[] {
  const keys = new Set([...Object.keys(after), ...Object.keys(before)])
  return [...keys].flatMap((key) => {
    const [old, current] = [own(before, key), own(after, key)]
    if (typeKeywords.has(key) || isText(key) || sameMeaning(old, current)) return []
    const suffix = nested.get(key)
    if (suffix !== undefined && old !== undefined && current !== undefined) {
      return schemaChanges(`${place}${suffix}`, objectFrom(old), objectFrom(current))
    }
    return [keywordChange(place, key, old, current)]
  })
}

function keywordChange(place: string, key: string, old: Json | undefined, current: Json | undefined): string {
  if (key === 'enum' && Array.isArray(old) && Array.isArray(current)) return enumChange(place, old, current)
  const isShort = (value: Json | undefined) => typeof value !== 'object' && String(value).length <= 40
  if (current === undefined) return `${place} without ${key}`
  if (!isShort(current) || !isShort(old)) return `${place} has another ${key}`
  return `${place} ${key} now ${current}${old === undefined ? '' : ` (was ${old})`}`
}

/** Lists added and removed values: `Pet.color: + blue, - red`. */
function enumChange(place: string, old: readonly Json[], current: readonly Json[]): string {
  const without = (values: readonly Json[], others: readonly Json[]) =>
    values.filter((value) => !others.some((other) => sameMeaning(value, other)))
  const added = without(current, old).map((value) => `+ ${stringify(value)}`)
  const gone = without(old, current).map((value) => `- ${stringify(value)}`)
  const both = [...added, ...gone].map((text) => text.replaceAll('"', ''))
  return both.length === 0 ? `${place} has another order of enum` : `${place}: ${both.join(', ')}`
}

/** Names the type: `string`, `integer int64`, `string or null`, `Thing`. */
function typeText(schema: JsonObject): string {
  const reference = stringOf(own(schema, '$ref'))
  if (reference !== undefined) return reference.slice(reference.lastIndexOf('/') + 1)
  const format = stringOf(own(schema, 'format'))
  return [typesOf(schema).join(' or ') || 'any type', ...(format === undefined ? [] : [format])].join(' ')
}
