/** Builds the schemas of a document: one node for each, filled after it is known, so that cycles close at any depth. */
import { stringify } from '@contract-first/engine/json'
import { isObject, type Json, type JsonObject, own } from '../model/json.ts'
import { make, noExamples, noExtensions, type Schema } from '../model/schema.ts'
import { type Draft, extensionsOf, type SourceDocument } from './document.ts'
import { absent, type Builder, keywords, withoutDependencies } from './keywords.ts'

/** Most characters of a value in a message. */
const maxLength = 60

/** A schema, and its JSON. */
interface Read {
  readonly schema: Draft<Schema>
  readonly node: JsonObject
}

export class SchemaBuilder implements Builder {
  readonly document: SourceDocument
  /** Schemas with a discriminator, in the order in which they were reached. */
  readonly discriminated: Read[] = []
  readonly #schemas = new Map<JsonObject, Draft<Schema>>()
  /** Schemas that are no objects, by holder and key. */
  readonly #others = new Map<object, Map<string, Draft<Schema>>>()
  readonly #pending: Read[] = []

  constructor(document: SourceDocument) {
    this.document = document
  }

  schema(value: Json, holder: object, key: string): Schema {
    if (!isObject(value)) return this.#other(value, holder, key)
    const known = this.#schemas.get(value)
    if (known !== undefined) return known
    const origin = this.document.origin(value)
    const schema: Draft<Schema> = { examples: noExamples, extensions: noExtensions, origin }
    this.#schemas.set(value, schema)
    this.#pending.push({ schema, node: value })
    return schema
  }

  nodeOf(schema: Schema): JsonObject | undefined {
    for (const [node, each] of this.#schemas) if (each === schema) return node
    return undefined
  }

  target(reference: string): Schema | undefined {
    const member = this.document.target(reference)
    return member === undefined ? undefined : this.schema(member.value, member.holder, member.key)
  }

  /** Fills every schema that was asked for, and those below. Without recursion: the depth of a contract has no bound. */
  finish(): void {
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) this.#fill(next)
  }

  #fill({ schema, node: written }: Read): void {
    const node = own(written, 'dependencies') === undefined ? written : withoutDependencies(written)
    let hasExtensions = false
    for (const key of Object.keys(node)) {
      const keyword = keywords.get(key)
      const value = node[key] ?? null
      if (keyword === undefined) {
        hasExtensions ||= key.startsWith('x-')
        continue
      }
      const read = keyword.read(value, this, node, key)
      if (read === undefined) this.#broken(schema, written, key, keyword.rule, value)
      else if (read !== absent) Reflect.set(schema, keyword.member, read)
    }
    if (hasExtensions) schema.extensions = extensionsOf(node)
    if (schema.discriminator !== undefined) this.discriminated.push({ schema, node })
  }

  #other(value: Json, holder: object, key: string): Schema {
    const members = this.#others.get(holder) ?? new Map<string, Draft<Schema>>()
    this.#others.set(holder, members)
    const known = members.get(key)
    if (known !== undefined) return known
    const schema: Draft<Schema> = make({}, { origin: this.document.origin(holder).at(key) })
    members.set(key, schema)
    if (value === false) schema.never = true
    else if (value !== true) this.#broken(schema, holder, key, 'must be an object or a boolean', value)
    return schema
  }

  #broken(schema: Draft<Schema>, holder: object, key: string, rule: string, value: Json): void {
    const text = stringify(value)
    const shortened = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
    const problem = this.document.problem('schema-keyword', holder, key, `${rule}: it is ${shortened}`)
    schema.broken = [...(schema.broken ?? []), problem]
  }
}
