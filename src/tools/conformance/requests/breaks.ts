/** The ways in which a request can break the contract, one at a time: from a valid request, one change each. */

import { idOf, isObject } from '@contract-first/contract'
import type { ReportedProblem } from '@contract-first/engine/errors'
import { mediaTypeMatcher } from '@contract-first/engine/media-types'
import type { Draft, RawRequest, Rewrite } from '../../samples/requests/draft.ts'
import { queryPairs, rawRequest } from '../../samples/requests/raw-request.ts'
import { generalPlace, type Judge, signatureOf } from '../../samples/requests/verdict.ts'
import { type DraftPlace, type Part, placesIn, withPart, withValue } from './draft-part.ts'
import { type Attempt, refused } from './expectation.ts'
import { idProperty } from './fresh-ids.ts'
import { isRepetition, unreadableValues } from './unusual-values.ts'
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

/** Names a place with its schemas and the form of its value: another request breaks at it in the same ways. */
function breakPlace({ body }: Draft, { part, path, value, schemas }: DraftPlace): string {
  const form = typeof value === 'object' && value !== null ? Object.keys(value) : [typeof value]
  const type = part === 'body' ? body?.of.content.mediaType : ''
  return [part, type, Array.isArray(value), ...path, '', ...form, '', ...schemas.map(idOf)].join('/')
}

/**
 * Returns one request for each break, those with the fewest problems first; then the same breaks with null, with empty
 * texts, with texts that are almost valid, and with other values.
 * @param seen names of places at which requests before this one are broken, which are left out and added to
 */
export function breaksOf(base: Draft, judge: Judge, seen = new Set<string>()): readonly Break[] {
  const found = new Map<string, Break>()
  const others = new Map<string, Break>()
  const kinds = new Set<string>()
  const type = base.body?.of.content.mediaType ?? ''
  for (const change of changes(base, judge, seen)) {
    const { draft, kind, isExtra } = change
    const problems = judge.of(draft) ?? []
    const [problem] = problems
    if (problem === undefined || problems.some(({ message }) => message.includes('read-only'))) continue
    const shown = shownProblem(change, problem)
    const hidden = shown === problem ? '' : ` ${shown.place} ${kind}`
    const places = signatureOf(problems).replaceAll(change.place, () => change.general)
    const signature = `${type} ${places}${itemOf(base, problem)}${hidden}`
    const ofKind = `${type} ${places}${hidden} (${kind})`
    const each = { draft, expectation: refused(shown), count: problems.length }
    if (!found.has(signature)) found.set(signature, { ...each, signature, isExtra: false })
    else if (!kinds.has(ofKind)) others.set(ofKind, { ...each, signature: ofKind, isExtra })
    kinds.add(ofKind)
  }
  const further = [...others.values()]
  return [
    ...messageBreaks(base, judge),
    ...distinct([...found.values()]),
    ...distinct(further.filter(({ isExtra }) => !isExtra)),
    ...distinct(further.filter(({ isExtra }) => isExtra))
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
function* changes(base: Draft, judge: Judge, seen: Set<string>): Generator<Change> {
  const parts: Part[] = [...base.subject.parameters.keys(), 'body']
  for (const part of parts) {
    const { spec } = base.subject.parameters[Number(part)] ?? {}
    if (spec?.required && spec.in !== 'path')
      yield { draft: withPart(base, part, undefined), place: '', general: '', kind: 'missing', isExtra: true }
    const places = placesIn(base, part)
    for (const place of places) {
      const name = breakPlace(base, place)
      if (seen.has(name) || isRepetition(place, places)) continue
      seen.add(name)
      yield* changesAt(base, place, judge)
    }
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

export interface Break extends Attempt {
  /** Equal for breaks of the same kind at the same place. */
  readonly signature: string
  /** Number of problems. */
  readonly count: number
  /** True for another value of a kind that is in the list already: it is sent by chance only. */
  readonly isExtra: boolean
}

type Row = readonly [place: string, message: string, change: Partial<Draft>]

/** Returns the breaks of a valid request, each in one way. */
function messageBreaks(base: Draft, judge: Judge): readonly Break[] {
  const rows = [bodyRows, itemRows, typeRows, repeatedRows, jsonRows].flatMap((make) => make(base, judge))
  return rows.map(([place, message, change]) => ({
    draft: { ...base, ...change },
    signature: `${base.body?.of.content.mediaType ?? ''} ${place} ${message}`,
    expectation: refused({ place, message }),
    count: 1,
    isExtra: false
  }))
}

/** Sends another text as the body. */
const rewritten = (change: (text: string) => string): Partial<Draft> => ({
  rewrite: ({ body, ...raw }) => ({ ...raw, body: Buffer.from(change(String(body))) })
})

function bodyRows({ body, subject }: Draft, judge: Judge): readonly Row[] {
  if (body === undefined) return []
  const { kind } = body.of.content
  const malformed: Row[] = [
    ['body', 'is not valid JSON', rewritten((text) => `${text}}`)],
    ['body', 'is JSON that ends too early', rewritten((text) => `{"a":${text}`)]
  ]
  return [
    ...(subject.operation.requestBody?.required === true ? absentRows(judge.acceptsEmpty(body)) : []),
    ...(kind === 'json' ? malformed : [])
  ]
}

/** @param mayBeEmpty true for a text, or a form without fields, that the contract allows */
function absentRows(mayBeEmpty: boolean): readonly Row[] {
  const rewrite = ({ headers: { 'content-type': _type, ...headers }, ...raw }: RawRequest) => ({
    ...raw,
    headers,
    body: undefined
  })
  const missing: Row = ['body', 'is required, and missing', { rewrite }]
  return mayBeEmpty ? [missing] : [missing, ['body', 'is empty', rewritten(() => '')]]
}

function itemRows({ body }: Draft): readonly Row[] {
  const items = body?.of.content.items
  if (items === undefined || items.framing === 'events') return []
  const start = items.framing === 'texts' ? '\x1e' : ''
  return [['body', 'ends with an item that is not valid JSON', rewritten((text) => `${text}${start}{"a":\n`)]]
}

function typeRows({ body, subject }: Draft): readonly Row[] {
  const { requestBody } = subject.operation
  if (body === undefined || requestBody === undefined) return []
  const matches = mediaTypeMatcher(requestBody.content.map(({ mediaType }) => mediaType))
  const other = ['text/plain', 'application/x-undeclared'].find((type) => matches(type) < 0)
  const typed = (type: string): Partial<Draft> => ({
    rewrite: ({ headers, ...raw }) => ({ ...raw, headers: { ...headers, 'content-type': type } })
  })
  const place = 'headers/content-type'
  const { kind } = body.of.content
  return [
    ...(other === undefined ? [] : [[place, `is ${other}, which is not declared`, typed(other)] as const]),
    ...(kind === 'multipart' ? [[place, 'has no boundary', typed('multipart/form-data')] as const] : [])
  ]
}

/** Adds a pair to the query. */
const withPair =
  (pair: string): Rewrite =>
  ({ target, ...raw }) => ({ ...raw, target: `${target}${target.includes('?') ? '&' : '?'}${pair}` })

/** Sends a text that is not JSON as each parameter of the query that is JSON. */
function jsonRows(base: Draft): readonly Row[] {
  return base.subject.parameters.flatMap(({ spec }, index): Row[] => {
    if (spec.in !== 'query' || spec.json !== true) return []
    const change = {
      values: base.values.with(index, undefined),
      rewrite: withPair(`${encodeURIComponent(spec.name)}=%7B%22a`)
    }
    return [[`query/${spec.key}`, 'is not valid JSON', change]]
  })
}

/**
 * Sends each pair of the query and of a form for the second time, where the contract takes only one. A client may have two
 * cookies of one name, for two paths (RFC 6265, section 5.4).
 */
function repeatedRows(base: Draft, judge: Judge): readonly Row[] {
  const parameters = base.values.flatMap((_value, index): Row[] => {
    const [pair, ...others] = queryPairs(base, index)
    if (pair === undefined || others.length > 0) return []
    const rewrite = withPair(pair)
    const problem = judge.of({ ...base, rewrite })?.[0]
    return problem === undefined ? [] : [[problem.place, problem.message, { rewrite }]]
  })
  return [...parameters, ...repeatedFields(base)]
}

/** Members of a shape that takes several values. */
const severalIn = ['items', 'prefixItems', 'properties', 'additional'] as const

function repeatedFields(base: Draft): readonly Row[] {
  const content = base.body?.of.content
  if (content?.kind !== 'form' && content?.kind !== 'multipart') return []
  const isForm = content.kind === 'form'
  const text = String(rawRequest(base).body)
  const fields = isForm ? text.split('&') : text.split(/(?=^--)/m)
  return (content.fields ?? []).flatMap(({ name, shape }): Row[] => {
    const own = fields.filter((field) =>
      isForm ? field.startsWith(`${name}=`) : field.includes(` name="${name}"`)
    )
    if (own.length !== 1 || severalIn.some((key) => shape[key] !== undefined)) return []
    const twice = isForm ? (sent: string) => `${sent}&${own[0]}` : (sent: string) => `${own[0]}${sent}`
    return [[`body/${name}`, 'is sent twice', rewritten(twice)]]
  })
}
