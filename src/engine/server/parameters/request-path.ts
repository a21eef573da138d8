/**
 * Parses the target of a request: path and query (RFC 9112, section 3.2; RFC 3986). Matches the path with the path
 * templates of a contract (OpenAPI 3.1.0, section 4.8.8).
 */
import { encodedLiteral, templateLiterals, templateNames } from '../../model/parameter.ts'

const isNormal = /^[\w\-.~!$&'()*+,;=:@/]*$/
const percentEncoded = /%[\da-f]{2}/gi
const unreserved = /[\w\-.!~*'()]/

/**
 * Normalises a path as the router does (RFC 3986, section 6.2.2): decodes characters that need no percent-encoding,
 * encodes the others in upper case.
 */
export function normalizePath(path: string): string {
  if (isNormal.test(path)) return path
  return encodeURI(path)
    .replaceAll('%25', '%')
    .replaceAll(percentEncoded, (text) => {
      const character = String.fromCharCode(Number.parseInt(text.slice(1), 16))
      return unreserved.test(character) ? character : text.toUpperCase()
    })
}

/** Writes a normalised path as a route: the router decodes paths, and takes a colon for the start of a parameter. */
export const literalRoute = (path: string): string => decodeURI(path).replaceAll(':', '::')

/** Joins two paths as Fastify joins a prefix and a route: with one slash. */
export const joinPaths = (prefix: string, path: string): string => `${prefix.replace(/\/$/, '')}${path}`

/** Returns the path of a request target in either form, without its query. */
export function pathOf(target: string): string {
  const path = originForm(target)
  const end = path.indexOf('?')
  return end < 0 ? path : path.slice(0, end)
}

/** Returns the query of a request target, without the question mark. */
export function queryOf(target: string): string {
  const start = target.indexOf('?')
  return start < 0 ? '' : target.slice(start + 1)
}

/** Returns the path and query of an absolute-form target, which a server must understand (RFC 9112, section 3.2.2). */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target
  const [, path] = /^https?:\/\/[^/?#]+(.*)$/i.exec(target) ?? []
  if (path === undefined) return target
  return path.startsWith('/') ? path : `/${path}`
}

/** Percent-encoded texts by parameter name; `decode.ts` splits and decodes them. */
type RawPathParameters = Readonly<Record<string, string>>

/** Literals of one segment: before, between and after its expressions. */
type Segment = string[]

/** @returns texts of the parameters of a normalised path, or undefined for another path */
type MatchPath = (path: string) => RawPathParameters | undefined

export const pathMatcher = (template: string): MatchPath => matcher(template, asWritten)

/** Matches as a router may that ignores case, repeated slashes and a trailing slash. */
export function lenientPathMatcher(template: string): MatchPath {
  const match = matcher(withoutSlashes(template), lowerCase)
  return (path) => match(withoutSlashes(path))
}

const asWritten = (text: string) => text
const lowerCase = (text: string) => text.toLowerCase()
const withoutSlashes = (path: string) => path.replaceAll(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')

type Fold = (text: string) => string

/** @param fold makes texts equal that the router takes for equal, and keeps their length */
function matcher(template: string, fold: Fold): MatchPath {
  const names = templateNames(template)
  const segments = segmentsOf(template).map((literals) => segmentReader(literals.map(fold), fold))
  return (path) => {
    const texts = textsOf(path, segments)
    if (texts === undefined) return undefined
    const parameters = Object.create(null) as Record<string, string>
    for (const [index, name] of names.entries()) parameters[name] = String(texts[index])
    return parameters
  }
}

function segmentsOf(template: string): Segment[] {
  const segments: Segment[] = [[]]
  for (const literal of templateLiterals(template)) {
    const [first = '', ...others] = normalizePath(encodedLiteral(literal)).split('/')
    segments.at(-1)?.push(first)
    segments.push(...others.map((text) => [text]))
  }
  return segments
}

/** Adds the texts of the expressions in a segment; returns false for a segment that does not match. */
type ReadSegment = (text: string, texts: string[]) => boolean

function textsOf(path: string, segments: readonly ReadSegment[]): string[] | undefined {
  const texts: string[] = []
  let start = 0
  for (const [index, readSegment] of segments.entries()) {
    const slash = path.indexOf('/', start)
    if (slash < 0 !== (index === segments.length - 1)) return undefined
    const end = slash < 0 ? path.length : slash
    if (!readSegment(path.slice(start, end), texts)) return undefined
    start = end + 1
  }
  return texts
}

/**
 * Finds each literal from the left, the last one at the end, in linear time. A parameter beside a literal, or
 * alone, is not empty. A regular expression could try every
 * combination of positions.
 */
function segmentReader(literals: Segment, fold: Fold): ReadSegment {
  const [first = '', ...others] = literals
  const last = others.pop()
  if (last === undefined) return (text) => fold(text) === first
  return (text, texts) => {
    const folded = fold(text)
    if (!folded.startsWith(first)) return false
    let start = first.length
    for (const literal of others) {
      const end = folded.indexOf(literal, start)
      // Between two expressions without a literal the first is empty.
      if (end < start || (end === start && literal !== '')) return false
      texts.push(text.slice(start, end))
      start = end + literal.length
    }
    const end = text.length - last.length
    texts.push(text.slice(start, end))
    return end > start && folded.endsWith(last)
  }
}
