/**
 * Decodes parameters from their texts, by style and shape (OpenAPI 3.1, section 4.8.12; RFC 6570). The validator
 * reports missing parameters, which stay absent here, and texts that do not spell a value of their type, which stay
 * strings.
 */
import { mayBeArray, mayBeObject, type ParameterSpec } from '../../model/parameter.ts'
import type { Problem } from '../errors/failure.ts'
import { placeOf, problemOf } from '../errors/validation-problems.ts'
import { type DecodedParameters, emptyObject, type ParameterSource, UndecodableParameter } from './decoded.ts'
import { loneValue } from './json-text.ts'
import { pairedValue } from './paired.ts'
import { cookieDecode, cookiePairs, formDecode, type Pairs, pairsOf, percentDecode } from './pairs.ts'

/** Parts of one request; its query is split once for all parameters. */
interface Carrier {
  readonly source: ParameterSource
  readonly query: Pairs
  readonly specs: readonly ParameterSpec[]
}

/** Part of the request that holds the parameters of a location. */
export const sections = {
  path: 'params',
  query: 'query',
  querystring: 'query',
  header: 'headers',
  cookie: 'cookies'
} as const
const readers = {
  path: pathValue,
  query: queryValue,
  querystring: queryValue,
  header: headerValue,
  cookie: cookieValue
} as const

/** Decodes parameters, and omits those that have a problem; fields.ts reads a whole query. */
export function decodeParameters(
  specs: readonly ParameterSpec[],
  source: ParameterSource
): DecodedParameters {
  const problems: Problem[] = []
  const result = {
    params: emptyObject(),
    query: emptyObject(),
    headers: emptyObject(),
    cookies: emptyObject()
  }
  const query = pairsOf(specs.some((spec) => spec.in === 'query') ? source.query : '', '&', formDecode)
  if (query.isMalformed) problems.push(malformedQuery)
  for (const spec of specs) {
    const section = sections[spec.in]
    try {
      const value = withDefault(readers[spec.in](spec, { source, specs, query: query.pairs }), spec)
      if (value !== undefined) result[section][spec.key] = value
    } catch (error) {
      if (!(error instanceof UndecodableParameter)) throw error
      problems.push(problemOf(spec.key, section, error.message))
    }
  }
  return { ...result, problems }
}

const malformedQuery: Problem = {
  place: 'query',
  pointer: '/query',
  keyword: undefined,
  message: 'has a name with malformed percent-encoding'
}

/** Returns the place of a parameter's problems. */
export function parameterPlace({ key, in: location }: ParameterSpec): string {
  return placeOf({ instancePath: '', params: { propertyName: key } }, sections[location])
}

export function withDefault(value: unknown, spec: ParameterSpec): unknown {
  return value === undefined && spec.default !== undefined ? structuredClone(spec.default) : value
}

function pathValue(spec: ParameterSpec, { source, specs }: Carrier): unknown {
  const raw = Object.hasOwn(source.path, spec.name) ? source.path[spec.name] : undefined
  if (raw === undefined) return undefined
  const decode = percentDecode
  if (spec.style === 'simple') return loneValue(spec, raw, { delimiter: ',', decode })
  const text = withoutPrefix(raw, spec.style === 'label' ? '.' : ';')
  if (spec.style === 'label') return loneValue(spec, text, { delimiter: labelDelimiter(spec, text), decode })
  const { pairs, isMalformed } = pairsOf(text, ';', decode)
  if (isMalformed) throw new UndecodableParameter('has malformed percent-encoding')
  return pairedValue(spec, { pairs, specs, delimiter: ',', decode })
}

function withoutPrefix(raw: string, prefix: string): string {
  if (!raw.startsWith(prefix)) throw new UndecodableParameter(`must begin with "${prefix}"`)
  return raw.slice(1)
}

/** Accepts both delimiters of unexploded lists: `.blue.black` (OpenAPI 3.1.0) and `.blue,black` (OpenAPI 3.1.1). */
function labelDelimiter({ explode }: ParameterSpec, text: string): string {
  return !explode && text.includes(',') ? ',' : '.'
}

/** Decodes a query parameter. A plus is a space, unless the contract allows reserved characters. */
function queryValue(spec: ParameterSpec, { query, specs }: Carrier): unknown {
  const decode = spec.allowReserved ? percentDecode : formDecode
  return pairedValue(spec, { pairs: query, specs, delimiter: queryDelimiter(spec), decode })
}

function queryDelimiter({ style, allowReserved }: ParameterSpec): string | RegExp {
  if (style === 'pipeDelimited') return /\||%7c/i
  if (style === 'spaceDelimited') return allowReserved ? '%20' : /%20|\+/
  return ','
}

/** Decodes a header, which is not percent-encoded; several lines of one name are one list (RFC 9110, section 5.3). */
function headerValue(spec: ParameterSpec, { source }: Carrier): unknown {
  const lines = Object.hasOwn(source.headers, spec.key) ? source.headers[spec.key] : undefined
  if (lines === undefined) return undefined
  const raw = typeof lines === 'string' ? lines : lines.join(', ')
  return loneValue(spec, raw.trim(), { delimiter: ',', decode: (text) => text.trim() })
}

/** Decodes a cookie. Style `cookie` keeps values as sent (OpenAPI 3.2); style `form` joins exploded lists with `&`. */
function cookieValue(spec: ParameterSpec, { source, specs }: Carrier): unknown {
  const mayBeSeveral = mayBeArray(spec.shape) || mayBeObject(spec.shape)
  const isList = spec.style === 'form' && spec.explode && mayBeSeveral && !spec.shape.types.includes('string')
  const pairs = cookiePairs(source.cookie ?? '', isList ? /[;&]/ : /;/)
  const decode = spec.style === 'form' ? cookieDecode : (text: string) => text
  return pairedValue(spec, { pairs, specs, delimiter: ',', decode })
}
