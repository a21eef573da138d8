/** The schemas that one composition holds, each merged once: 28 that hold the next one twice would take 2^28 merges. */
import type { JsonObject } from '../document/json-value.ts'
import { anything, type Shape } from './shape-merge.ts'

/** Merges after which schemas of a cycle are merged once, too, from wherever the cycle was entered first. */
const maxMerges = 2_000

export class Merging {
  readonly #known = new Map<JsonObject, Shape>()
  /** Schemas being merged, with their depths. */
  readonly #open = new Map<JsonObject, number>()
  /** Least depth at which a cycle has ended since the schema being merged was entered. */
  #cut = Infinity
  #merges = 0

  /** Returns the shape of a schema; a schema that holds itself adds nothing. */
  once(schema: JsonObject, merge: () => Shape): Shape {
    const known = this.#known.get(schema)
    if (known !== undefined) return known
    const depth = this.#open.get(schema)
    if (depth === undefined) return this.#merged(schema, merge)
    this.#cut = Math.min(this.#cut, depth)
    return anything
  }

  #merged(schema: JsonObject, merge: () => Shape): Shape {
    const [depth, cut] = [this.#open.size, this.#cut]
    this.#cut = Infinity
    this.#open.set(schema, depth)
    const shape = merge()
    this.#open.delete(schema)
    // A shape without a schema above it holds only there.
    const isWhole = this.#cut >= depth
    if (isWhole || ++this.#merges > maxMerges) this.#known.set(schema, shape)
    this.#cut = isWhole ? cut : Math.min(cut, this.#cut)
    return shape
  }
}
