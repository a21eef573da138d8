/** The ways in which a request can break the contract, one at a time: from a valid request, one change each. */

import type { ReportedProblem } from '@contract-first/engine/errors'
import { mediaTypeMatcher } from '@contract-first/engine/media-types'
import { isObject } from '../../compile/document/json-value.ts'
import type { Draft } from '../../instances/requests/draft.ts'
import { type Judge, signatureOf } from '../../instances/requests/verdict.ts'
import type { Schemas } from '../../instances/schemas.ts'
import { type DraftPlace, type Part, placesIn, withPart, withValue } from './draft-part.ts'
import { idProperty } from './fresh-ids.ts'
import { wrongValues } from './wrong-values.ts'

export interface Break {
  readonly draft: Draft
  /** Equal for breaks of the same kind at the same place. */
  readonly signature: string
  readonly problem: ReportedProblem
  readonly count: number
}

type Change = readonly [draft: Draft, value: unknown]

interface Tools {
  readonly schemas: Schemas
  readonly judge: Judge
}

/**
 * Returns one request for each break, those with the fewest problems first; then the same breaks with values of other
 * types.
 */
export function breaksOf(base: Draft, tools: Tools): readonly Break[] {
  const found = new Map<string, Break>()
  const further = new Map<string, Break>()
  for (const [draft, value] of changes(base, tools)) {
    const problems = tools.judge.of(draft) ?? []
    const [problem] = problems
    if (problem === undefined || problems.some(({ message }) => message.includes('read-only'))) continue
    const signature = `${signatureOf(problems)}${itemOf(base, problem)}`
    const each = { draft, problem, signature, count: problems.length }
    if (!found.has(signature)) found.set(signature, each)
    const typed = `${signature} (${typeOf(value)})`
    if (!further.has(typed)) further.set(typed, { ...each, signature: typed })
  }
  const firsts = new Set([...found.values()].map(({ draft }) => draft))
  const others = [...further.values()].filter(({ draft }) => !firsts.has(draft))
  return [...messageBreaks(base), ...distinct([...found.values()]), ...distinct(others)]
}

/** Returns the item of a sequence that a problem is in: a server may check the first one only. */
const itemOf = ({ body }: Draft, { place }: ReportedProblem): string =>
  (body?.of.content.items && /^body\/\d+/.exec(place)?.[0]) ?? ''

/** Leaves out requests whose problems all occur alone in other requests. */
function distinct(breaks: readonly Break[]): readonly Break[] {
  const single = new Set(breaks.filter(({ count }) => count === 1).map(({ signature }) => signature))
  return breaks
    .filter(({ signature, count }) => count === 1 || signature.split('; ').some((part) => !single.has(part)))
    .toSorted((a, b) => a.count - b.count)
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

/** Yields drafts with one change each, and the value that was inserted. */
function* changes(base: Draft, { schemas }: Tools): Generator<Change> {
  const parts: Part[] = [...base.subject.parameters.keys(), 'body']
  for (const part of parts) {
    const { spec } = base.subject.parameters[Number(part)] ?? {}
    if (spec?.required && spec.in !== 'path') yield [withPart(base, part, undefined), undefined]
    for (const place of placesIn(base, part, schemas)) yield* changesAt(base, place)
  }
}

function* changesAt(base: Draft, place: DraftPlace): Generator<Change> {
  const id = idProperty(base.subject, base.body?.value)
  // An id that is wrong on purpose is not replaced.
  const isId = place.part === 'body' && (place.path.length === 0 || place.path[0] === id)
  const isMultipart = place.part === 'body' && base.body?.of.content.kind === 'multipart'
  for (const value of wrongValues(place)) {
    if (isMultipart && !leavesOut(place, value)) continue
    const changed = withValue(base, place, value)
    yield [isId && !keepsId(changed, base, id) ? { ...changed, id: 'wrong' } : changed, value]
  }
}

const keepsId = (changed: Draft, base: Draft, id: string | undefined): boolean =>
  id !== undefined &&
  Reflect.get(Object(changed.body?.value), id) === Reflect.get(Object(base.body?.value), id)

/**
 * Recognises a body without one of its properties: a multipart body has texts only, so that a number is not another
 * type there.
 */
const leavesOut = ({ path, value }: DraftPlace, wrong: unknown): boolean =>
  path.length === 0 &&
  isObject(wrong) &&
  isObject(value) &&
  Object.keys(wrong).length < Object.keys(value).length

type Spoil = NonNullable<Draft['spoil']>

/** Returns bodies that are missing, malformed, or of another media type. */
function messageBreaks(base: Draft): readonly Break[] {
  const { body, subject } = base
  const { requestBody } = subject.operation
  if (body === undefined || requestBody?.required !== true) return []
  const made: [string, string, Spoil][] = [
    ['body', 'is required, and missing', () => ({ contentType: undefined, bytes: undefined })]
  ]
  if (body.of.content.kind === 'json') {
    made.push(['body', 'is not valid JSON', spoilt((text) => `${text}}`)])
    made.push(['body', 'is JSON that ends too early', spoilt((text) => `{"a":${text}`)])
  }
  const { items } = body.of.content
  if (items !== undefined && items.framing !== 'events') {
    const start = items.framing === 'texts' ? '\x1e' : ''
    made.push([
      'body',
      'ends with an item that is not valid JSON',
      spoilt((text) => `${text}${start}{"a":\n`)
    ])
  }
  const matches = mediaTypeMatcher(requestBody.content.map(({ mediaType }) => mediaType))
  const other = ['text/plain', 'application/x-undeclared'].find((type) => matches(type) < 0)
  if (other !== undefined)
    made.push([
      'headers/content-type',
      `is ${other}, which is not declared`,
      ({ bytes }) => ({ contentType: other, bytes })
    ])
  return made.map(([place, message, spoil]) => ({
    draft: { ...base, spoil },
    signature: `${place} ${message}`,
    problem: { place, message },
    count: 1
  }))
}

const spoilt =
  (change: (text: string) => string): Spoil =>
  ({ contentType, bytes }) => ({ contentType, bytes: Buffer.from(change(String(bytes))) })
