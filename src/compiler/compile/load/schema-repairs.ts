/**
 * Repairs keywords of a schema that are written for another version of OpenAPI, an earlier draft of JSON Schema or
 * another language of patterns.
 */
import { isObject, type Json, own } from '../document/json-value.ts'
import { typesOf } from '../document/schema-object.ts'
import { translatePattern } from '../document/translate-pattern.ts'
import type { Flaw, RepairedNode } from './object-repairs.ts'
import { exclusiveBounds } from './upgrade.ts'

export function repairSchema(repaired: RepairedNode): Flaw[] {
  return [type, required, nullable, bounds, pattern, patternProperties].flatMap((read) => read(repaired))
}

function type({ node, is30 }: RepairedNode): Flaw[] {
  const written = own(node, 'type')
  const key = 'type'
  if (Array.isArray(written) && written.includes(null)) {
    node[key] = written.map((item) => item ?? 'null')
    return [{ key, message: "null in `type` is read as 'null'" }]
  }
  if (!is30 || own(node, 'in') !== undefined) return []
  if (Array.isArray(written))
    return [{ key, message: '`type` is a list, which OpenAPI 3.0 has not: it is read as in OpenAPI 3.1' }]
  return written === 'null'
    ? [{ key, message: "type 'null' is not of OpenAPI 3.0: it is read as in OpenAPI 3.1" }]
    : []
}

function required({ node, path }: RepairedNode): Flaw[] {
  const key = 'required'
  const written = own(node, key)
  if (Array.isArray(written)) {
    const unique = [...new Set(written)]
    if (unique.length === written.length) return []
    const again = written.find((name, index) => name !== unique[index])
    node[key] = unique
    return [{ key, message: `\`required\` lists ${String(again)} twice` }]
  }
  if (typeof written !== 'boolean' || hasOwnRequired(node, path)) return []
  Reflect.deleteProperty(node, key)
  const cure = `list ${path.at(-1)} in \`required\` of the schema that has the property`
  return [{ key, message: `\`required: ${written}\` has no effect in a schema: ${cure}` }]
}

/**
 * Returns true for parameters, headers and request bodies, which have their own `required` (OpenAPI 3.1.0, sections
 * 4.8.12, 4.8.13, 4.8.21).
 */
function hasOwnRequired(node: Record<string, Json>, path: readonly string[]): boolean {
  const isOther = ['in', 'content', 'schema', '$ref'].some((key) => own(node, key) !== undefined)
  const isMember = ['headers', 'parameters', 'requestBodies'].includes(String(path.at(-2)))
  return isOther || isMember || path.at(-1) === 'requestBody' || path.length === 0
}

function nullable({ node, is30 }: RepairedNode): Flaw[] {
  const key = 'nullable'
  const written = own(node, key)
  if (is30 || written === undefined) return []
  Reflect.deleteProperty(node, key)
  const types = typesOf(node).join(', ')
  const cure = types === '' ? "add type 'null'" : `write type: [${types}, 'null']`
  const message = `\`nullable\` has no effect since OpenAPI 3.1${written ? `: ${cure}` : ''}`
  return [{ key, message }]
}

function bounds({ node, is30 }: RepairedNode): Flaw[] {
  const flaws = ['exclusiveMinimum', 'exclusiveMaximum'].flatMap((key) => {
    const written = own(node, key)
    if (is30 && typeof written === 'number')
      return [
        { key, message: `\`${key}\` is a number, which OpenAPI 3.0 has not: it is read as in OpenAPI 3.1` }
      ]
    return !is30 && typeof written === 'boolean'
      ? [{ key, message: `\`${key}: ${written}\` is of OpenAPI 3.0: it is read as there` }]
      : []
  })
  if (!is30) exclusiveBounds(node)
  return flaws
}

function pattern({ node }: RepairedNode): Flaw[] {
  const key = 'pattern'
  const written = own(node, key)
  if (typeof written !== 'string') return []
  const translated = translatePattern(written)
  if (translated === written) return []
  if (translated === undefined) Reflect.deleteProperty(node, key)
  else node[key] = translated
  return [{ key, message: unreadable(written, translated) }]
}

function patternProperties({ node }: RepairedNode): Flaw[] {
  const key = 'patternProperties'
  const written = own(node, key)
  if (!isObject(written)) return []
  const entries = Object.entries(written).map(([source, schema]) => ({
    source,
    translated: translatePattern(source),
    schema
  }))
  const wrong = entries.filter(({ source, translated }) => source !== translated)
  if (wrong.length === 0) return []
  // Any name may match an unreadable pattern, so that no property counts as additional.
  const repaired = entries.map(({ translated, schema }) => [
    translated ?? '',
    translated === undefined || schema
  ])
  node[key] = Object.fromEntries(repaired) as Record<string, Json>
  return wrong.map(({ source, translated }) => ({ key, message: unreadable(source, translated) }))
}

/** Handles patterns that are not ECMA-262: they are translated when that is exact, otherwise they are not enforced. */
function unreadable(written: string, translated: string | undefined): string {
  const problem = `pattern ${written} is no regular expression of ECMA-262`
  return `${problem}: it is ${translated === undefined ? 'not enforced' : `read as ${translated}`}`
}
