/** Merges a composed schema into one (JSON Schema 2020-12, section 10.2.1), as far as a sample needs it. */
import { isNode, type Node, type ReadNode } from './examples.ts'

/** Joins a schema with all of its `allOf` and the first of its `oneOf` or `anyOf`. */
export function mergedSchema(schema: Node, read: ReadNode): Node {
  const { allOf, oneOf, anyOf, discriminator, ...own } = schema
  const [chosen] = [oneOf, anyOf].flatMap((list) => (Array.isArray(list) ? list.slice(0, 1) : []))
  const parts = [...(Array.isArray(allOf) ? allOf : []), ...(chosen === undefined ? [] : [chosen])]
  const whole = parts.map((part) => mergedSchema(read(part), read)).reduce(joined, own)
  return isNode(discriminator) && chosen !== undefined ? named(whole, discriminator, chosen) : whole
}

/** Joins two schemas that both apply. Adds `not` if a keyword has two values, so that no sample is made. */
function joined(one: Node, other: Node): Node {
  const [mine, theirs] = [one, other].map(({ properties }) => Object.entries(Object(properties)))
  const both = Object.groupBy([...(mine ?? []), ...(theirs ?? [])], ([name]) => name)
  const properties = Object.entries(both).map(([name, found]) => [name, together(Object(found))])
  const required = [one, other].flatMap((each) => (Array.isArray(each['required']) ? each['required'] : []))
  return {
    ...one,
    ...other,
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    required,
    ...(clash(one, other) && { not: {} })
  }
}

/**
 * Joins the schemas of one property.
 * @param found the schemas with the name of the property
 */
const together = (found: readonly [name: string, schema: unknown][]): unknown =>
  found.length === 1 ? found[0]?.[1] : { allOf: found.map(([, schema]) => schema) }

const joinable = [
  'properties',
  'required',
  'title',
  'description',
  'examples',
  'example',
  'additionalProperties'
]

const clash = (one: Node, other: Node): boolean =>
  Object.keys(one).some((key) => key in other && !joinable.includes(key) && one[key] !== other[key])

/** Sets the property that names the chosen schema (OpenAPI 3.1.0, section 4.8.25), unless that schema itself does. */
function named(schema: Node, { propertyName, mapping }: Node, chosen: unknown): Node {
  const { $ref: reference } = Object(chosen)
  const { properties } = Object(schema)
  const { const: only, enum: listed } = Object(properties?.[String(propertyName)])
  if (typeof reference !== 'string' || only !== undefined || listed !== undefined) return schema
  const schemaName = reference.split('/').at(-1)
  const [key = schemaName] =
    Object.entries(Object(mapping)).find(([, target]) => target === reference || target === schemaName) ?? []
  return { ...schema, properties: { ...properties, [String(propertyName)]: { const: key } } }
}
