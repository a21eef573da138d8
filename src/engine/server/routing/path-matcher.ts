/** Matches paths of requests with the path templates of a contract (OpenAPI 3.1.0, section 4.8.8). */
import { encodedLiteral, templateLiterals, templateNames } from '../../model/parameter.ts'
import { normalizePath } from './request-target.ts'

/** Percent-encoded texts by parameter name; `parameters/` splits and decodes them. */
export type RawPathParameters = Readonly<Record<string, string>>

/** Literals of one segment: before, between and after its expressions. */
type Segment = string[]

/** @returns a function from a normalised path to the texts of its parameters, or undefined for another path */
export function pathMatcher(template: string): (path: string) => RawPathParameters | undefined {
  const names = templateNames(template)
  const segments = segmentsOf(template)
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

function textsOf(path: string, segments: readonly Segment[]): string[] | undefined {
  const texts: string[] = []
  let start = 0
  for (const [index, segment] of segments.entries()) {
    const slash = path.indexOf('/', start)
    if (slash < 0 !== (index === segments.length - 1)) return undefined
    const end = slash < 0 ? path.length : slash
    if (!readSegment(path.slice(start, end), segment, texts)) return undefined
    start = end + 1
  }
  return texts
}

/**
 * Finds each literal from the left, the last one at the end, in linear time. A regular expression could try every
 * combination of positions.
 */
function readSegment(text: string, literals: Segment, texts: string[]): boolean {
  const [first = '', ...others] = literals
  const last = others.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first)) return false
  let start = first.length
  for (const literal of others) {
    const end = text.indexOf(literal, start)
    if (end < 0) return false
    texts.push(text.slice(start, end))
    start = end + literal.length
  }
  const end = text.length - last.length
  texts.push(text.slice(start, end))
  return end >= start && text.endsWith(last)
}
