/** The types of the instances of schemas: those that `type` allows, or those that other keywords suggest. */
import type { JsonObject } from '../compile/document/json-value.ts'
import { typesOf } from '../compile/document/schema-object.ts'
import { valuesOf } from './schemas.ts'

const types = ['object', 'string', 'integer', 'number', 'boolean', 'array', 'null']

/** Keywords that suggest a type when the schema names none. */
const suggestions: readonly (readonly [string, RegExp])[] = [
  [
    'object',
    /^(properties|required|additionalProperties|patternProperties|m\w+Properties|dependent\w+|propertyNames)$/
  ],
  ['array', /^(items|prefixItems|contains|m\w+Items|uniqueItems)$/],
  ['string', /^(pattern|m\w+Length|contentEncoding|contentMediaType)$/],
  ['number', /^(minimum|maximum|exclusive\w+|multipleOf)$/]
]

/** Returns the types that all parts allow. A number may also be an integer; one of both is enough. */
export function allowedTypes(parts: readonly JsonObject[]): string[] {
  const named = parts.map(typesOf).filter((list) => list.length > 0)
  const allowed = types.filter((type) => named.every((list) => allows(list, type)))
  return allowed.filter((type) => type !== 'integer' || !allowed.includes('number'))
}

/** Returns the types that other keywords suggest, when no part names one. */
export function likelyTypes(parts: readonly JsonObject[], allowed: readonly string[]): readonly string[] {
  if (parts.some((part) => typesOf(part).length > 0)) return allowed
  const keywords = parts.flatMap((part) => Object.keys(part))
  const suggested = suggestions.filter(([, keys]) => keywords.some((keyword) => keys.test(keyword)))
  return suggested.length > 0 ? suggested.map(([type]) => type) : formatType(parts)
}

const allows = (list: readonly string[], type: string): boolean =>
  list.includes(type) || (type === 'integer' && list.includes('number'))

function formatType(parts: readonly JsonObject[]): string[] {
  const [format] = valuesOf(parts, 'format').map(String)
  if (format === undefined) return ['string', 'integer', 'boolean']
  return /^(int\d+|float|double)$/.test(format) ? ['integer'] : ['string']
}
