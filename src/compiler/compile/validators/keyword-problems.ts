/** Finds keywords of a schema that have no effect, and values that no validator can enforce. */

import { didYouMean, isNearMiss } from '../diagnostics/near-miss.ts'
import { type Json, type JsonObject, objectOf, own } from '../document/json-value.ts'
import { enforcedFormats } from '../vocabulary/formats.ts'
import { annotations, contentKeywords, schemaKeywords, type View } from '../vocabulary/keywords.ts'
import type { OwnFormats } from '../vocabulary/own-formats.ts'
import type { PatternChecks, SlowPattern } from './patterns.ts'

/** Context in which a schema is read. */
interface Reading {
  readonly view: View
  /** Returns the pointer of the schema, for messages. */
  readonly pointer: () => string
  readonly patterns: PatternChecks
  /** Formats of the project's own. */
  readonly formats?: OwnFormats | undefined
}

interface KeywordProblem {
  readonly severity: 'error' | 'warning'
  readonly message: string
}

export function keywordProblems(
  node: JsonObject,
  key: string,
  value: Json,
  reading: Reading
): KeywordProblem[] {
  if (key === '$dynamicRef') return [refuse(`${key} ${String(value)} cannot be resolved`)]
  if (key === 'pattern') return patternProblems([String(value)], reading, own(node, 'maxLength') ?? Infinity)
  if (key === 'patternProperties') return patternProblems(Object.keys(objectOf(value)), reading)
  if (key === 'format') return formatProblems(String(value), reading.formats)
  return schemaKeywords.has(key) ? [] : unenforced(node, key, value, reading)
}

const refuse = (message: string): KeywordProblem => ({ severity: 'error', message })
const warn = (message: string): KeywordProblem => ({ severity: 'warning', message })

function unenforced(node: JsonObject, key: string, value: Json, { view }: Reading): KeywordProblem[] {
  if (!annotations.has(key) && !key.startsWith('x-'))
    return [warn(`keyword \`${key}\` is not known and has no effect${suggestion(key)}`)]
  if (key === 'contentEncoding')
    return [
      warn(`${key} ${String(value)} is an annotation and is not enforced: a text in no encoding is valid`)
    ]
  // The media type of a part is enforced (server/body/part-checks.ts), unless the bytes are encoded as text.
  const describesPart = view === 'multipart' && own(node, 'contentEncoding') === undefined
  return contentKeywords.has(key) && !(key === 'contentMediaType' && describesPart)
    ? [warn(`\`${key}\` is not enforced: only parts of multipart bodies have a media type`)]
    : []
}

function formatProblems(format: string, own: OwnFormats = new Map()): KeywordProblem[] {
  const isKnown = enforcedFormats.has(format) || own.has(format) || annotations.has(`format:${format}`)
  const enforced = new Set([...enforcedFormats, ...own.keys()])
  return isKnown
    ? []
    : [warn(`format \`${format}\` is not known and is not enforced${didYouMean(format, enforced)}`)]
}

/**
 * Checks patterns. They are ECMA-262 here: load/ has dropped all others.
 * @param maxLength of the same schema, which its validator tests before its pattern (validator-writer.ts); undefined for names
 *   of properties
 */
function patternProblems(
  sources: readonly string[],
  { patterns, pointer }: Reading,
  maxLength?: Json
): KeywordProblem[] {
  return sources.flatMap((source) => {
    const slow = patterns.slow(source, Number(maxLength ?? Infinity))
    if (slow === undefined) return []
    const remedy = maxLength === undefined ? '' : `, or give it a \`maxLength\` of at most ${slow.maxLength}`
    return [warn(slowness(slow, `pattern ${source} of ${pointer()}`, remedy))]
  })
}

function slowness({ degree }: SlowPattern, place: string, remedy: string): string {
  if (degree === Infinity) return `${place} takes exponential time: a short text can stop the server`
  // One sentence for all, because a report counts equal ones (causes.ts).
  if (degree === undefined)
    return `the pattern takes too long to check for backtracking: simplify it${remedy}`
  const power = powers[degree] ?? `power ${degree}`
  return `${place} takes time that grows with ${power} of the length: simplify it${remedy}`
}

const powers: Readonly<Record<number, string>> = { 2: 'the square', 3: 'the cube' }

function suggestion(key: string): string {
  const meant = [...schemaKeywords.keys()].find((keyword) => isNearMiss(key, keyword))
  return meant === undefined ? '' : `: did you mean \`${meant}\`?`
}
