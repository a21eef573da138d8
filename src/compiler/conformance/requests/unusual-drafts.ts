/** Makes requests that are unusual, of values that may be valid at their places; the contract's own validator decides. */

import { isObject, type JsonObject } from '../../compile/document/json-value.ts'
import { typesOf } from '../../compile/document/schema-object.ts'
import { valuesOf } from '../../evaluate/members.ts'
import type { Draft, IdKind } from '../../instances/requests/draft.ts'
import type { Judge } from '../../instances/requests/verdict.ts'
import type { Schemas } from '../../instances/schemas.ts'
import { type DraftPlace, type Place, placesIn, withValue } from './draft-part.ts'
import { idProperty } from './fresh-ids.ts'
import { ofLength } from './wrong-values.ts'

type Change = (draft: Draft) => Draft

const idKinds: readonly IdKind[] = ['beyond', 'highest', 'lowest']

/**
 * Returns requests with unusual ids, then with the first unusual value in every text and number at once, then the
 * second and so on, then with unusual lists and objects one by one. A smaller request then shows each finding.
 */
export function unusualDrafts(base: Draft, schemas: Schemas, judge: Judge): readonly Draft[] {
  const id = idProperty(base.subject, base.body?.value)
  const isLeaf = ({ value }: Place) => typeof value !== 'object' || value === null
  const isKept = ({ path }: Place) => path.length === 1 && path[0] === id
  const places = [
    ...placesIn(base, 'body', schemas).filter((place) => !isKept(place)),
    // A path refers to an existing resource.
    ...base.subject.parameters.flatMap(({ spec }, index) =>
      spec.in === 'path' ? [] : placesIn(base, index, schemas)
    )
  ]
  const [leaves, others] = [places.filter(isLeaf), places.filter((place) => !isLeaf(place))]
  const ids = id === undefined ? [] : idKinds.map((kind) => ({ ...base, id: kind }))
  const combined = turnsOf(leaves.map(changesAt)).map((changes) =>
    changes.reduce((draft, change) => validOr(change(draft), draft, judge), base)
  )
  const single = turnsOf(others.map(changesAt))
    .flat()
    .map((change) => change(base))
  return [...ids, ...combined, ...single].filter((draft) => judge.isValid(draft))
}

const validOr = (changed: Draft, draft: Draft, judge: Judge): Draft =>
  judge.isValid(changed) ? changed : draft

/** Returns the first of each list, then the second of each, and so on. */
function turnsOf<T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list[turn] ?? []))
}

const changesAt = (place: DraftPlace): readonly Change[] =>
  unusualValues(place).map((value) => (draft) => withValue(draft, place, value))

/** Longest text: it keeps a body below 100 kB, a common default limit of servers. */
const maxLength = 20_000
const int32 = 2_147_483_647
const int64 = 2n ** 63n
const double = 2n ** 53n

const texts: readonly string[] = [
  '😀👩\u200d👩\u200d👧 é e\u0301 \u202e',
  'a\u0000b',
  '',
  'a\ud800b',
  '\r\n\t"\\/<b>&amp;%00\'--',
  '\u2028\ufeff\uffff',
  'null',
  ' ',
  '0'
]

function unusualValues({ value, schemas }: Place): readonly unknown[] {
  if (typeof value === 'string') return [...longTexts(schemas), ...texts]
  if (typeof value === 'number' || typeof value === 'bigint') return numbers(schemas)
  if (Array.isArray(value)) return [[], ...longLists(value, schemas)]
  if (isObject(value)) return objects(value)
  return schemas.some((schema) => typesOf(schema).includes('null')) ? [null] : []
}

const limits = (schemas: readonly JsonObject[], keyword: string): number[] =>
  valuesOf(schemas, keyword).map(Number)

function longTexts(schemas: readonly JsonObject[]): string[] {
  const bounds = [...limits(schemas, 'minLength'), ...limits(schemas, 'maxLength')]
  const lengths = [...new Set([...bounds, maxLength])].filter((length) => length <= maxLength)
  const longest = Math.min(5000, ...limits(schemas, 'maxLength'))
  return [...lengths.map((length) => ofLength('', length)), '😀'.repeat(longest)]
}

function numbers(schemas: readonly JsonObject[]): unknown[] {
  const keywords = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const
  const bounds = keywords.flatMap((keyword) =>
    valuesOf(schemas, keyword).flatMap((bound): (number | bigint)[] => {
      if (typeof bound === 'bigint') return [bound, bound - 1n, bound + 1n]
      return typeof bound === 'number' ? [bound, bound - 1, bound + 1] : []
    })
  )
  const formats = valuesOf(schemas, 'format')
  const isInteger = schemas.some((schema) => typesOf(schema).includes('integer'))
  const wide = formats.includes('int64')
    ? [double, double + 1n, double - 1n, -double - 1n, int64 - 1n, -int64]
    : []
  const narrow = formats.includes('int32') ? [int32, -int32 - 1] : []
  const fractions = isInteger ? [] : [0.1, 1e21, 1e-7, 4.35]
  return [0, -1, 1, ...bounds, ...wide, ...narrow, ...fractions, Number.MAX_SAFE_INTEGER]
}

function longLists(list: readonly unknown[], schemas: readonly JsonObject[]): unknown[] {
  const lengths = [...limits(schemas, 'minItems'), ...limits(schemas, 'maxItems'), 200].filter(
    (length) => length <= 1000
  )
  return list.length === 0
    ? []
    : [...new Set(lengths)].map((length) => Array.from({ length }, (_, index) => list[index % list.length]))
}

/** Adds undeclared properties where the contract allows them. */
function objects(value: JsonObject): unknown[] {
  return [
    { ...value, undeclared: nested(40) },
    { ...value, '😀 é': 'x', '': null, constructor: 1, toString: [] },
    { ...value, undeclared: 'x'.repeat(5000) }
  ]
}

/** Nests lists, within the limit of common parsers: some stop at 64 levels. */
function nested(depth: number): unknown {
  return Array.from({ length: depth }).reduce<unknown>(
    (inner, _, index) => (index % 2 === 0 ? [inner] : { inner }),
    1
  )
}
