/** Types of the responses that handlers return. */
import type { Operation, Response, ResponseContent } from '@contract-first/engine/model'
import { quoted } from '../../source/values.ts'

/** Status as declared, and its response. */
type Entry = readonly [status: string, response: Response]

/**
 * Returns one type for each media type of the response.
 * @param declared name of the type of all responses
 */
export function responseTypes(operation: Operation, [status, response]: Entry, declared: string): string[] {
  const source = memberOf(declared, status)
  const tagged = makesTag(operation, [status, response])
  const isOptional = (name: string) => name === 'content-length' || (tagged && name === 'etag')
  const isRequired = response.headers.some(({ name, required }) => required && !isOptional(name))
  const declaredHeaders = response.headers.length === 0 ? 'AnyHeaders' : `${source}["headers"]`
  const members = tagged ? `OptionalTag<${declaredHeaders}>` : declaredHeaders
  const headers = `headers${isRequired ? '' : '?'}: ${members}`
  const code = statusType(operation, status)
  if (response.content.length === 0) return [`{ status: ${code}; body?: undefined; ${headers} }`]
  return response.content.map(
    (content) => `{ status: ${code}; body: ${contentType(content, source)}; ${headers} }`
  )
}

/** Returns true where the server makes an entity tag that a handler may leave out, although it is required. */
const makesTag = ({ method }: Operation, [status, { headers, content }]: Entry): boolean =>
  ['GET', 'HEAD'].includes(method) &&
  status.startsWith('2') &&
  content.length > 0 &&
  headers.some(({ name, required }) => required && name === 'etag')

function contentType({ kind, mediaType, items }: ResponseContent, source: string): string {
  const type = `${source}["content"][${quoted(mediaType)}]`
  if (items !== undefined) return `Iterable<${type}> | AsyncIterable<${type}>`
  if (kind === 'json') return type
  if (mediaType.includes('*')) return `${type} | string | Bytes`
  return 'string | Bytes'
}

/** Returns the member of a status of the type of all responses: numbers are keys of their own. */
export const memberOf = (declared: string, status: string): string =>
  `${declared}[${/^\d+$/.test(status) ? status : quoted(status)}]`

/** Returns a union with a line for each type. */
export const unionOf = (types: readonly string[]): string =>
  types.length === 0 ? ' never' : types.map((type) => `\n    | ${type}`).join('')

/** Returns the types of all ranges, and of all statuses. */
export function statusClasses(): string {
  const codes = (first: number) => Array.from({ length: 100 }, (_, index) => first * 100 + index).join(' | ')
  const classes = [1, 2, 3, 4, 5].map((first) => `export type Status${first}XX = ${codes(first)};`)
  return [
    ...classes,
    'export type AnyStatus = Status1XX | Status2XX | Status3XX | Status4XX | Status5XX;'
  ].join('\n')
}

/** Returns the statuses of a range, or all statuses, without those that are declared more specifically. */
export function statusType(operation: Operation, status: string): string {
  if (/^\d+$/.test(status)) return status
  const others = Object.keys(operation.responses)
  const exact = others.filter((other) => /^\d+$/.test(other))
  const classes =
    status === 'default'
      ? others.filter((other) => /^\dXX$/.test(other)).map((other) => `Status${other}`)
      : []
  const excluded = [...exact, ...classes]
  const all = status === 'default' ? 'AnyStatus' : `Status${status}`
  return excluded.length === 0 ? all : `Exclude<${all}, ${excluded.join(' | ')}>`
}
