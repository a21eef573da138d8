/** A few values of a case, by which a difference is shown: what no keyword decides, one refused value proves. */
import {
  define,
  type Flag,
  hiddenFlags,
  type Json,
  type JsonObject,
  type Schema,
  type Writer
} from '@contract-first/contract'
import { fits, formatCheck } from '../../samples/fit.ts'
import { itemSchemas, limitsOf, prefixLength, requiredOf, valuesOf } from '../../samples/members.ts'
import { accepts, type Case, casesOf } from './cases.ts'
import type { CasePair } from './comparison.ts'
import { isHidden, namesOf, othersOf, propertyOf } from './members.ts'

/** Most listed values of a case that are tried. */
export const maxListed = 24
/** Levels of objects and lists below which none is made. */
const maxDepth = 2
/** Most values of one member, and most members that are varied. */
const maxMembers = 8

/** Samples of any value. */
const anyValues: readonly Json[] = [null, 'a', 1, true]

const known = { client: new WeakMap<Case, readonly Json[]>(), service: new WeakMap<Case, readonly Json[]>() }

/** Returns a few values of a case, which show the commonest limits. */
export function samplesOf(each: Case, writer: Writer): readonly Json[] {
  const samples = known[writer].get(each) ?? samplesTo(maxDepth, each, writer)
  known[writer].set(each, samples)
  return samples
}

function samplesTo(depth: number, each: Case, writer: Writer): readonly Json[] {
  const made = each.values?.slice(0, maxListed) ?? candidates(depth, each, writer)
  return made.filter((value) => accepts(value, [each], writer) === 'yes')
}

function candidates(depth: number, { type, schemas }: Case, writer: Writer): readonly Json[] {
  if (type === 'number') return numbersOf(schemas)
  if (type === 'string') return textsOf(schemas)
  if (depth === 0) return [type === 'array' ? [] : {}]
  const samplesIn = (inner: readonly Schema[]): readonly Json[] => {
    if (inner.length === 0) return anyValues
    const samples = casesOf(inner)
      .slice(0, maxMembers)
      .map((each) => samplesTo(depth - 1, each, writer))
    // Of each alternative one, before the others.
    const first = samples.flatMap((values) => values.slice(0, 1))
    return [...first, ...samples.flatMap((values) => values.slice(1))].slice(0, maxMembers)
  }
  return type === 'array' ? listsOf(schemas, samplesIn) : objectsOf(schemas, samplesIn, hiddenFlags[writer])
}

type SamplesIn = (schemas: readonly Schema[]) => readonly Json[]

function listsOf(schemas: readonly Schema[], samplesIn: SamplesIn): Json[] {
  const { least } = limitsOf(schemas, 'Items')
  const length = prefixLength(schemas)
  const tuple = Array.from({ length }, (_none, index) => samplesIn(itemSchemas(schemas, index))[0])
  const items = samplesIn(itemSchemas(schemas, length))
  const lists = [
    [],
    ...items.flatMap((item, index) => [[item], [item, items[index + 1] ?? item]]),
    items,
    Array.from({ length: Math.min(least, maxListed) }, (_none, index) => items[index % items.length])
  ]
  return lists.map((list) => [...tuple, ...list].filter((item) => item !== undefined))
}

/** Makes objects of the required properties, of all and an undeclared one, and of each value of a property. */
function objectsOf(schemas: readonly Schema[], samplesIn: SamplesIn, flag: Flag): Json[] {
  const required = requiredOf(schemas)
  const members = [...required.union(new Set(namesOf(schemas)))]
    .filter((name) => !isHidden(schemas, name, flag))
    .map((name) => [name, samplesIn(propertyOf(schemas, name).schemas)] as const)
  const all = new Map(
    members.flatMap(([name, [first]]) => (first === undefined ? [] : [[name, first] as const]))
  )
  const least = new Map([...all].filter(([name]) => required.has(name)))
  const [other] = samplesIn(othersOf(schemas).schemas)
  const objects = [
    least,
    all,
    ...(other === undefined ? [] : [new Map(all).set('an undeclared name', other)]),
    ...members
      .slice(0, maxMembers)
      .flatMap(([name, values]) => values.map((value) => new Map(least).set(name, value)))
  ]
  return objects.map((each) => {
    const object: JsonObject = {}
    for (const [name, value] of each) define(object, name, value)
    return object
  })
}

function numbersOf(schemas: readonly Schema[]): Json[] {
  const keywords = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'] as const
  const near = keywords
    .flatMap((keyword) => valuesOf(schemas, keyword))
    .flatMap((limit): Json[] =>
      typeof limit === 'bigint' ? [limit - 1n, limit, limit + 1n] : [limit - 1, limit, limit + 1]
    )
  return [0, 1, 7, -1, 123456, 0.5, ...near]
}

/** A text of each format. */
const examples: Readonly<Record<string, string>> = {
  date: '2020-02-29',
  time: '10:20:30Z',
  'date-time': '2020-02-29T10:20:30Z',
  'iso-time': '10:20:30',
  'iso-date-time': '2020-02-29T10:20:30',
  duration: 'P1D',
  uri: 'https://a.example/b?c#d',
  'uri-reference': '/a/b',
  'uri-template': '/a/{b}',
  url: 'https://a.example/b',
  email: 'a@b.example',
  hostname: 'a.example',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  regex: '^a$',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
  'json-pointer': '/a'
}

const common = [
  'a',
  'A',
  '0',
  ' ',
  '-',
  '_',
  '.',
  'é',
  'ab',
  'a b',
  'true',
  '',
  '1',
  '7',
  '-1',
  '123456',
  '0.5'
]

/** Longest text that is made. */
export const maxLength = 1_000

/** Returns texts of usual lengths, and of the least and of the greatest one. */
function textsOf(schemas: readonly Schema[]): string[] {
  const { least, most } = limitsOf(schemas, 'Length')
  const formats = formatsOf(schemas)
  if (formats.some((format) => formatCheck(format) === undefined)) return []
  const texts = [...formats.flatMap((format) => examples[format] ?? []), ...common]
  const lengths = [least, most].filter((length) => length <= maxLength)
  const long = texts.flatMap((text) => lengths.map((length) => text.padEnd(length, text)))
  return [...new Set([...texts, ...long])]
}

/** Formats of texts; bytes are encodings since 3.1 (OpenAPI 3.1.0, section 4.8.14.2), and any text is a password. */
export const formatsOf = (schemas: readonly Schema[]): string[] =>
  valuesOf(schemas, 'format').filter((format) => !['byte', 'binary', 'password'].includes(format))

/** Returns true when a sample of the sender, or one of further values, does not fit what the receiver demands. */
export function isRefuted(
  { sent, direction }: CasePair,
  demand: Schema,
  further?: () => readonly Json[] | undefined
): boolean {
  if (sent.isApproximate || !direction.mayTry()) return false
  const { writer } = direction
  const isRefused = (value: Json) => !fits(value, [demand], writer)
  return (
    samplesOf(sent, writer).some(isRefused) ||
    (further?.() ?? []).some((value) => isRefused(value) && accepts(value, [sent], writer) === 'yes')
  )
}
