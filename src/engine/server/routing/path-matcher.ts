/** Matches paths of requests with the path templates of a contract (OpenAPI 3.1.0, section 4.8.8). */
import { encodedLiteral, templateLiterals, templateNames } from '../../model/parameter.ts'
import { normalizePath } from './request-target.ts'

/** Percent-encoded texts by parameter name; `parameters/` splits and decodes them. */
export type RawPathParameters = Readonly<Record<string, string>>

/** Literals of one segment: before, between and after its expressions. */
type Segment = string[]

/** @returns texts of the parameters of a normalised path, or undefined for another path */
export type MatchPath = (path: string) => RawPathParameters | undefined

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
 * Finds each literal from the left, the last one at the end, in linear time. A regular expression could try every
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
      if (end < 0) return false
      texts.push(text.slice(start, end))
      start = end + literal.length
    }
    const end = text.length - last.length
    texts.push(text.slice(start, end))
    return end >= start && folded.endsWith(last)
  }
}
