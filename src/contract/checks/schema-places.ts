/** Checks that a schema stands where one is expected: an object or a boolean (JSON Schema Core 2020-12, section 4.3). */
import { namedMembers } from '../document/walk.ts'
import { isObject, type Json, type JsonObject, own } from '../model/json.ts'
import type { Reporter } from './reporter.ts'

const single: ReadonlySet<string> = new Set([
  ...['not', 'if', 'then', 'else', 'contains', 'propertyNames', 'items'],
  ...['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems', 'contentSchema']
])
/** Members of parameters, headers and media types; in a schema they are unknown keywords. */
const described: ReadonlySet<string> = new Set(['schema', 'itemSchema'])
const describing: ReadonlySet<string | undefined> = new Set([
  'headers',
  'parameters',
  'content',
  'mediaTypes'
])

const lists: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const maps: ReadonlySet<string | undefined> = new Set([
  ...['schemas', 'properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']
])

export function checkSchemaPlaces({ error, nodes }: Reporter): void {
  const check = (value: Json, holder: JsonObject | Json[], key: string) => {
    if (isObject(value) || typeof value === 'boolean') return
    const message = `\`${key}\` must be a schema, an object or a boolean: it is ${kindOf(value)}`
    // A list has a place of its own, also where a reference leads to it.
    if (Array.isArray(value)) error(message, value)
    else error(message, holder, key)
  }
  for (const { node, names, kind } of nodes) {
    const describes = describing.has(kind) || own(node, 'in') !== undefined
    const isPlace = (key: string) => single.has(key) || (describes && described.has(key))
    for (const [key, value] of Object.entries(node)) {
      if (names !== undefined ? maps.has(names) : isPlace(key)) check(value, node, key)
      if (names !== undefined) continue
      if (lists.has(key) && Array.isArray(value))
        for (const [index, item] of value.entries()) check(item, value, String(index))
      if (lists.has(key) && !Array.isArray(value))
        error(`\`${key}\` must be a list of schemas: it is ${kindOf(value)}`, node, key)
      if (maps.has(key) && namedMembers.has(key) && !isObject(value))
        error(`\`${key}\` must be an object of schemas by name: it is ${kindOf(value)}`, node, key)
    }
  }
}

function kindOf(value: Json): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (isObject(value)) return 'an object'
  return `the ${typeof value === 'string' ? 'text' : typeof value} ${JSON.stringify(value)}`
}
