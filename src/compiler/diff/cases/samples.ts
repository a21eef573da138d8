/** Values that satisfy a schema: deterministic, few, and at its bounds. */
import { define, isObject, type Json, type JsonObject, own, stringOf } from '../../compile/documents.ts'
import { satisfies } from '../../evaluate/evaluate.ts'
import { itemSchemas } from '../../evaluate/members.ts'
import { type Case, casesOf } from './cases.ts'
import { isHidden, lengthsOf, namesOf, propertyOf, requiredOf } from './members.ts'
import { shortestTexts } from './pattern-inclusion.ts'
import type { Side } from './side.ts'

/** Most samples of a case. */
export const maxSamples = 24
/** Most samples inside of others, and most levels of objects and lists. */
const maxInner = 5
const maxDepth = 2

export function samplesOf(cases: readonly Case[], side: Side, depth = 0): Json[] {
  return cases.flatMap((each) => {
    const found = each.values ?? candidates(each, side, depth)
    return found
      .values()
      .filter((value) => satisfies(value, each.nodes, side) === true)
      .take(depth === 0 ? maxSamples : maxInner)
      .toArray()
  })
}

function candidates(each: Case, side: Side, depth: number): readonly Json[] {
  if (each.type === 'number') return numbers(each)
  if (each.type === 'string') return textsOf(each.nodes, side)
  return each.type === 'array'
    ? lists(each, side, depth)
    : branchesOf(each, side).flatMap((branch) => objects(branch, side, depth))
}

/** Returns the case, and for each of its conditions the cases in which it holds or does not hold. */
function branchesOf(each: Case, side: Side): Case[] {
  const conditional = each.nodes.flatMap((node) => {
    const [condition, then, otherwise] = ['if', 'then', 'else'].map((key) => own(node, key))
    return condition === undefined ? [] : [[condition, then ?? true], [otherwise ?? true]]
  })
  const more = conditional.map((schemas) => schemas.filter(isObject).map((schema) => side.read(schema)))
  return [each, ...more.map((nodes) => ({ ...each, nodes: [...each.nodes, ...nodes] }))]
}

function numbers({ nodes, isInteger }: Case): Json[] {
  const written = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'].flatMap(
    (key) => nodes.flatMap((node) => Number(own(node, key) ?? 0))
  )
  const near = written.flatMap((value) => [value, value + 1, value - 1, ...(isInteger ? [] : [value + 0.5])])
  const found = [...near, 1, 2, -1, 7, 1e6, 2 ** 31, 2 ** 53].filter(
    (value) => !isInteger || Number.isInteger(value)
  )
  return [...new Set(found)]
}

function lists(each: Case, side: Side, depth: number): Json[] {
  const { least, most } = lengthsOf(each)
  const lengths = new Set(
    [least, Math.min(most, least + 1), 1, 2].filter(
      (length) => length >= least && length <= most && length <= 50
    )
  )
  const wanted = each.nodes.flatMap((node) => own(node, 'contains') ?? [])
  const choices = (index: number) => {
    const schemas = itemSchemas(each.nodes, index)
    const parts = [...wanted.map((schema) => [...schemas, schema]), schemas]
    return depth > maxDepth ? [] : parts.flatMap((part) => inner(part, side, depth))
  }
  return [...lengths].flatMap((length) => {
    const items = Array.from({ length }, (_none, index) => choices(index))
    return variants(
      items.map((values, index) => values[index % Math.max(1, values.length)]),
      items
    )
  })
}

const inner = (schemas: readonly Json[], side: Side, depth: number): Json[] =>
  samplesOf(casesOf(schemas, side), side, depth + 1)

/** Returns the base, and for each place the base with every other choice in that place. */
function variants(base: readonly (Json | undefined)[], choices: readonly (readonly Json[])[]): Json[][] {
  const complete = base.filter((value) => value !== undefined)
  if (complete.length < base.length) return []
  const others = choices.flatMap((values, index) =>
    values.slice(0, 6).map((value) => complete.with(index, value))
  )
  return [complete, ...others]
}

/** Makes objects with required properties only, with all, with each optional one, and with every sample of each. */
function objects({ nodes }: Case, side: Side, depth: number): JsonObject[] {
  const required = requiredOf(nodes)
  const names = [...new Set([...required, ...namesOf(nodes)])].filter((name) => !isHidden(side, nodes, name))
  const values = new Map(
    names.map((name) => [name, depth > maxDepth ? [] : inner(propertyOf(nodes, name).schemas, side, depth)])
  )
  const object = (chosen: readonly string[], changed: readonly [string, Json][] = []) => {
    side.budget.spend(chosen.length)
    return assembled([...chosen.flatMap((name) => first(values, name)), ...changed])
  }
  const least = names.filter((name) => required.has(name))
  return [
    object(least),
    object(names),
    ...names.flatMap((name) =>
      (values.get(name) ?? []).slice(0, 6).map((value) => object(least, [[name, value]]))
    )
  ]
}

function first(values: ReadonlyMap<string, readonly Json[]>, name: string): [string, Json][] {
  const [value] = values.get(name) ?? []
  return value === undefined ? [] : [[name, value]]
}

function assembled(members: readonly (readonly [string, Json])[]): JsonObject {
  const object: JsonObject = {}
  for (const [name, value] of members) define(object, name, value)
  return object
}

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

const maxLength = 2_000
