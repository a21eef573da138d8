/** Makes requests that are unusual, of values that may be valid at their places; the contract's own validator decides. */
import type { Contract as Model } from '@contract-first/contract'
import type { Draft, IdKind, Rewrite } from '../../samples/requests/draft.ts'
import { concrete } from '../../samples/requests/raw-request.ts'
import type { Judge } from '../../samples/requests/verdict.ts'
import { type DraftPlace, type Part, placesIn, withValue } from './draft-part.ts'
import { type Attempt, accepted, answered } from './expectation.ts'
import { idProperty } from './fresh-ids.ts'
import { withPathInBody } from './known-values.ts'
import {
  fewIntegers,
  isRepetition,
  leafGroups,
  namedValues,
  nestedValues,
  nodeGroups
} from './unusual-values.ts'

interface Unusual extends Attempt {
  /** Requests with one of the values of `draft` each: for a server that refuses all of them together. */
  readonly single: readonly Draft[]
}

const idKinds: readonly IdKind[] = ['beyond', 'highest', 'lowest']

/**
 * Returns requests with the first unusual value of a group in every text and number at once, then with the second and so
 * on; then those with unusual lists, objects and ids one by one. A smaller request then shows each finding.
 * @param seen names of places that have had unusual values already, which are left out and added to
 */
export function unusualDrafts(base: Draft, judge: Judge, seen: Set<string>): readonly Unusual[] {
  const id = seen.size === 0 ? idProperty(base.subject, base.body?.value) : undefined
  const named = unusualPlaces(base).map((place) => ({ place, name: placeName(base, place) }))
  const places = named.filter(({ name }) => !seen.has(name)).map(({ place }) => place)
  for (const { name } of named) seen.add(name)
  const together = leafGroups.flatMap(({ what, valuesAt }) => {
    const changes = places.map((place) => valuesAt(place).map((value) => ({ place, value })))
    return turnsOf(changes)
      .flatMap((turn) => inParts(turn, base))
      .map((turn) => combined(base, turn, what, judge))
  })
  const oneByOne = (what: string, valuesAt: (place: DraftPlace) => readonly unknown[]) =>
    places.flatMap((place) => valuesAt(place).map((value) => only(withValue(base, place, value), what)))
  const ids = id === undefined ? [] : idKinds.map((kind) => ({ ...base, id: kind }))
  const all = [
    ...ids.map((draft) => only(draft, 'with an id at the bounds of its type')),
    ...together,
    ...nodeGroups.flatMap(({ what, valuesAt }) => oneByOne(what, valuesAt)),
    ...oneByOne('with 64 levels of nesting', (place) => nestedValues(place, places))
  ]
  return all.filter(({ draft }) => draft !== base && judge.isValid(draft))
}

const only = (draft: Draft, what: string): Unusual => ({ draft, expectation: accepted(what), single: [] })

function unusualPlaces(base: Draft): readonly DraftPlace[] {
  const id = idProperty(base.subject, base.body?.value)
  const inBody = placesIn(base, 'body')
  return [
    ...inBody.filter(
      (place) => (place.path.length !== 1 || place.path[0] !== id) && !isRepetition(place, inBody)
    ),
    // A path refers to an existing resource: see unknownDrafts.
    ...base.subject.parameters.flatMap(({ spec }, index) => (spec.in === 'path' ? [] : placesIn(base, index)))
  ]
}

const placeName = ({ body }: Draft, { part, names }: DraftPlace): string =>
  [part === 'body' ? body?.of.content.mediaType : part, ...names].join('/')

interface Change {
  readonly place: DraftPlace
  readonly value: unknown
}

function combined(base: Draft, changes: readonly Change[], what: string, judge: Judge): Unusual {
  const alone = changes.map(({ place, value }) => withValue(base, place, value))
  const single = alone.filter((draft) => judge.isValid(draft))
  const draft = changes.reduce(
    (changed, { place, value }) => validOr(withValue(changed, place, value), changed, judge),
    base
  )
  return { draft, expectation: accepted(what), single: single.length > 1 ? single : [] }
}

const validOr = (changed: Draft, draft: Draft, judge: Judge): Draft =>
  judge.isValid(changed) ? changed : draft

/** Returns the first of each list, then the second of each, and so on. */
function turnsOf<T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list[turn] ?? []))
}

/** Most bytes of the unusual values in one request: 100 kB are a common default limit of servers. */
const maxBytes = 90_000

/** Splits changes that are too large for one request. */
function inParts(changes: readonly Change[], { body }: Draft): readonly (readonly Change[])[] {
  const isForm = body?.of.content.kind === 'form'
  const parts: Change[][] = []
  let size = Infinity
  for (const change of changes) {
    const text = String(change.value).toWellFormed()
    const bytes = Buffer.byteLength(isForm ? encodeURIComponent(text) : text)
    if (size + bytes > maxBytes) [size] = [0, parts.push([])]
    size += bytes
    parts.at(-1)?.push(change)
  }
  return parts
}

/** Returns the draft with the next integer of each short range: those by chance would leave some of them out. */
export function inTurn(draft: Draft, turn: number, judge: Judge): Draft {
  const parts: Part[] = [...draft.subject.parameters.keys(), 'body']
  const places = parts.flatMap((part) => placesIn(draft, part))
  return places.reduce((changed, place) => {
    const integers = fewIntegers(place)
    if (integers.length === 0) return changed
    return validOr(withValue(changed, place, integers[turn % integers.length]), changed, judge)
  }, draft)
}

const likely: readonly unknown[] = [
  999_999_937,
  'nobody-created-this',
  '00000000-0000-4000-8000-00000000dead'
]

const named = accepted('with a bound or a listed value in its path')
export const unknown = answered('declared', 'for a resource that nobody created')

/**
 * Returns valid requests with another value in one parameter of the path each. A server may not know the resource, but it
 * must take a value that the contract names as valid.
 */
export function unknownDrafts(base: Draft, judge: Judge): readonly Attempt[] {
  return base.subject.parameters.flatMap(({ spec }, index) => {
    if (spec.in !== 'path') return []
    const drafts = placesIn(base, index).flatMap((place) => {
      const listed = namedValues(place)
      const others = [...likely, ...leafGroups.flatMap(({ valuesAt }) => valuesAt(place))]
      return [...listed, ...others.filter((value) => !listed.includes(value))].map((value, at) => ({
        draft: withPathInBody(withValue(base, place, value)),
        expectation: at < listed.length ? named : unknown
      }))
    })
    return drafts.filter(({ draft }) => judge.isValid(draft))
  })
}

/**
 * Returns valid requests in another form: each `Accept`, a charset, integers with a fraction of zero, and a body where none
 * is declared. A server may refuse some of them, but must answer.
 */
export function variantsOf(base: Draft, model: Model): readonly Attempt[] {
  const spelled = model.hasWholeFractions ? integerVariant(base) : []
  return [...acceptVariants(base), ...charsetVariant(base), ...spelled, ...bodyVariant(base)]
}

function acceptVariants(base: Draft): Attempt[] {
  const successes = Object.entries(base.subject.operation.responses).filter(([status]) =>
    /^(?:2|default)/.test(status)
  )
  const types = successes.flatMap(([, { content }]) => content.map(({ mediaType }) => mediaType))
  const declared = [...new Set(types)].filter((type) => !type.includes('*'))
  if (types.length === 0) return []
  return [...declared, '*/*', undeclaredType].map((type) => {
    const what = `with Accept: ${type}`
    // Of several statuses, one may have no body of this type.
    const isValid = type !== undeclaredType && successes.length === 1
    const draft = { ...base, rewrite: withHeader('accept', type) }
    return { draft, expectation: isValid ? accepted(what) : answered('answered', what) }
  })
}

const undeclaredType = 'application/x-undeclared'

const withHeader =
  (name: string, value: string): Rewrite =>
  ({ headers, ...raw }) => ({ ...raw, headers: { ...headers, [name]: value } })

function charsetVariant(base: Draft): Attempt[] {
  const { mediaType = '', kind, items } = base.body?.of.content ?? {}
  if (items !== undefined || !['json', 'text', 'form'].includes(String(kind))) return []
  const rewrite = withHeader('content-type', `${concrete(mediaType)}; charset=utf-8`)
  return [{ draft: { ...base, rewrite }, expectation: accepted('with a charset in Content-Type') }]
}

/** A number with a fraction of zero is an integer (JSON Schema 2020-12, section 6.1.1 of Validation). */
function integerVariant(base: Draft): Attempt[] {
  const { kind, items } = base.body?.of.content ?? {}
  if (items !== undefined || kind !== 'json') return []
  const token = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
  const spelled = (text: string) =>
    text.replaceAll(token, (all) => (/^-?\d{1,15}$/.test(all) ? `${all}.0` : all))
  const rewrite: Rewrite = ({ body, ...raw }) => ({ ...raw, body: Buffer.from(spelled(String(body))) })
  return [{ draft: { ...base, rewrite }, expectation: accepted('with integers as 1.0') }]
}

/** Content of a GET has no defined meaning (RFC 9110, section 9.3.1): a server may refuse it, or ignore it. */
function bodyVariant(base: Draft): Attempt[] {
  const { method, requestBody } = base.subject.operation
  if (requestBody !== undefined || ['HEAD', 'TRACE'].includes(method)) return []
  const typed = withHeader('content-type', 'application/json')
  const rewrite: Rewrite = (raw) => ({ ...typed(raw), body: Buffer.from('{}') })
  const expectation = answered('answered', 'with a body that is not declared')
  return [{ draft: { ...base, rewrite }, expectation }]
}
