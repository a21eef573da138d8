/** Makes values that are likely to be invalid at a place; the contract's own validator decides. */
import type { Schema } from '@contract-first/contract'
import { isObject, type JsonObject } from '@contract-first/contract'
import { requiredOf, valuesOf } from '../../samples/members.ts'
import { isNumber } from './changed-value.ts'
import type { Place } from './draft-part.ts'

const ofOtherTypes: readonly unknown[] = [null, '', 'nonsense', 7, 1.5, true, [], {}, [[]], -1]
const maxMade = 20_000

export interface WrongValue {
  readonly value: unknown
  /** Class of the error: `type`, `null`, `empty`, a keyword, `without name`. */
  readonly kind: string
  /** True for a further value of a class: it is not needed in every place. */
  readonly isExtra: boolean
}

/** @param isText true where numbers and booleans are sent as texts */
export function wrongValues(
  { value, schemas }: Pick<Place, 'value' | 'schemas'>,
  isText = false
): readonly WrongValue[] {
  const keywords = schemas.flatMap((schema) => Object.entries(schema))
  const special = keywords.flatMap(([keyword, rule]) =>
    (byKeyword.get(keyword)?.(rule, value, schemas) ?? []).map((wrong) => ({
      value: wrong,
      kind: keyword,
      isExtra: true
    }))
  )
  const others = ofOtherTypes.map((wrong) => {
    const kind = kindOf(wrong)
    return { value: wrong, kind, isExtra: !usual.includes(kind) && usualFor[kind] !== kindOf(value) }
  })
  const near = nearMisses(value, schemas, isText)
  return [...special, ...near, ...others, ...withoutProperties(value, schemas)]
}

const kindOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (value === '') return 'empty'
  return Array.isArray(value) ? 'array' : typeof value
}

const usual: readonly string[] = ['null', 'empty']
/**
 * A list where an object is expected, and the reverse: `typeof` of JavaScript does not distinguish them. A number where a
 * text is expected: parsers coerce it.
 */
const usualFor: Readonly<Record<string, string>> = { array: 'object', object: 'array', number: 'string' }

/**
 * Returns values that are almost valid: a server that coerces types, or checks only the shape of a text, accepts them.
 * Each is a class of its own, because servers miss one and find another.
 */
function nearMisses(value: unknown, schemas: readonly Schema[], isText: boolean): WrongValue[] {
  const has = (key: keyof Schema) => schemas.some((schema) => schema[key] !== undefined)
  const isListed = typeof value === 'string' && (has('enum') || has('const'))
  const near = {
    ...coercible(value, isText),
    ...Object.assign({}, ...schemas.map((schema) => nearFormat(String(schema.format)))),
    ...(has('pattern') && nearPattern(texts(value))),
    ...(isListed && nearListed(value))
  }
  return Object.entries(near).map(([kind, wrong]) => ({
    value: wrong,
    kind: `almost: ${kind}`,
    isExtra: false
  }))
}

type Make = (rule: unknown, value: unknown, schemas: readonly Schema[]) => readonly unknown[]

/** Moves a bound by a multiple, so that the number breaks nothing else. */
function moved(rule: unknown, by: 1 | -1, schemas: readonly Schema[]): readonly unknown[] {
  const [step = 1] = valuesOf(schemas, 'multipleOf')
  if (!isNumber(rule)) return []
  return [typeof rule === 'bigint' ? rule + BigInt(by) * BigInt(Number(step)) : rule + by * Number(step)]
}
const bounded = (rule: unknown): number => Math.min(Number(rule), maxMade)
const texts = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Returns a text of the given length with the beginning of the given text, whose last character a pattern may repeat. */
export function ofLength(text: string, length: number): string {
  const characters = [...text].slice(0, length)
  return characters.join('') + (characters.at(-1) ?? 'a').repeat(Math.max(0, length - characters.length))
}

function repeated(value: unknown, count: number): readonly unknown[] {
  if (!Array.isArray(value) || count > maxMade) return []
  return [Array.from({ length: count }, (_, index) => value[index] ?? another(value[0], index) ?? index)]
}

const makers: Readonly<Partial<Record<keyof Schema, Make>>> = {
  minimum: (rule, _value, schemas) => moved(rule, -1, schemas),
  maximum: (rule, _value, schemas) => moved(rule, 1, schemas),
  exclusiveMinimum: (rule) => (isNumber(rule) ? [rule] : []),
  exclusiveMaximum: (rule) => (isNumber(rule) ? [rule] : []),
  multipleOf: (rule, value) => (isNumber(value) && isNumber(rule) ? [Number(value) + Number(rule) / 2] : []),
  minLength: (rule, value) => (Number(rule) > 0 ? [ofLength(texts(value), bounded(rule) - 1)] : []),
  maxLength: (rule, value) => (Number(rule) < maxMade ? [ofLength(texts(value), Number(rule) + 1)] : []),
  pattern: (_rule, value) => [`${texts(value)}!`, `!${texts(value)}`, '', ' ', '0', 'A', 'ü', '!'],
  format: (rule) => [...(byFormat[String(rule)] ?? []), '!', '(', '-nonsense-'],
  enum: () => ['no such value', 999_999_937],
  const: () => ['no such value', 999_999_937],
  minItems: (rule, value) => (Array.isArray(value) ? [value.slice(0, Math.max(0, Number(rule) - 1))] : []),
  maxItems: (rule, value) => repeated(value, Number(rule) + 1),
  uniqueItems: (_rule, value) => (Array.isArray(value) && value.length > 0 ? [[...value, value[0]]] : []),
  contains: () => [[], ['nonsense']],
  minProperties: () => [{}],
  maxProperties: (rule, value) => (isObject(value) ? [crowded(value, Number(rule) + 1)] : []),
  names: (_rule, value) =>
    isObject(value)
      ? [
          { ...value, '!': 1 },
          { ...value, [ofLength('', 300)]: 1 }
        ]
      : [],
  additional: (_rule, value) => undeclared(value),
  unevaluatedProperties: (_rule, value) => undeclared(value),
  patterns: (_rule, value) => undeclared(value),
  unevaluatedItems: (_rule, value) => (Array.isArray(value) ? [[...value, 'nonsense']] : []),
  items: (_rule, value) =>
    Array.isArray(value)
      ? [
          [...value, null],
          [...value, 'nonsense']
        ]
      : []
}

const byKeyword = new Map<string, Make>(Object.entries(makers))

const byFormat: Readonly<Record<string, readonly unknown[]>> = {
  int32: [2_147_483_648, -2_147_483_649],
  int64: [9_223_372_036_854_775_808n, -9_223_372_036_854_775_809n]
}

const undeclared = (value: unknown): readonly unknown[] =>
  isObject(value) ? [{ ...value, notDeclared: 'x' }] : []

/** Adds members like the last one, so that a map of numbers breaks nothing else. */
function crowded(value: JsonObject, count: number): unknown {
  const [name, member] = Object.entries(value).at(-1) ?? ['more0', 'x']
  const more = Array.from({ length: Math.min(count, 1000) }, (_, index) => [another(name, index), member])
  return { ...value, ...Object.fromEntries(more) }
}

/** Leaves out each required property. */
function withoutProperties(value: unknown, schemas: readonly Schema[]): WrongValue[] {
  if (!isObject(value)) return []
  const dependent = schemas.flatMap(({ dependentRequired }) =>
    [...(dependentRequired?.values() ?? [])].flat()
  )
  const names = [...requiredOf(schemas).union(new Set(dependent))].filter((name) =>
    Object.hasOwn(value, name)
  )
  return names.map((name) => ({
    value: Object.fromEntries(Object.entries(value).filter(([key]) => key !== name)),
    kind: `without ${name}`,
    isExtra: true
  }))
}

const dates = ['2026-02-30', '2026-13-01', '2026-00-10', '26-01-01', '2026-1-1', '2026/01/01']
const times = ['25:00:00Z', '12:60:00Z', '12:00:00', '12:00Z', '120000Z']

const nearFormats: Readonly<Record<string, readonly string[]>> = {
  date: [...dates, '2026-01-01T00:00:00Z'],
  time: times,
  'date-time': [
    ...dates.map((date) => `${date}T12:00:00Z`),
    ...times.map((time) => `2026-01-01T${time}`),
    '2026-01-01',
    '1767225600'
  ],
  duration: ['P', 'P1', 'PT', '1D', 'P1S', 'P1Y1W'],
  email: ['a', 'a@', '@example.com', 'a b@example.com'],
  'idn-email': ['a', 'a@', '@example.com'],
  hostname: ['-a.example', 'a..example', 'a_b.example', `${'a'.repeat(64)}.example`],
  ipv4: ['1.2.3', '256.1.1.1', '1.2.3.4.5', '01.2.3.4'],
  ipv6: ['1::2::3', '12345::', '1:2:3', '::1%eth0'],
  uri: ['//example.com/a', 'a b', 'https://example.com/a b', '/only/a/path'],
  'uri-reference': ['a b', '%zz'],
  uuid: [
    '123e4567-e89b-12d3-a456-42661417400',
    'g23e4567-e89b-12d3-a456-426614174000',
    '123e4567e89b12d3a456426614174000',
    '{123e4567-e89b-12d3-a456-426614174000}'
  ],
  'json-pointer': ['a', '/~2', '/a~'],
  regex: ['(', '[a', '*'],
  byte: ['a', '!!!!', 'YQ===']
}

/** Values by what is wrong with them. */
type Near = Readonly<Record<string, unknown>>

/** Returns texts that miss a format by one part. */
const nearFormat = (format: string): Near =>
  Object.fromEntries((nearFormats[format] ?? []).map((text) => [text, text]))

/** Returns texts that an unanchored pattern takes for the valid one, and one with a line break (`$` of some languages). */
const nearPattern = (text: string): Near => ({
  'more after it': `${text}!`,
  'more before it': `!${text}`,
  'a line break after it': `${text}\n`,
  'a line break before it': `\n${text}`,
  'in capitals': text.toUpperCase()
})

/** Returns a listed text in another letter case, and with a space. */
const nearListed = (text: string): Near => ({
  'in another case': text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase(),
  'with a space': `${text} `
})

/**
 * Returns values that a server which coerces types takes for the given one.
 * @param isText true where numbers and booleans are sent as texts: in a URL, a header or a form
 */
function coercible(value: unknown, isText: boolean): Near {
  if (Array.isArray(value)) return value.length > 0 ? { 'an item alone': value[0] } : {}
  if (typeof value === 'boolean')
    return isText ? { capital: 'True', digit: '1', word: 'yes' } : { text: 'true', digit: 1 }
  if (typeof value !== 'number' && typeof value !== 'bigint') return {}
  if (isText) return { 'with a plus': `+${value}`, 'with a letter': `${value}x` }
  return { text: String(value), ...(typeof value === 'number' && { 'with a fraction': value + 0.5 }) }
}

const digits = '0123456789'
const alphabets = [digits, 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** Returns a value that differs from the item by the index; texts keep their form, because of a pattern or a format. */
export function another(item: unknown, index: number): unknown {
  if (typeof item === 'string') return counted(item, index)
  if (typeof item === 'number') return item + index
  if (typeof item === 'bigint') return item + BigInt(index)
  if (!isObject(item)) return item
  const entries = Object.entries(item).map(([name, member]) => [name, another(member, index)] as const)
  return Object.fromEntries(entries)
}

/** Counts up the digits of a text, or its letters where it has no digits: the last one changes first. */
function counted(text: string, by: number): string {
  const counting = /\d/.test(text) ? [digits] : alphabets
  const characters = [...text]
  let carried = by
  for (let at = characters.length - 1; at >= 0 && carried > 0; at--) {
    const alphabet = counting.find((all) => all.includes(String(characters[at])))
    if (alphabet === undefined) continue
    const next = alphabet.indexOf(String(characters[at])) + carried
    characters[at] = alphabet.charAt(next % alphabet.length)
    carried = Math.floor(next / alphabet.length)
  }
  return characters.join('')
}
