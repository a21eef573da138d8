/** Compares two parts of a contract without descriptions, examples and extensions. */
import { isObject, type Json, type JsonObject } from '../document/json-value.ts'

const texts = new Set(['title', 'summary', 'description', 'example', 'examples', 'externalDocs', '$comment'])

/** Returns true for a keyword that is documentation only. */
export const isText = (key: string): boolean => texts.has(key) || key.startsWith('x-')

/** Keywords whose members the author names: a property called `title` is not a title. */
const mapsOfNames = new Set(['properties', 'patternProperties', 'headers', 'content', 'responses', 'mapping'])

/** Returns true when both parts mean the same; undefined is a missing part. */
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

/** Returns a boolean schema as an object (JSON Schema Core 2020-12, section 4.3.2). */
export function objectFrom(node: Json | undefined): JsonObject {
  if (isObject(node)) return node
  return node === false ? { not: {} } : {}
}
