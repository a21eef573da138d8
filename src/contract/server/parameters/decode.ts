/**
 * Parameters from their texts, by style and shape (OpenAPI 3.1, section 4.8.12; RFC 6570). Missing required parameters
 * and texts that are no value of their type are left to the validator: the first stay absent, the second stay texts.
 */
import { mayBePrimitive, type ParameterSpec } from '../../model/parameter.ts'
import type { Problem } from '../errors/failure.ts'
import { type DecodedParameters, emptyObject, type ParameterSource, UndecodableParameter } from './decoded.ts'
import { loneValue } from './delimited.ts'
import { pairedValue } from './paired.ts'
import { cookieDecode, cookiePairs, formDecode, type Pairs, pairsOf, percentDecode } from './pairs.ts'

/** What all parameters of one request are read from. */
interface Request {
  readonly source: ParameterSource
  readonly query: Pairs
  readonly specs: readonly ParameterSpec[]
}

const sections = { path: 'params', query: 'query', header: 'headers', cookie: 'cookies' } as const
const readers = { path: pathValue, query: queryValue, header: headerValue, cookie: cookieValue } as const

/** A parameter with a problem is absent from the result; its place is as in the validator's problems. */
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
  if (query.malformed)
    problems.push({ place: 'query', message: 'has a name with malformed percent-encoding' })
  for (const spec of specs) {
    const section = sections[spec.in]
    try {
      const value = withDefault(readers[spec.in](spec, { source, specs, query: query.pairs }), spec)
      if (value !== undefined) result[section][spec.key] = value
    } catch (error) {
      if (!(error instanceof UndecodableParameter)) throw error
      problems.push({ place: `${section}/${spec.key}`, message: error.message })
    }
  }
  return { ...result, problems }
}

function withDefault(value: unknown, spec: ParameterSpec): unknown {
  return value === undefined && spec.default !== undefined ? structuredClone(spec.default) : value
}

function pathValue(spec: ParameterSpec, { source, specs }: Request): unknown {
  const raw = Object.hasOwn(source.path, spec.name) ? source.path[spec.name] : undefined
  if (raw === undefined) return undefined
  const decode = percentDecode
  if (spec.style === 'simple') return loneValue(spec, raw, { delimiter: ',', decode })
  const text = withoutPrefix(raw, spec.style === 'label' ? '.' : ';')
  if (spec.style === 'label') return loneValue(spec, text, { delimiter: labelDelimiter(spec, text), decode })
  const { pairs, malformed } = pairsOf(text, ';', decode)
  if (malformed) throw new UndecodableParameter('has malformed percent-encoding')
  return pairedValue(spec, { pairs, specs, delimiter: ',', decode })
}

function withoutPrefix(raw: string, prefix: string): string {
  if (!raw.startsWith(prefix)) throw new UndecodableParameter(`must begin with "${prefix}"`)
  return raw.slice(1)
}

/** OpenAPI 3.0 and 3.1.0 show `.blue.black` without explode, RFC 6570 and OpenAPI 3.1.1 `.blue,black`: both are read. */
function labelDelimiter({ explode }: ParameterSpec, text: string): string {
  return !explode && text.includes(',') ? ',' : '.'
}

/** A plus is a space, except where reserved characters stand for themselves. */
function queryValue(spec: ParameterSpec, { query, specs }: Request): unknown {
  const decode = spec.allowReserved ? percentDecode : formDecode
  return pairedValue(spec, { pairs: query, specs, delimiter: queryDelimiter(spec), decode })
}

function queryDelimiter({ style, allowReserved }: ParameterSpec): string | RegExp {
  if (style === 'pipeDelimited') return /\||%7c/i
  if (style === 'spaceDelimited') return allowReserved ? '%20' : /%20|\+/
  return ','
}

/** Header fields are not percent-encoded; lines of one name are one list (RFC 9110, section 5.3). */
function headerValue(spec: ParameterSpec, { source }: Request): unknown {
  const lines = Object.hasOwn(source.headers, spec.key) ? source.headers[spec.key] : undefined
  if (lines === undefined) return undefined
  const raw = typeof lines === 'string' ? lines : lines.join(', ')
  return loneValue(spec, raw.trim(), { delimiter: ',', decode: (text) => text.trim() })
}

/** Style `cookie` takes values as they are (OpenAPI 3.2); style `form` joins exploded lists with `&`, as in a query. */
function cookieValue(spec: ParameterSpec, { source, specs }: Request): unknown {
  const isList = spec.style === 'form' && spec.explode && !mayBePrimitive(spec.shape)
  const pairs = cookiePairs(source.cookie ?? '', isList ? /[;&]/ : /;/)
  const decode = spec.style === 'form' ? cookieDecode : (text: string) => text
  return pairedValue(spec, { pairs, specs, delimiter: ',', decode })
}
