/** The ways in which a request can break the contract, one at a time: from a valid request, one change each. */

import type { ReportedProblem } from '@contract-first/engine/errors'
import { isObject } from '../../compile/document/json-value.ts'
import type { Draft } from '../../instances/requests/draft.ts'
import { generalPlace, type Judge, signatureOf } from '../../instances/requests/verdict.ts'
import type { Schemas } from '../../instances/schemas.ts'
import { type DraftPlace, type Part, placesIn, withPart, withValue } from './draft-part.ts'
import { idProperty } from './fresh-ids.ts'
import { type Break, messageBreaks } from './message-breaks.ts'
import { isRepetition, unreadableValues } from './nesting.ts'
import { type WrongValue, wrongValues } from './wrong-values.ts'

interface Change {
  readonly draft: Draft
  /** Place of the change, without the indices of lists: `body/tags/*`. */
  readonly place: string
  /** The same without the names that no schema declares: `body/prices/{}`. */
  readonly general: string
  readonly kind: string
  readonly isExtra: boolean
}

interface Tools {
  readonly schemas: Schemas
  readonly judge: Judge
}

/**
 * Returns one request for each break, those with the fewest problems first; then the same breaks with null, with empty
 * texts, with texts that are almost valid, and with other values.
 */
export function breaksOf(base: Draft, tools: Tools): readonly Break[] {
  const found = new Map<string, Break>()
  const further = new Map<string, Break>()
  const type = base.body?.of.content.mediaType ?? ''
  for (const change of changes(base, tools)) {
    const { draft, kind } = change
    const problems = tools.judge.of(draft) ?? []
    const [problem] = problems
    if (problem === undefined || problems.some(({ message }) => message.includes('read-only'))) continue
    const shown = shownProblem(change, problem)
    const hidden = shown === problem ? '' : ` ${shown.place} ${kind}`
    const kinds = signatureOf(problems).replaceAll(change.place, () => change.general)
    const signature = `${type} ${kinds}${itemOf(base, problem)}${hidden}`
    const each = { draft, problem: shown, signature, count: problems.length, isExtra: false }
    if (!found.has(signature)) found.set(signature, each)
    const typed = `${type} ${kinds}${hidden} (${kind})`
    if (!further.has(typed)) further.set(typed, { ...each, signature: typed, isExtra: change.isExtra })
  }
  const firsts = new Set([...found.values()].map(({ draft }) => draft))
  const others = [...further.values()].filter(({ draft }) => !firsts.has(draft))
  return [
    ...messageBreaks(base, tools.judge),
    ...distinct([...found.values()]),
    ...distinct(others.filter(({ isExtra }) => !isExtra)),
    ...distinct(others.filter(({ isExtra }) => isExtra))
  ]
}

/** Returns the item that a problem is in, as far as it matters: a server may check the first one, or the first ones, only. */
function itemOf({ body }: Draft, { place }: ReportedProblem): string {
  const inSequence = body?.of.content.items && /^body\/\d+/.exec(place)?.[0]
  if (inSequence !== undefined) return inSequence
  const index = Math.max(0, ...(place.match(/(?<=\/)\d+(?=\/|$)/g) ?? []).map(Number))
  return index === 0 ? '' : index > 2 ? ' (the last item)' : ' (a later item)'
}

/** Names the change where its problem is reported further up: that of a union is one for all of its branches. */
function shownProblem({ place, kind }: Change, problem: ReportedProblem): ReportedProblem {
  if (!place.startsWith(`${generalPlace(problem.place)}/`)) return problem
  return { place, message: `is wrong (${kind}): ${problem.place} ${problem.message}` }
}

/** Leaves out requests whose problems all occur alone in other requests. */
function distinct(breaks: readonly Break[]): readonly Break[] {
  const single = new Set(breaks.filter(({ count }) => count === 1).map(({ signature }) => signature))
  return breaks
    .filter(({ signature, count }) => count === 1 || signature.split('; ').some((part) => !single.has(part)))
    .toSorted((a, b) => a.count - b.count)
}

/** Yields drafts with one change each. */
function* changes(base: Draft, { schemas, judge }: Tools): Generator<Change> {
  const parts: Part[] = [...base.subject.parameters.keys(), 'body']
  for (const part of parts) {
    const { spec } = base.subject.parameters[Number(part)] ?? {}
    if (spec?.required && spec.in !== 'path')
      yield { draft: withPart(base, part, undefined), place: '', general: '', kind: 'missing', isExtra: true }
    const places = placesIn(base, part, schemas)
    for (const place of places) if (!isRepetition(place, places)) yield* changesAt(base, place, judge)
  }
}

function* changesAt(base: Draft, place: DraftPlace, judge: Judge): Generator<Change> {
  const id = idProperty(base.subject, base.body?.value)
  // An id that is wrong on purpose is not replaced.
  const isId = place.part === 'body' && (place.path.length === 0 || place.path[0] === id)
  const general = ['body', ...place.names].join('/')
  const name = generalPlace(['body', ...place.path].join('/'))
  const isScalar = /number|bigint|boolean/.test(typeof place.value)
  const isText = isScalar && judge.isValid(withValue(base, place, String(place.value)))
  for (const { value, kind, isExtra } of [...wrongValues(place, isText), ...unreadable(base, place)]) {
    if (!isCarried(base, place, value)) continue
    const changed = withValue(base, place, value)
    const draft = isId && !keepsId(changed, base, id) ? { ...changed, id: 'wrong' as const } : changed
    yield { draft, place: name, general, kind, isExtra }
  }
}

function unreadable({ body }: Draft, { part, path, value }: DraftPlace): readonly WrongValue[] {
  const { kind, items } = body?.of.content ?? {}
  if (part !== 'body' || path.length > 0 || kind !== 'json' || items !== undefined) return []
  return unreadableValues(value).map((wrong, at) => ({
    value: wrong,
    kind: `unreadable ${at}`,
    isExtra: false
  }))
}

const keepsId = (changed: Draft, base: Draft, id: string | undefined): boolean =>
  id !== undefined &&
  Reflect.get(Object(changed.body?.value), id) === Reflect.get(Object(base.body?.value), id)

/**
 * Returns false for a text or a list in place of an object whose properties have names of their own in a query or in
 * cookies: it would be sent under a name that the contract does not declare.
 */
function isCarried({ subject }: Draft, { part, path, value }: DraftPlace, wrong: unknown): boolean {
  if (part === 'body' || path.length > 0 || !isObject(value) || isObject(wrong)) return true
  const { style, explode } = subject.parameters[part]?.spec ?? {}
  return style !== 'deepObject' && !(style === 'form' && explode === true)
}
