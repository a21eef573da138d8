/** Texts that satisfy the keywords of strings. */
import { type JsonObject, own, stringOf } from '../../compile/documents.ts'
import { satisfies } from '../../evaluate/evaluate.ts'
import { shortestTexts } from '../patterns/inclusion.ts'
import type { Side } from './side.ts'

/** Formats that include each format (RFC 3986, 3987, 5321, 6531, 1123, 5890; ISO 8601). */
const parts: Readonly<Record<string, readonly string[]>> = {
  uri: ['uri-reference', 'iri', 'iri-reference', 'uri-template'],
  'uri-reference': ['iri-reference'],
  iri: ['iri-reference'],
  url: ['uri', 'uri-reference', 'iri', 'iri-reference'],
  email: ['idn-email'],
  hostname: ['idn-hostname'],
  'date-time': ['iso-date-time'],
  time: ['iso-time']
}

export function isPartOf(format: string, other: string): boolean {
  return format === other || (Object.hasOwn(parts, format) && parts[format]?.includes(other) === true)
}

const examples = {
  date: ['2020-02-29', '0001-01-01'],
  time: ['10:20:30Z', '10:20:30.5+01:00'],
  'date-time': ['2020-02-29T10:20:30Z', '2020-02-29T10:20:30.5+01:00'],
  'iso-time': ['10:20:30'],
  'iso-date-time': ['2020-02-29T10:20:30'],
  duration: ['P1D', 'PT1H2M'],
  uri: ['https://a.example/b?c#d', 'urn:a:b'],
  'uri-reference': ['/a/b', 'https://a.example/b', ''],
  'uri-template': ['/a/{b}'],
  url: ['https://a.example/b'],
  email: ['a@b.example'],
  hostname: ['a.example', 'a'],
  ipv4: ['192.0.2.1'],
  ipv6: ['2001:db8::1'],
  regex: ['^a$'],
  uuid: ['123e4567-e89b-12d3-a456-426614174000'],
  'json-pointer': ['/a', ''],
  'json-pointer-uri-fragment': ['#/a'],
  'relative-json-pointer': ['0']
} as const

function examplesOf(format: string): readonly string[] {
  return Object.hasOwn(examples, format) ? examples[format as keyof typeof examples] : []
}

/** Returns texts that certainly satisfy the keywords of every node. */
export function textsOf(nodes: readonly JsonObject[], side: Side): string[] {
  const texts = (keyword: string) => nodes.flatMap((node) => stringOf(own(node, keyword)) ?? [])
  const lengths = ['minLength', 'maxLength'].flatMap((keyword) =>
    nodes.map((node) => Number(own(node, keyword) ?? 0))
  )
  const candidates = [
    ...texts('format').flatMap(examplesOf),
    ...texts('pattern').flatMap(shortestTexts),
    ...lengths.filter((length) => length <= maxLength).map((length) => 'a'.repeat(length)),
    ...common
  ]
  const written = nodes.map((node) =>
    Object.fromEntries(Object.entries(node).filter(([keyword]) => keywords.has(keyword)))
  )
  return [...new Set(candidates)].filter((text) => satisfies(text, written, side) === true)
}

const keywords: ReadonlySet<string> = new Set(['minLength', 'maxLength', 'pattern', 'format'])

const common = ['a', '', 'a'.repeat(300), '1', 'A', 'a b', '-', 'é', 'x1', 'true', '2020-01-01', 'aB3$_:/']

/** Longest text to try. */
const maxLength = 2_000
