/** Whether two parts of a contract mean the same: descriptions, examples and extensions left aside. */
import { isObject, type Json, type JsonObject } from '../document/json-value.ts'

const texts = new Set(['title', 'summary', 'description', 'example', 'examples', 'externalDocs', '$comment'])

export const isText = (key: string): boolean => texts.has(key) || key.startsWith('x-')

/** The members of `properties` are names of the author's own: one called `title` is no title. */
const mapsOfNames = new Set(['properties', 'patternProperties', 'headers', 'content', 'responses', 'mapping'])

/** Undefined: the part is not there. */
export function sameMeaning(before: Json | undefined, after: Json | undefined): boolean {
  return meaning(before) === meaning(after)
}

function meaning(node: Json | undefined, isMap = false): string {
  if (Array.isArray(node)) return `[${node.map((item) => meaning(item)).join()}]`
  if (!isObject(node)) return typeof node === 'string' ? JSON.stringify(node) : String(node)
  const members = Object.entries(node)
    .filter(([key]) => isMap || !isText(key))
    .map(([key, value]) => `${JSON.stringify(key)}:${meaning(value, !isMap && mapsOfNames.has(key))}`)
  return `{${members.sort().join()}}`
}

/** `true` and `false` are schemas, too (JSON Schema Core 2020-12, section 4.3.2). */
export function objectFrom(node: Json | undefined): JsonObject {
  if (isObject(node)) return node
  return node === false ? { not: {} } : {}
}
