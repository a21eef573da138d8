/** Finds keywords of a schema that are malformed or have no effect, and patterns that take long. */
import type { OwnFormats, Problem, Schema } from '@contract-first/contract'
import { didYouMean, isNearMiss, schemaKeywords } from '@contract-first/contract'
import { describedFormats, enforcedFormats } from './formats.ts'
import type { PatternChecks, SlowPattern } from './patterns.ts'
import type { View } from './reading.ts'

/** Context in which a schema is read. */
interface Context {
  readonly view: View
  readonly patterns: PatternChecks
  /** Formats of the project's own. */
  readonly formats?: OwnFormats | undefined
}

export function schemaProblems(schema: Schema, context: Context): Problem[] {
  const { broken = [], unknown = [] } = schema
  const warning = (key: string, message: string): Problem => ({
    severity: 'warning',
    rule: 'schema-keyword',
    origin: schema.origin.at(key),
    message
  })
  const unenforced = [
    ...unenforcedFormat(schema, context.formats),
    ...unenforcedContent(schema, context.view)
  ]
  return [
    ...broken,
    ...unknown.map((key) =>
      warning(key, `keyword \`${key}\` is not known and has no effect${suggestion(key)}`)
    ),
    ...[...unenforced, ...slowPatterns(schema, context.patterns)].map(([key, message]) =>
      warning(key, message)
    )
  ]
}

/** A keyword, and what is to be said about it. */
type Found = readonly [key: string, message: string]

function suggestion(key: string): string {
  const meant = [...schemaKeywords].find((keyword) => isNearMiss(key, keyword))
  return meant === undefined ? '' : `: did you mean \`${meant}\`?`
}

function unenforcedFormat({ format }: Schema, own: OwnFormats = new Map()): Found[] {
  if (format === undefined || own.has(format)) return []
  if (enforcedFormats.has(format) || describedFormats.has(format)) return []
  const meant = didYouMean(format, new Set([...enforcedFormats, ...own.keys()]))
  return [['format', `format \`${format}\` is not known and is not enforced${meant}`]]
}

function unenforcedContent({ content }: Schema, view: View): Found[] {
  if (content === undefined) return []
  const { encoding, mediaType, schema } = content
  const found: Found[] = []
  if (encoding !== undefined) {
    const message = `contentEncoding ${encoding} is an annotation and is not enforced: a text in no encoding is valid`
    found.push(['contentEncoding', message])
  }
  // The media type of a part is enforced (server/body/parts.ts), unless the bytes are encoded as text.
  const describesPart = view === 'multipart' && encoding === undefined
  const reason = 'is not enforced: only parts of multipart bodies have a media type'
  if (mediaType !== undefined && !describesPart)
    found.push(['contentMediaType', `\`contentMediaType\` ${reason}`])
  if (schema !== undefined) found.push(['contentSchema', `\`contentSchema\` ${reason}`])
  return found
}

/** Checks patterns. The length of a text is tested before its pattern (validator-writer.ts); names have no bound. */
function slowPatterns({ pattern, patterns = [], maxLength, origin }: Schema, checks: PatternChecks): Found[] {
  const found: Found[] = []
  const check = (key: string, source: string, bound: number, remedy: (slow: SlowPattern) => string) => {
    const slow = checks.slow(source, bound)
    if (slow !== undefined)
      found.push([key, slowness(slow, `pattern ${source} of ${origin.pointer}`, remedy(slow))])
  }
  const shorter = (slow: SlowPattern) => `, or give it a \`maxLength\` of at most ${slow.maxLength}`
  if (pattern !== undefined) check('pattern', pattern.source, maxLength ?? Infinity, shorter)
  for (const each of patterns) check('patternProperties', each.pattern.source, Infinity, () => '')
  return found
}

function slowness({ degree }: SlowPattern, place: string, remedy: string): string {
  if (degree === Infinity) return `${place} takes exponential time: a short text can stop the server`
  // One sentence for all, because a report counts equal ones.
  if (degree === undefined)
    return `the pattern takes too long to check for backtracking: simplify it${remedy}`
  const power = powers[degree] ?? `power ${degree}`
  return `${place} takes time that grows with ${power} of the length: simplify it${remedy}`
}

const powers: Readonly<Record<number, string>> = { 2: 'the square', 3: 'the cube' }
