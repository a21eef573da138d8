/** Builds the schemas of a document: one node for each, filled after it is known, so that cycles close at any depth. */
import { stringify } from '@contract-first/engine/json'
import { schemaKeywords } from '../document/objects.ts'
import { isObject, type Json, type JsonObject, own } from '../model/json.ts'
import { make, noExamples, noExtensions, type Schema } from '../model/schema.ts'
import { extensionsOf, type Mutable, type SourceDocument } from './document.ts'
import { absent, type Builder, keywords, silentKeywords, withoutDependencies } from './keywords.ts'

/** Most characters of a value in a message. */
const maxLength = 60

/** A schema that is to be filled, and its JSON. */
interface Pending {
  readonly schema: Mutable<Schema>
  readonly node: JsonObject
}

export class SchemaBuilder implements Builder {
  readonly document: SourceDocument
  /** Every schema, in the order in which they were reached. */
  readonly schemas: Schema[] = []
  /** Schemas whose discriminators are to be completed, in the order in which they were reached. */
  readonly discriminated: Mutable<Schema>[] = []
  readonly #byNode = new WeakMap<object, Mutable<Schema>>()
  /** Schemas that are no objects, by holder and key. */
  readonly #others = new WeakMap<object, Map<string, Mutable<Schema>>>()
  readonly #pending: Pending[] = []

  constructor(document: SourceDocument) {
    this.document = document
  }

  schema(value: Json, holder: object, key: string): Schema {
    if (!isObject(value)) return this.#other(value, holder, key)
    const known = this.#byNode.get(value)
    if (known !== undefined) return known
    const origin = this.document.origin(value)
    const schema: Mutable<Schema> = { examples: noExamples, extensions: noExtensions, origin }
    this.#byNode.set(value, schema)
    this.schemas.push(schema)
    this.#pending.push({ schema, node: value })
    return schema
  }

  target(reference: string): Schema | undefined {
    const member = this.document.target(reference)
    if (member === undefined || (!isObject(member.value) && typeof member.value !== 'boolean'))
      return undefined
    return this.schema(member.value, member.holder, member.key)
  }

  /** Fills every schema that was asked for, and those below. Without recursion: the depth of a contract has no bound. */
  finish(): void {
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) this.#fill(next)
  }

  #fill({ schema, node: written }: Pending): void {
    let node = own(written, 'dependencies') === undefined ? written : withoutDependencies(written)
    const isNullable = own(node, 'nullable') === true
    const isUnited = isNullable && judging.some((key) => own(node, key) !== undefined)
    if (isUnited) node = this.#unite(schema, node)
    let hasExtensions = false
    for (const key of Object.keys(node)) {
      const keyword = keywords.get(key)
      const value = node[key] ?? null
      if (keyword === undefined) {
        if (key.startsWith('x-')) hasExtensions = true
        else if (!silentKeywords.has(key)) schema.unknown = [...(schema.unknown ?? []), key]
        continue
      }
      const { rule, member } = keyword
      const read = keyword.read(value, this, node, key)
      if (read !== undefined && read !== absent) Reflect.set(schema, member, read)
      // An annotation without a meaning is left out: it judges no value.
      if (read === undefined && rule !== undefined) broken(schema, key, rule, value)
    }
    if (isNullable && !isUnited) admitNull(schema)
    if (hasExtensions) schema.extensions = extensionsOf(node)
    if (schema.discriminator !== undefined) this.discriminated.push(schema)
  }

  /**
   * Makes a schema that accepts null, too: what constrains the value moves into a branch.
   * @returns what describes it
   */
  #unite(schema: Mutable<Schema>, node: JsonObject): JsonObject {
    const { true: constraints = [], false: others = [] } = Object.groupBy(Object.entries(node), ([key]) =>
      schemaKeywords.has(key) || key === 'discriminator' ? 'true' : 'false'
    )
    const branch: Mutable<Schema> = make({}, schema)
    this.schemas.push(branch)
    this.#pending.push({ schema: branch, node: Object.fromEntries(constraints) })
    schema.anyOf = [branch, make({ types: new Set(['null']) }, schema)]
    return Object.fromEntries(others)
  }

  #other(value: Json, holder: object, key: string): Schema {
    const members = this.#others.get(holder) ?? new Map<string, Mutable<Schema>>()
    this.#others.set(holder, members)
    const known = members.get(key)
    if (known !== undefined) return known
    const schema: Mutable<Schema> = make({}, { origin: this.document.origin(holder).at(key) })
    members.set(key, schema)
    if (value === false) schema.never = true
    else if (value !== true) broken(schema, key, 'must be an object or a boolean', value, schema.origin)
    return schema
  }
}

/** Keywords that may refuse null whatever types the schema lists. */
const judging = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'const']

/** Reads `nullable` of OpenAPI 3.0 (3.0.3, section 4.7.24): null is valid, too. */
function admitNull(schema: Mutable<Schema>): void {
  if (schema.types !== undefined) schema.types = new Set([...schema.types, 'null'])
  if (schema.enum?.includes(null) === false) schema.enum = [...schema.enum, null]
}

function broken(
  schema: Mutable<Schema>,
  key: string,
  rule: string,
  value: Json,
  origin = schema.origin.at(key)
): void {
  const text = stringify(value)
  const shortened = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
  const message = `${key} ${rule}: it is ${shortened}`
  const problem = { severity: 'error', rule: 'schema-keyword', origin, message } as const
  schema.broken = [...(schema.broken ?? []), problem]
}
