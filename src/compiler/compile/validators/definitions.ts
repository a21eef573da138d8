/** The definitions of a view: the schemas that have validators of their own, and the uses of one in another. */
import type { Schema } from '@contract-first/contract'
import { type Hidden, none } from './hidden-names.ts'
import { alternativesIn, type Reading } from './reading.ts'

export interface Definition {
  readonly schema: Schema
  /** Names that schemas around a reference hide, besides those that the schema hides itself. */
  readonly hidden: Hidden
}

/** A use of a definition in another one. */
export interface Reference {
  readonly name: string
  /** True where the value is that of the definition itself. */
  readonly isInPlace: boolean
  /** True where `unevaluated…` around the reference reads what it evaluates. */
  readonly isRead: boolean
}

export class Definitions {
  readonly reading: Reading
  /** Definitions by name. */
  readonly all = new Map<string, Definition>()
  /** References of each definition, as many as it has. */
  readonly references = new Map<string, readonly Reference[]>()
  /** Schemas in the definitions. */
  readonly schemas = new Set<Schema>()
  /** Names by schema and the names hidden in it. */
  readonly #names = new Map<Schema, Map<string, string>>()
  readonly #unread: string[] = []

  constructor(reading: Reading) {
    this.reading = reading
  }

  /** Makes a definition of a schema at any place, because several operations may share it. */
  share(schema: Schema, label: string): void {
    if (schema.ref === undefined) this.reading.shared.set(schema, label)
  }

  /** @returns the name of the definition: that of the referenced schema, or one made from `label` */
  define(schema: Schema, label: string): string {
    this.schemas.add(schema)
    const name = this.definitionName(schema) ?? this.#name(schema, label, none)
    // Without recursion: a chain of references has any length.
    for (let next = this.#unread.pop(); next !== undefined; next = this.#unread.pop()) this.#read(next)
    return name
  }

  /** @returns true if the schema has a definition */
  has(schema: Schema): boolean {
    return this.#names.get(schema)?.has('') === true
  }

  /** @returns the name of the definition of a schema that is shared */
  shared(schema: Schema): string | undefined {
    const label = this.reading.shared.get(schema)
    return label === undefined ? undefined : this.#name(schema, label, none)
  }

  /** @returns the name of the definition of a schema that is shared, or only refers to another one */
  definitionName(schema: Schema): string | undefined {
    if (schema.ref === undefined) return this.shared(schema)
    return this.reading.membersOf(schema).length > 1 ? undefined : this.target(schema.ref, none)
  }

  /**
   * @param schema target of a reference
   * @param outer names that the schemas around the reference hide
   */
  target(schema: Schema, outer: Hidden): string {
    const label = schema.name ?? String(schema.origin.pointer.split('/').at(-1))
    const { hidden } = this.reading
    return this.#name(schema, label, outer.size === 0 ? none : outer.difference(hidden.in(schema)))
  }

  #name(schema: Schema, label: string, hidden: Hidden): string {
    const names = this.#names.get(schema) ?? new Map<string, string>()
    this.#names.set(schema, names)
    const key = [...hidden].sort().join('\n')
    const known = names.get(key)
    if (known !== undefined) return known
    const base = label.replaceAll(/[^A-Za-z0-9_]/g, '_')
    let name = base
    for (let serial = 2; this.all.has(name) || ['__proto__', 'then'].includes(name); serial++)
      name = `${base}_${serial}`
    names.set(key, name)
    this.all.set(name, { schema, hidden })
    this.#unread.push(name)
    return name
  }

  /** Finds the references of a definition, and gives their definitions names. */
  #read(name: string): void {
    const { schema, hidden } = this.all.get(name) as Definition
    const references: Reference[] = []
    this.references.set(name, references)
    this.#visit(schema, hidden, { isInPlace: true, isRead: false }, references)
  }

  /** @param place what holds for a reference that stands in the place of the schema */
  #visit(written: Schema, outer: Hidden, place: Omit<Reference, 'name'>, references: Reference[]): void {
    this.schemas.add(written)
    const schema = this.reading.judged(written)
    const hidden = this.reading.hidden.with(schema, outer)
    const reads = schema.unevaluatedProperties !== undefined || schema.unevaluatedItems !== undefined
    const here = { isInPlace: place.isInPlace, isRead: place.isRead || reads }
    const enter = (inner: Schema, names: Hidden, at: Omit<Reference, 'name'>) => {
      const shared = this.shared(inner)
      if (shared === undefined) this.#visit(inner, names, at, references)
      else references.push({ name: shared, ...at })
    }
    for (const part of schema.allOf ?? []) enter(part, hidden, here)
    for (const part of alternativesIn(schema)) enter(part, none, here)
    const elsewhere = { isInPlace: false, isRead: false }
    for (const member of this.reading.membersIn(schema)) enter(member, none, elsewhere)
    if (schema.ref !== undefined) references.push({ name: this.target(schema.ref, hidden), ...here })
  }
}
