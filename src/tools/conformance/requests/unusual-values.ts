/** Values that may be valid at a place, and that servers often do not expect, by group; the contract's validator decides. */
import type { Schema, Type } from '@contract-first/contract'
import { isObject, type JsonObject } from '@contract-first/contract'
import { identity } from '../../samples/fit.ts'
import { isUnique, itemSchemas, valuesOf } from '../../samples/members.ts'
import { withValueAt } from '../../samples/paths.ts'
import { isNumber } from './changed-value.ts'
import type { DraftPlace, Place } from './draft-part.ts'
import { another, ofLength } from './wrong-values.ts'

interface Group {
  /** Completes `a valid request …`. */
  readonly what: string
  readonly valuesAt: (place: Place) => readonly unknown[]
}

/** Groups of values that do not change the places of others: one request can have one at every place. */
export const leafGroups: readonly Group[] = [
  { what: 'with another listed value', valuesAt: listed },
  {
    what: 'with numbers at their bounds',
    valuesAt: ({ value, schemas }) => (isNumber(value) ? numbers(schemas) : [])
  },
  {
    what: 'with long texts',
    valuesAt: ({ value, schemas }) => (typeof value === 'string' ? lengths(schemas) : [])
  },
  {
    what: 'with unusual Unicode',
    valuesAt: ({ value, schemas }) => (typeof value === 'string' ? texts(schemas) : [])
  },
  {
    what: 'with another form of a format',
    valuesAt: ({ schemas }) => valuesOf(schemas, 'format').flatMap((format) => rareForms[format] ?? [])
  },
  { what: 'with null', valuesAt: ({ schemas }) => (mayBe('null', schemas) ? [null] : []) }
]

/** Groups of lists and objects. */
export const nodeGroups: readonly Group[] = [
  { what: 'with empty lists or objects', valuesAt: ({ value }) => emptyOf(value) },
  {
    what: 'with full lists',
    valuesAt: ({ value, schemas }) => (Array.isArray(value) ? fullLists(value, schemas) : [])
  },
  { what: 'with undeclared properties', valuesAt: ({ value }) => (isObject(value) ? objects(value) : []) }
]

const mayBe = (type: Type, schemas: readonly Schema[]): boolean =>
  schemas.some((schema) => schema.types?.has(type) === true)

/** Returns the values that the contract names as valid: listed ones, and bounds. */
export const namedValues = (place: Place): readonly unknown[] => [
  ...listed(place),
  ...(['minimum', 'maximum'] as const).flatMap((keyword) => valuesOf(place.schemas, keyword))
]

const maxListed = 100

function listed({ value, schemas }: Place): readonly unknown[] {
  const choices = [...valuesOf(schemas, 'enum').flat(), ...(typeof value === 'boolean' ? [true, false] : [])]
  return choices.filter((choice) => choice !== value).slice(0, maxListed)
}

/** Returns the integers of a range that has few. */
export function fewIntegers({ value, schemas }: Place): readonly number[] {
  if (typeof value !== 'number' || !mayBe('integer', schemas)) return []
  const least = Math.ceil(Math.max(...valuesOf(schemas, 'minimum').map(Number)))
  const count = Math.floor(Math.min(...valuesOf(schemas, 'maximum').map(Number))) - least + 1
  return count > 0 && count <= maxListed ? Array.from({ length: count }, (_, index) => least + index) : []
}

/** Valid texts that a validator or a parser of fewer forms does not take, or of the bounds of their type. */
const rareForms: Readonly<Record<string, readonly string[]>> = {
  date: ['2024-02-29', '9999-12-31', '0001-01-01'],
  time: ['23:59:59+05:30', '00:00:00.001Z'],
  'date-time': [
    '2024-02-29T23:59:59+05:30',
    '2026-01-01T00:00:00.123456789Z',
    '9999-12-31T23:59:59Z',
    '0001-01-01T00:00:00Z'
  ],
  duration: ['P1Y2M3DT4H5M6S', 'P1W', 'PT0S'],
  email: ["first.o'last+tag@mail.example.co.uk"],
  hostname: ['localhost', 'xn--bcher-kva.example', `${'a'.repeat(63)}.example`],
  ipv4: ['0.0.0.0', '255.255.255.255'],
  ipv6: ['::', '::ffff:192.0.2.1', '2001:DB8:0:0:0:0:0:FFFF'],
  uri: ['https://user@example.com:8080/a%20b;c?d=e&f#g', 'urn:isbn:0451450523', 'http://[::1]/'],
  'uri-reference': ['', '#a', '../a?b'],
  uuid: ['00000000-0000-0000-0000-000000000000', 'C0FFEE00-0000-7000-8000-00000000DEAD'],
  byte: ['', 'AA==', '+/+/'],
  'json-pointer': ['', '/', '/~0~1']
}

/** Longest text: it keeps a body below 100 kB, a common default limit of servers. */
const maxLength = 20_000
const int32 = 2_147_483_647
const int64 = 2n ** 63n
const double = 2n ** 53n

type Limit = 'minLength' | 'maxLength' | 'minItems' | 'maxItems' | 'multipleOf'

const limits = (schemas: readonly Schema[], keyword: Limit): number[] =>
  valuesOf(schemas, keyword).map(Number)

function lengths(schemas: readonly Schema[]): string[] {
  const bounds = [...limits(schemas, 'maxLength'), ...limits(schemas, 'minLength')]
  const all = [...new Set([...bounds, maxLength, 2_000, 200, 61])].filter((length) => length <= maxLength)
  return all.map((length) => ofLength('', length))
}

const unusualTexts: readonly string[] = [
  '😀👩\u200d👩\u200d👧 é e\u0301 \u202e',
  'a\u0000b',
  '',
  'a\ud800b',
  '\r\n\t"\\/<b>&amp;%00\'--',
  '100%',
  '\u2028\ufeff\uffff',
  'null',
  'constructor',
  '__proto__',
  ' ',
  '0'
]

function texts(schemas: readonly Schema[]): string[] {
  const longest = Math.min(5000, ...limits(schemas, 'maxLength'))
  return [...unusualTexts, '😀'.repeat(longest), '😀'.repeat(Math.max(0, ...limits(schemas, 'minLength')))]
}

function numbers(schemas: readonly Schema[]): unknown[] {
  const keywords = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'] as const
  const bounds = keywords.flatMap((keyword) =>
    valuesOf(schemas, keyword).flatMap((bound): (number | bigint)[] => {
      if (typeof bound === 'bigint') return [bound, bound - 1n, bound + 1n]
      return typeof bound === 'number' ? [bound, bound - 1, bound + 1] : []
    })
  )
  const formats = valuesOf(schemas, 'format')
  const wide = formats.includes('int64')
    ? [int64 - 1n, -int64, double, double + 1n, double - 1n, -double - 1n]
    : []
  const narrow = formats.includes('int32') ? [int32, -int32 - 1] : []
  // Common validators divide by `multipleOf`, which is not exact for the largest doubles.
  const largest = limits(schemas, 'multipleOf').length > 0 ? [] : [1e21]
  const fractions = mayBe('integer', schemas) ? [] : [0.1, 1e-7, 4.35, ...largest]
  return [0, -1, 1, ...bounds, ...wide, ...narrow, ...fractions, Number.MAX_SAFE_INTEGER]
}

function emptyOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return [[]]
  return isObject(value) ? [{}] : []
}

/** Returns lists of each bound, of further items where all must differ. */
function fullLists(list: readonly unknown[], schemas: readonly Schema[]): unknown[] {
  const bounds = [...limits(schemas, 'maxItems'), ...limits(schemas, 'minItems'), 200]
  const all = [...new Set(bounds)].filter((length) => length <= 1000)
  const areUnique = isUnique(schemas)
  if (list.length === 0) return []
  return all.map((length) =>
    areUnique
      ? different(list, length, schemas)
      : Array.from({ length }, (_, index) => list[index % list.length])
  )
}

/** Returns the items, and further ones until there are enough; fewer where no others are found. */
function different(list: readonly unknown[], length: number, schemas: readonly Schema[]): unknown[] {
  const listed = valuesOf(itemSchemas(schemas, 0), 'enum').flat()
  const others = Array.from({ length: 2 * length + 26 }, (_, index) =>
    another(list[index % list.length], index)
  )
  const unique = new Map(
    [...list, ...(listed.length > 0 ? listed : others)].map((item) => [identity(item), item])
  )
  return [...unique.values()].slice(0, length)
}

/** Adds undeclared properties where the contract allows them, or allows them with values of one schema. */
const objects = (value: JsonObject): unknown[] => [
  { ...value, '😀 é': 'x', '': null, constructor: 1, toString: [] },
  { ...value, undeclared: 'x'.repeat(5000) },
  ...Object.values(value)
    .slice(-1)
    .map((member) => ({ ...value, '😀 é': member, '': member, constructor: member, toString: member }))
]

const maxLevels = 64

/** Nests what a schema leaves open, and what refers to itself, as deeply as common parsers take. */
export function nestedValues(place: DraftPlace, all: readonly DraftPlace[]): readonly unknown[] {
  const levels = maxLevels - place.path.length
  const inner = all.filter((other) => isBelow(other, place) && isSameSchema(other, place))
  const recursive = inner.slice(0, 1).map((other) => {
    const path = other.path.slice(place.path.length)
    return repeated(place.value, path, Math.floor(levels / path.length) - 1)
  })
  if (!isObject(place.value)) return [...recursive, nested(levels)]
  return [...recursive, { ...place.value, undeclared: nested(levels - 1) }, nested(levels)]
}

/** Returns true below the third value of one schema, each of which is inside of the one before: of a list of replies to replies. */
export function isRepetition(place: DraftPlace, all: readonly DraftPlace[]): boolean {
  if (place.path.length < 3) return false
  const above = all.filter((other) => isBelow(place, other))
  return above.some((inner) => above.filter((other) => isSameSchema(inner, other)).length > 2)
}

const isBelow = (other: DraftPlace, { part, path }: DraftPlace): boolean =>
  other.part === part && other.path.length > path.length && path.every((key, at) => other.path[at] === key)

const isSameSchema = (one: Place, other: Place): boolean =>
  one.schemas.length > 0 && one.schemas.every((schema) => other.schemas.includes(schema))

/** Puts the value into itself at the path, so many times. */
function repeated(value: unknown, path: Place['path'], times: number): unknown {
  let whole = value
  for (let time = 0; time < times; time++) whole = withValueAt(value, path, whole)
  return whole
}

/** Adds values to a closed body which not every parser takes: it is refused anyway, and must not fail. */
export const unreadableValues = (body: unknown): readonly unknown[] =>
  [nested(maxLevels - 1), 'a\ud800b'].map((value) =>
    isObject(body) ? { ...body, notDeclared: value } : [value]
  )

/** Returns lists and objects in turn, the outermost of which is an object. */
function nested(levels: number): unknown {
  let value: unknown = levels % 2 === 0 ? [1] : { inner: 1 }
  for (let level = 1; level < levels; level++) value = (levels - level) % 2 === 0 ? [value] : { inner: value }
  return value
}
