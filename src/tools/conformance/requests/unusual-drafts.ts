/** Makes requests that are unusual, of values that may be valid at their places; the contract's own validator decides. */
import type { Contract as Model } from '@contract-first/contract'
import type { Draft, IdKind } from '../../samples/requests/draft.ts'
import type { Judge } from '../../samples/requests/verdict.ts'
import type { Schemas } from '../../samples/schemas.ts'
import type { Tools } from './breaks.ts'
import { type DraftPlace, type Part, placesIn, withValue } from './draft-part.ts'
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

interface Unusual {
  readonly draft: Draft
  /** Completes `a valid request …`. */
  readonly what: string
  /** Requests with one of the values of `draft` each: for a server that refuses all of them together. */
  readonly single: readonly Draft[]
}

type Change = (draft: Draft) => Draft

const idKinds: readonly IdKind[] = ['beyond', 'highest', 'lowest']

/**
 * Returns requests with the first unusual value of a group in every text and number at once, then with the second and so
 * on; then those with unusual lists, objects and ids one by one. A smaller request then shows each finding.
 * @param seen names of places that have had unusual values already
 */
export function unusualDrafts(
  base: Draft,
  { schemas, judge }: Tools,
  seen: ReadonlySet<string>
): readonly Unusual[] {
  const id = idProperty(base.subject, base.body?.value)
  const places = unusualPlaces(base, schemas).filter((place) => !seen.has(placeName(base, place)))
  const combined = leafGroups.flatMap(({ what, valuesAt }) =>
    turnsOf(places.map((place) => changesTo(place, valuesAt(place)))).map((changes) =>
      combinedDraft(base, changes, what, judge)
    )
  )
  const one = (what: string, changes: readonly Change[]) =>
    changes.map((change) => ({ draft: change(base), what, single: [] }))
  const nodes = nodeGroups.flatMap(({ what, valuesAt }) =>
    one(
      what,
      places.flatMap((place) => changesTo(place, valuesAt(place)))
    )
  )
  const deep = one(
    'with 64 levels of nesting',
    places.flatMap((place) => changesTo(place, nestedValues(place, places)))
  )
  const ids = id === undefined || seen.size > 0 ? [] : idKinds.map((kind) => ({ ...base, id: kind }))
  const idDrafts = ids.map((draft) => ({ draft, what: 'with an id at the bounds of its type', single: [] }))
  return [...idDrafts, ...combined, ...nodes, ...deep].filter(
    ({ draft }) => draft !== base && judge.isValid(draft)
  )
}

function unusualPlaces(base: Draft, schemas: Schemas): readonly DraftPlace[] {
  const id = idProperty(base.subject, base.body?.value)
  const inBody = placesIn(base, 'body', schemas)
  return [
    ...inBody.filter(
      (place) => (place.path.length !== 1 || place.path[0] !== id) && !isRepetition(place, inBody)
    ),
    // A path refers to an existing resource: see unknownDrafts.
    ...base.subject.parameters.flatMap(({ spec }, index) =>
      spec.in === 'path' ? [] : placesIn(base, index, schemas)
    )
  ]
}

/** Returns the names of the places that have unusual values in `unusualDrafts`. */
export const unusualNames = (base: Draft, schemas: Schemas): readonly string[] =>
  unusualPlaces(base, schemas).map((place) => placeName(base, place))

const placeName = ({ body }: Draft, { part, names }: DraftPlace): string =>
  [part === 'body' ? body?.of.content.mediaType : part, ...names].join('/')

function combinedDraft(base: Draft, changes: readonly Change[], what: string, judge: Judge): Unusual {
  const single = changes.map((change) => change(base)).filter((draft) => judge.isValid(draft))
  const draft = changes.reduce((changed, change) => validOr(change(changed), changed, judge), base)
  return { draft, what, single: single.length > 1 ? single : [] }
}

const validOr = (changed: Draft, draft: Draft, judge: Judge): Draft =>
  judge.isValid(changed) ? changed : draft

/** Returns the first of each list, then the second of each, and so on. */
function turnsOf<T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list[turn] ?? []))
}

/** Returns the draft with the next integer of each short range: those by chance would leave some of them out. */
export function inTurn(draft: Draft, turn: number, { schemas, judge }: Tools): Draft {
  const parts: Part[] = [...draft.subject.parameters.keys(), 'body']
  const places = parts.flatMap((part) => placesIn(draft, part, schemas))
  return places.reduce((changed, place) => {
    const integers = fewIntegers(place)
    if (integers.length === 0) return changed
    return validOr(withValue(changed, place, integers[turn % integers.length]), changed, judge)
  }, draft)
}

const changesTo = (place: DraftPlace, values: readonly unknown[]): readonly Change[] =>
  values.map((value) => (draft) => withValue(draft, place, value))

const likely: readonly unknown[] = [
  999_999_937,
  'nobody-created-this',
  '00000000-0000-4000-8000-00000000dead'
]

interface Unknown {
  readonly draft: Draft
  /** True for a value that the contract names as valid: a server may not know the resource, but must take the value. */
  readonly isNamed: boolean
}

/** Returns valid requests with another value in one parameter of the path each. */
export function unknownDrafts(base: Draft, { schemas, judge }: Tools): readonly Unknown[] {
  return base.subject.parameters.flatMap(({ spec }, index) => {
    if (spec.in !== 'path') return []
    const drafts = placesIn(base, index, schemas).flatMap((place) => {
      const named = namedValues(place)
      const others = [...likely, ...leafGroups.flatMap(({ valuesAt }) => valuesAt(place))]
      return [...named, ...others.filter((value) => !named.includes(value))].map((value, at) => ({
        draft: withPathInBody(withValue(base, place, value)),
        isNamed: at < named.length
      }))
    })
    return drafts.filter(({ draft }) => judge.isValid(draft))
  })
}

interface Variant {
  readonly draft: Draft
  /** Completes `a request …`. */
  readonly what: string
  /** True for a request that a server has to accept; otherwise it may refuse it, but must answer. */
  readonly isValid: boolean
}

/**
 * Returns valid requests in another form: each `Accept`, a charset, integers with a fraction of zero, and a body where none
 * is declared.
 */
export function variantsOf(base: Draft, model: Model): readonly Variant[] {
  const spelled = model.hasWholeFractions ? integerVariant(base) : []
  return [...acceptVariants(base), ...charsetVariant(base), ...spelled, ...bodyVariant(base)]
}

function acceptVariants(base: Draft): Variant[] {
  const successes = Object.entries(base.subject.operation.responses).filter(([status]) =>
    /^(?:2|default)/.test(status)
  )
  const types = successes.flatMap(([, { content }]) => content.map(({ mediaType }) => mediaType))
  const concrete = [...new Set(types)].filter((type) => !type.includes('*'))
  if (types.length === 0) return []
  return [...concrete, '*/*', 'application/x-undeclared'].map((type) => ({
    draft: { ...base, more: { headers: { accept: type } } },
    what: `with Accept: ${type}`,
    // Of several statuses, one may have no body of this type.
    isValid: type !== 'application/x-undeclared' && successes.length === 1
  }))
}

function charsetVariant(base: Draft): Variant[] {
  const { kind, items } = base.body?.of.content ?? {}
  if (items !== undefined || !['json', 'text', 'form'].includes(String(kind))) return []
  const rewrite: Draft['rewrite'] = ({ contentType, bytes }) => ({
    contentType: `${contentType}; charset=utf-8`,
    bytes
  })
  return [{ draft: { ...base, rewrite }, what: 'with a charset in Content-Type', isValid: true }]
}

/** A number with a fraction of zero is an integer (JSON Schema 2020-12, section 6.1.1 of Validation). */
function integerVariant({ body, ...base }: Draft): Variant[] {
  const { kind, items } = body?.of.content ?? {}
  if (items !== undefined || kind !== 'json') return []
  const token = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
  const spelled = (text: string) =>
    text.replaceAll(token, (all) => (/^-?\d{1,15}$/.test(all) ? `${all}.0` : all))
  const rewrite: Draft['rewrite'] = (sent) => ({ ...sent, bytes: Buffer.from(spelled(String(sent.bytes))) })
  return [{ draft: { ...base, body, rewrite }, what: 'with integers as 1.0', isValid: true }]
}

/** Content of a GET has no defined meaning (RFC 9110, section 9.3.1): a server may refuse it, or ignore it. */
function bodyVariant(base: Draft): Variant[] {
  const { method, requestBody } = base.subject.operation
  if (requestBody !== undefined || ['HEAD', 'TRACE'].includes(method)) return []
  const rewrite = () => ({ contentType: 'application/json', bytes: Buffer.from('{}') })
  return [{ draft: { ...base, rewrite }, what: 'with a body that is not declared', isValid: false }]
}
