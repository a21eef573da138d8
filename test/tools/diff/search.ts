/**
 * Searches for a value that was right before an edit of a contract and is refused after it, while no line says so. The
 * compiled validators of both contracts are the judges.
 */
import { resolve } from 'node:path'
import fc from 'fast-check'
import { Validators } from '../../../src/compiler/compile/validators/validators.ts'
import type { Content, Contract, Schema } from '../../../src/contract/contract.ts'
import { hasErrors } from '../../../src/contract/diagnostics/problem.ts'
import { type LoadedContract, loadContract } from '../../../src/contract/load/load.ts'
import { exactJson } from '../../../src/engine/json/exact-json.ts'
import type { Validator } from '../../../src/engine/model/compiled-contract.ts'
import { compareLoaded, type Report } from '../../../src/tools/diff/diff.ts'
import { instancesOf } from '../../../src/tools/samples/samples.ts'

type Node = Record<string, unknown>
type Role = 'request' | 'response'

/** A schema of a message. */
interface Part {
  readonly operation: string
  /** Begin of the places of its changes: `body`, `query/limit`, `200/header/ETag`. */
  readonly place: string
  readonly role: Role
  readonly schema: Schema
}

export interface Found {
  /** Edits after which a value was refused. */
  hurting: number
  edits: number
  /** Edits of which nothing is said, although a value is refused. */
  readonly silent: string[]
}

interface Search {
  /** Path of the contract. */
  readonly path: string
  readonly edits: number
  readonly seed: number
  /** Values of each message. */
  readonly values: number
}

export async function search({ path, edits, seed, values }: Search): Promise<Found> {
  const { document } = await loadContract(resolve(path))
  const old = await loaded(document)
  const found: Found = { hurting: 0, edits: 0, silent: [] }
  if (old === undefined) return found
  const random = fc.sample(fc.nat(), { seed, numRuns: 4 * edits })
  const before = { judge: new Judge(old), parts: partsOf(old.model) }
  const known = new Map<Part, unknown[]>()
  // The values are those of the contract and others near them: of an edited schema, few instances may be valid.
  const valuesOf = (part: Part): unknown[] => {
    const made =
      known.get(part) ??
      before.judge.values(part, { seed, values }).flatMap((value) => [value, ...near(value)])
    known.set(part, made)
    return made
  }
  while (found.edits < edits && random.length > 1) {
    const edited = editedAt(document as Node, before.parts, random.pop() ?? 0, random.pop() ?? 0)
    const now = edited === undefined ? undefined : await loaded(edited.document)
    if (edited === undefined || now === undefined) continue
    const report = compareLoaded(old, now, new Date(0))
    const after = { judge: new Judge(now), parts: partsOf(now.model) }
    const refusals = edited.parts.flatMap(({ operation, place, role }) => {
      const [sender, receiver] = role === 'request' ? [before, after] : [after, before]
      const partIn = ({ parts }: typeof before) =>
        parts.find((part) => part.operation === operation && part.place === place)
      const [sent, received] = [partIn(sender), partIn(receiver)]
      if (sent === undefined || received === undefined) return []
      const value = valuesOf(role === 'request' ? sent : received).find(
        (each) => sender.judge.accepts(sent, each) && !receiver.judge.accepts(received, each)
      )
      return value === undefined ? [] : [{ operation, place, value }]
    })
    if (before.judge.isRefused || after.judge.isRefused) continue
    found.edits++
    if (refusals.length > 0) found.hurting++
    const unsaid = refusals.find(({ operation, place }) => !isSaid(report, operation, place))
    if (unsaid === undefined) continue
    const value = JSON.stringify(unsaid.value, plain)
    found.silent.push(`${path} ${edited.text}: ${unsaid.operation} ${unsaid.place} ${value}`)
  }
  return found
}

function isSaid({ breaking, undecided, compatible }: Report, operation: string, place: string): boolean {
  const isThere = (change: Report['breaking'][number]) =>
    change.operation === operation && `${change.place}/`.startsWith(`${place}/`)
  // A text that is written as before is still valid, though it is read as another type.
  const isText = compatible.some((change) => isThere(change) && /-texts-kept$/.test(change.rule))
  return isText || [...breaking, ...undecided].some(isThere)
}

/** Most values near one. */
const maxNear = 60

const numbers = [0, 1, 7, 11, -1, 2.5, 2 ** 40]
const others = [null, true, ...numbers, '', 'a', 'b', 'abcd', '2020-01-01', [], {}, { new: 1 }]

/** Returns values that differ in one place. */
export function near(value: unknown): unknown[] {
  const all = [...others, ...changed(value)]
  return all.filter((_each, index) => index % Math.ceil(all.length / maxNear) === 0)
}

function changed(value: unknown): unknown[] {
  if (Array.isArray(value))
    return [
      ...[[...value, ...value], value.slice(1), [...value, 'a'], [...value, 1]],
      ...value.flatMap((item, index) => [...others, ...changed(item)].map((each) => value.with(index, each)))
    ]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const { [name]: _gone, ...rest } = value as Node
    return [rest, ...[...others, ...changed(member)].map((each) => ({ ...rest, [name]: each }))]
  })
}

/** Writes integers beyond 2^53 as they are. */
const exact = (_key: string, value: unknown) =>
  typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value

const plain = (_key: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)

interface Edited {
  readonly document: Node
  /** Parts that the edited schema belongs to. */
  readonly parts: readonly Part[]
  readonly text: string
}

/** Returns a copy of the document in which one schema is edited. */
function editedAt(document: Node, parts: readonly Part[], place: number, edit: number): Edited | undefined {
  const copy = structuredClone(document)
  const schemas = rootsIn(copy).flatMap(schemasIn)
  const schema = schemas[place % schemas.length]
  if (schema === undefined) return undefined
  const edits = editsOf(schema)
  const after = structuredClone(edits[edit % edits.length] as Node)
  const text = `${JSON.stringify(schema, plain)} → ${JSON.stringify(after, plain)}`
  const edited = parts.filter((part) => reaches(copy, atPointer(copy, part.schema.origin.pointer), schema))
  for (const key of Object.keys(schema)) delete schema[key]
  Object.assign(schema, after)
  return { document: copy, parts: edited, text }
}

/** Returns whether a node holds another, or refers to what does. */
function reaches(document: Node, node: unknown, sought: Node, seen = new Set<unknown>()): boolean {
  if (typeof node !== 'object' || node === null || seen.has(node)) return false
  seen.add(node)
  const { $ref } = node as Node
  return (
    node === sought ||
    (typeof $ref === 'string' && reaches(document, atPointer(document, $ref), sought, seen)) ||
    Object.values(node).some((each) => reaches(document, each, sought, seen))
  )
}

const atPointer = (document: unknown, pointer: string): unknown =>
  pointer
    .slice(2)
    .split('/')
    .map((key) => decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((node, key) => Object(node)[key], document)

/** Returns the schemas of a document that are in no other. */
function rootsIn(node: unknown): unknown[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) => {
    if (key === 'schemas') return Object.values(Object(value))
    return key === 'schema' || key === 'itemSchema' ? [value] : rootsIn(value)
  })
}

async function loaded(document: unknown): Promise<LoadedContract | undefined> {
  const path = resolve('openapi.json')
  const text = JSON.stringify(document, exact)
  const tree = { realPath: () => path, names: () => [], read: async () => text }
  try {
    return await loadContract(path, undefined, { tree })
  } catch {
    return undefined
  }
}

const partsOf = (contract: Contract): Part[] =>
  contract.operations.flatMap(({ method, path, parameters, body, responses }) => {
    const operation = `${method} ${path}`
    const part = (role: Role, place: string, schema: Schema | undefined): Part[] =>
      schema === undefined ? [] : [{ operation, role, place, schema }]
    const json = (role: Role, place: string, contents: readonly Content[] = []) =>
      contents.flatMap(({ mediaType, schema }) =>
        part(role, place, mediaType === 'application/json' ? schema : undefined)
      )
    return [
      ...parameters.flatMap(({ in: where, name, schema }) => part('request', `${where}/${name}`, schema)),
      ...json('request', 'body', body?.contents),
      ...[...responses].flatMap(([status, { contents, headers }]) => [
        ...json('response', `${status}/body`, contents),
        ...[...headers].flatMap(([name, { schema }]) => part('response', `${status}/header/${name}`, schema))
      ])
    ]
  })

/** The compiled validators of one contract. */
class Judge {
  readonly #contract: LoadedContract
  readonly #validators: Validators
  readonly #known = new Map<Part, Validator>()

  constructor(contract: LoadedContract) {
    this.#contract = contract
    this.#validators = new Validators(contract)
  }

  /** True when the compiler refuses a schema that was asked for. */
  get isRefused(): boolean {
    return hasErrors(this.#validators.problems)
  }

  accepts(part: Part, value: unknown): boolean {
    const text = JSON.stringify(value, exact)
    return this.#validator(part)(exactJson(text, JSON.parse(text)).value)
  }

  #validator(part: Part): Validator {
    const known = this.#known.get(part)
    if (known !== undefined) return known
    const name = this.#validators.add(part.role, part.schema, 'part')
    const validator = this.#validators.functions()[name] as Validator
    this.#known.set(part, validator)
    return validator
  }

  /** Returns values that the part may have. */
  values(part: Part, { seed, values }: Pick<Search, 'seed' | 'values'>): unknown[] {
    const options = { document: this.#contract.document, direction: part.role }
    const node = atPointer(this.#contract.document, part.schema.origin.pointer)
    const instances = instancesOf(node as never, options)
    return instances === undefined ? [] : fc.sample(instances, { seed, numRuns: values })
  }
}

/** Returns the schemas in a schema, itself first. */
export function schemasIn(node: unknown): Node[] {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return []
  const schema = node as Node
  const maps = ['properties', 'patternProperties', 'dependentSchemas', '$defs']
  const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
  const single = ['items', 'not', 'if', 'then', 'else', 'additionalProperties', 'contains', 'propertyNames']
  const inner = [
    ...maps.flatMap((key) => Object.values(Object(schema[key]))),
    ...lists.flatMap((key) => (Array.isArray(schema[key]) ? schema[key] : [])),
    ...single.map((key) => schema[key])
  ]
  return [schema, ...inner.flatMap(schemasIn)]
}

const limits: Readonly<Record<string, readonly Node[]>> = {
  string: [
    ...[{ maxLength: 3 }, { minLength: 2 }, { pattern: '^a' }, { format: 'date' }, { enum: ['a', 'b'] }],
    ...[{ not: { maxLength: 1 } }, { if: { minLength: 3 }, then: { pattern: 'a' } }]
  ],
  integer: [{ maximum: 10 }, { minimum: 1 }, { multipleOf: 2 }, { format: 'int32' }, { not: { minimum: 5 } }],
  number: [{ maximum: 10 }, { exclusiveMinimum: 0 }, { multipleOf: 2 }, { type: 'integer' }],
  boolean: [{ const: true }, { enum: [false] }],
  array: [
    ...[{ maxItems: 1 }, { minItems: 2 }, { uniqueItems: true }, { contains: { type: 'string' } }],
    ...[{ items: false }, { items: { type: 'string' } }, { prefixItems: [{ type: 'integer' }] }]
  ],
  object: [
    ...[{ additionalProperties: false }, { unevaluatedProperties: false }, { maxProperties: 1 }],
    ...[{ minProperties: 2 }, { propertyNames: { maxLength: 3 } }, { required: ['new'] }],
    ...[{ properties: {} }, { additionalProperties: { type: 'integer' } }, { not: { minProperties: 2 } }]
  ]
}

const without = (object: Node, key: string): Node => {
  const { [key]: _gone, ...rest } = object
  return rest
}

const swapped: Readonly<Record<string, string>> = {
  oneOf: 'anyOf',
  anyOf: 'oneOf',
  minimum: 'exclusiveMinimum',
  maximum: 'exclusiveMaximum'
}

/** Returns a schema for each edit. */
export function editsOf(schema: Node): Node[] {
  const types = [schema['type'] ?? []].flat() as string[]
  return [
    ...types.flatMap((type) => limits[type] ?? []).map((more) => ({ ...schema, ...more })),
    ...Object.entries(schema).flatMap(([key, value]) => memberEdits(schema, key, value)),
    ...(types.length > 0
      ? [
          { ...schema, type: [...types, 'null'] },
          { ...schema, type: 'boolean' }
        ]
      : []),
    { anyOf: [schema, { type: 'null' }] },
    { oneOf: [schema, { type: 'object' }] },
    { allOf: [schema, { type: 'object', minProperties: 1 }] },
    { ...schema, readOnly: true },
    { ...schema, writeOnly: true }
  ]
}

function memberEdits(schema: Node, key: string, value: unknown): Node[] {
  const replaced = (other: unknown): Node => ({ ...schema, [key]: other })
  const gone = key === '$ref' ? [] : [without(schema, key)]
  const other = swapped[key]
  const swap = other === undefined ? [] : [{ ...without(schema, key), [other]: value }]
  if (typeof value === 'number')
    return [...gone, ...swap, replaced(value + 1), replaced(Math.max(0, value - 1))]
  if (Array.isArray(value))
    return [...gone, ...swap, ...value.map((_each, index) => replaced(value.toSpliced(index, 1)))]
  if (key === 'properties') {
    const properties = value as Node
    const names = Object.keys(properties)
    const required = (schema['required'] ?? []) as string[]
    return names.flatMap((name) => [
      replaced(without(properties, name)),
      replaced({ ...properties, [name]: false }),
      {
        ...schema,
        required: required.includes(name) ? required.filter((each) => each !== name) : [...required, name]
      },
      { ...schema, dependentRequired: { [name]: names } },
      { ...schema, not: { required: [name] } },
      { ...schema, if: { required: [name] }, then: { maxProperties: 1 } }
    ])
  }
  return [...gone, ...swap]
}
