/** Builds the schemas of a document: one node for each, filled after it is known, so that cycles close at any depth. */
import { isObject, type Json } from '../model/json.ts'
import type { Problem } from '../model/origin.ts'
import { make, noExamples, noExtensions, type Schema } from '../model/schema.ts'
import { type Draft, extensionsOf, type SourceDocument } from './document.ts'
import { type Builder, keywords, type Read } from './keywords.ts'

export class SchemaBuilder implements Builder {
  readonly document: SourceDocument
  readonly discriminated: Read[] = []
  readonly #schemas = new Map<object, Draft<Schema>>()
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

  target(reference: string): Schema | undefined {
    const member = this.document.target(reference)
    return member === undefined ? undefined : this.schema(member.value, member.holder, member.key)
  }

  /** Fills every schema that was asked for, and those below. Without recursion: the depth of a contract has no bound. */
  finish(): void {
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) this.#fill(next)
  }

  #fill({ schema, node }: Read): void {
    let hasExtensions = false
    for (const key of Object.keys(node)) {
      const value = node[key]
      if (value === undefined) continue
      const read = keywords.get(key)
      if (read === undefined) {
        hasExtensions ||= key.startsWith('x-')
        continue
      }
      const wanted = read(schema, value, node, this)
      if (wanted !== undefined) broken(schema, this.document.problem('schema-keyword', node, key, wanted))
    }
    if (hasExtensions) schema.extensions = extensionsOf(node)
  }

  #other(value: Json, holder: object, key: string): Schema {
    const members = this.#others.get(holder) ?? new Map<string, Draft<Schema>>()
    this.#others.set(holder, members)
    const known = members.get(key)
    if (known !== undefined) return known
    const schema: Draft<Schema> = make({}, { origin: this.document.origin(holder).at(key) })
    members.set(key, schema)
    if (value === false) schema.never = true
    else if (value !== true)
      broken(schema, this.document.problem('schema-keyword', holder, key, 'must be an object or a boolean'))
    return schema
  }
}

function broken(schema: Draft<Schema>, problem: Problem): void {
  schema.broken = [...(schema.broken ?? []), problem]
}
