/** Handles patterns that are not ECMA-262: translates them when that is exact, otherwise does not enforce them. */
import { isObject, type Json, own } from '../document/json-value.ts'
import { translatePattern } from '../document/translate-pattern.ts'
import type { Flaw, RepairedNode } from './flaw.ts'

export function repairPatterns({ node }: RepairedNode): Flaw[] {
  return [...pattern(node), ...patternProperties(node)]
}

function pattern(node: Record<string, Json>): Flaw[] {
  const key = 'pattern'
  const written = own(node, key)
  if (typeof written !== 'string') return []
  const translated = translatePattern(written)
  if (translated === written) return []
  if (translated === undefined) Reflect.deleteProperty(node, key)
  else node[key] = translated
  return [{ key, message: messageOf(written, translated) }]
}

function patternProperties(node: Record<string, Json>): Flaw[] {
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
  return wrong.map(({ source, translated }) => ({ key, message: messageOf(source, translated) }))
}

function messageOf(written: string, translated: string | undefined): string {
  const problem = `pattern ${written} is no regular expression of ECMA-262`
  return `${problem}: it is ${translated === undefined ? 'not enforced' : `read as ${translated}`}`
}
