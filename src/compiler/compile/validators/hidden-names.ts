/**
 * Properties that one side does not send: others send the owner of the data no read-only ones, and the owner sends no
 * write-only ones (JSON Schema Validation 2020-12, section 9.4). The service owns the data: it receives requests, and
 * sends webhooks and callbacks.
 */
import { type Flag, isFlagged, partsOf, type Schema } from '@contract-first/contract'

/** Names that a schema hides, and those of the schemas around it: `required` may stand in any branch of an `allOf`. */
export type Hidden = ReadonlySet<string>
export const none: Hidden = new Set()

export class HiddenNames {
  readonly flag: Flag
  readonly #parameters = new WeakSet<Schema>()
  readonly #known = new WeakMap<Schema, Hidden>()

  constructor(flag: Flag) {
    this.flag = flag
  }

  /** Exempts the properties of a schema that are parameters: the flags concern properties only. */
  exempt(schema: Schema): void {
    this.#parameters.add(schema)
  }

  /** @param property a property of the schema */
  has(schema: Schema, property: Schema): boolean {
    return !this.#parameters.has(schema) && isFlagged(property, this.flag)
  }

  /** @returns the names that a schema hides, the branches of its `allOf`, and the schemas that it refers to */
  in(schema: Schema): Hidden {
    const known = this.#known.get(schema)
    if (known !== undefined) return known
    const names = new Set<string>()
    for (const part of partsOf(schema))
      for (const [name, property] of part.properties ?? []) if (this.has(part, property)) names.add(name)
    const found = names.size === 0 ? none : names
    this.#known.set(schema, found)
    return found
  }

  /** @param outer names that the schemas around this one hide */
  with(schema: Schema, outer: Hidden): Hidden {
    const own = this.in(schema)
    return outer.size === 0 ? own : own.union(outer)
  }
}
