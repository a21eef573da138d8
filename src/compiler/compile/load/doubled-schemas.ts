/**
 * Finds schemas that hold others so often that the linter, which follows each of them, takes hours: 28 levels of
 * `allOf: [next, next]` are 2^28 schemas, in one file or in several.
 */
import type { BaseResolver, Document, Source } from '@redocly/openapi-core'
import {
  arrayOf,
  isObject,
  type Json,
  type JsonObject,
  objectOf,
  own,
  stringOf
} from '../document/json-value.ts'
import { atPointer } from '../document/reference.ts'
import { type ContractNode, contractNodes } from '../document/walk.ts'

/** Most schemas that apply to one value, each counted as often as it is named. */
export const maxApplied = 50_000
/** Most schemas that apply to a part of an example on average, where they are more than `maxApplied`. */
const maxAverage = 100
/** Levels of schemas beyond which they count as too many. */
const maxLevels = 1_000

/** Rules of the linter that follow schemas without remembering them. */
export const rulesThatFollow = [
  'no-invalid-media-type-examples',
  'no-invalid-parameter-examples',
  'no-invalid-schema-examples',
  'no-required-schema-properties-undefined'
]

interface ReadFile {
  readonly source: Source
  readonly parsed: JsonObject
  readonly nodes: readonly ContractNode[]
  /** Nodes by `$anchor`. */
  readonly anchors: ReadonlyMap<Json | undefined, JsonObject>
  /** Files to which its references lead, by the part before the `#`; itself by the empty text. */
  readonly files: Map<string, ReadFile>
}

export interface DoubledSchema {
  readonly source: Source
  readonly pointer: string
}

/** @returns the place of the first schema that stands for too many, by itself or with an example */
export async function doubledSchema(
  root: Document,
  resolver: BaseResolver
): Promise<DoubledSchema | undefined> {
  const files = new Map<unknown, ReadFile>()
  await read(root, { resolver, files })
  const counts: Counts = new Map()
  for (const file of files.values())
    for (const each of file.nodes)
      if (isDoubled(each.node, { file, counts, level: 0 }))
        return { source: file.source, pointer: each.pointer }
  return undefined
}

function isDoubled(node: JsonObject, counting: Counting): boolean {
  if (applied(node, undefined, counting) > maxApplied) return true
  const schema = own(node, 'schema') ?? node
  return examplesOf(node, counting.file).some((example) => {
    const count = applied(schema, example, counting)
    return count > maxApplied && count > maxAverage * partsOf(example)
  })
}

/** Returns the examples that a schema, parameter or media type has; of named ones each member of the Example Object. */
function examplesOf(node: JsonObject, file: ReadFile): Json[] {
  const holders = Object.values(objectOf(own(node, 'examples')))
  const examples = holders.flatMap((holder) =>
    Object.values(objectOf(targetOf(objectOf(holder), file)?.value ?? holder))
  )
  return [own(node, 'example'), ...arrayOf(own(node, 'examples')), ...examples].filter(
    (each) => each !== undefined
  )
}

const partsOf = (value: Json): number =>
  value !== null && typeof value === 'object'
    ? Object.values(value).reduce((sum: number, each) => sum + partsOf(each), 1)
    : 1

interface Reading {
  readonly resolver: BaseResolver
  /** Files by their values. */
  readonly files: Map<unknown, ReadFile>
}

/** Reads a file and those to which its references lead; the linter reports what cannot be read. */
async function read({ source, parsed }: Document, reading: Reading): Promise<ReadFile | undefined> {
  const known = reading.files.get(parsed)
  if (known !== undefined || !isObject(parsed)) return known
  const nodes = [...contractNodes(parsed)]
  const anchors = new Map(nodes.map(({ node }) => [own(node, '$anchor'), node]))
  const file: ReadFile = { source, parsed, nodes, anchors, files: new Map() }
  reading.files.set(parsed, file)
  file.files.set('', file)
  for (const name of new Set(nodes.flatMap(({ node }) => referenceOf(node)?.slice(0, 1) ?? []))) {
    if (name === '') continue
    const opened = reading.resolver.resolveDocument(source.absoluteRef, name)
    const other = await opened.then(
      (document) => read(document as Document, reading),
      () => undefined
    )
    if (other !== undefined) file.files.set(name, other)
  }
  return file
}

function referenceOf(schema: JsonObject): [file: string, fragment: string] | undefined {
  const reference = stringOf(own(schema, '$ref'))
  if (reference === undefined) return undefined
  const [file = '', fragment = ''] = reference.split('#')
  return [file, fragment]
}

/** Number of schemas by schema and value: each value that is no object or list counts as `undefined`. */
type Counts = Map<JsonObject, Map<Json | undefined, number>>

interface Counting {
  readonly file: ReadFile
  readonly counts: Counts
  readonly level: number
}

/** Counts the schemas that meet a value or its parts by this one; a schema that holds itself adds nothing. */
function applied(schema: Json | undefined, value: Json | undefined, counting: Counting): number {
  if (!isObject(schema)) return 0
  const key = typeof value === 'object' && value !== null ? value : undefined
  const counts = counting.counts.get(schema) ?? new Map<Json | undefined, number>()
  const known = counts.get(key)
  if (known !== undefined) return known
  if (counting.level > maxLevels) return Infinity
  counting.counts.set(schema, counts.set(key, 0))
  const inner = { ...counting, level: counting.level + 1 }
  const target = targetOf(schema, counting.file)
  const counted = [
    target === undefined ? 0 : applied(target.value, key, { ...inner, file: target.file }),
    ...samePlace(schema).map((each) => applied(each, key, inner)),
    ...partsWith(schema, key).map(([each, part]) => applied(each, part, inner))
  ]
  const count = counted.reduce((sum, each) => sum + each, 1)
  counts.set(key, count)
  return count
}

/** Returns the schemas of a schema that apply to the same value. */
const samePlace = (schema: JsonObject): (Json | undefined)[] => [
  ...['allOf', 'anyOf', 'oneOf'].flatMap((key) => arrayOf(own(schema, key))),
  ...['not', 'if', 'then', 'else'].map((key) => own(schema, key)),
  ...['dependentSchemas', 'dependencies'].flatMap((key) => Object.values(objectOf(own(schema, key))))
]

const ofItems = ['items', 'additionalItems', 'unevaluatedItems', 'contains']
const ofMembers = ['additionalProperties', 'unevaluatedProperties']

/** Returns the schemas that may apply to the parts of a value, each with its part. */
function partsWith(schema: JsonObject, value: Json | undefined): [schema: Json | undefined, part: Json][] {
  if (Array.isArray(value))
    return value.flatMap((item, index) =>
      [...ofItems.map((key) => own(schema, key)), arrayOf(own(schema, 'prefixItems'))[index]].map(
        (each): [Json | undefined, Json] => [each, item]
      )
    )
  const patterns = Object.values(objectOf(own(schema, 'patternProperties')))
  const members = [...ofMembers.map((key) => own(schema, key)), ...patterns]
  const properties = objectOf(own(schema, 'properties'))
  return Object.entries(objectOf(value)).flatMap(([name, member]) =>
    [own(properties, name), ...members].map((each): [Json | undefined, Json] => [each, member])
  )
}

/** Returns the target of a reference, and its file. */
function targetOf(
  node: JsonObject,
  { files }: ReadFile
): { value: Json | undefined; file: ReadFile } | undefined {
  const [name, fragment] = referenceOf(node) ?? []
  const file = name === undefined ? undefined : files.get(name)
  if (file === undefined || fragment === undefined) return undefined
  if (fragment.startsWith('/')) return { value: atPointer(file.parsed, `#${fragment}`), file }
  return { value: fragment === '' ? file.parsed : file.anchors.get(fragment), file }
}
