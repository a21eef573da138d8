/** Input of a repair, and the flaw that it has repaired. */
import type { Json } from '../document/json-value.ts'

/** A node that may have flaws. */
export interface RepairedNode {
  readonly node: Record<string, Json>
  /** Segments of the pointer to the node. */
  readonly path: readonly string[]
  /** True for schemas in the dialect of OpenAPI 3.0 (OpenAPI 3.0.3, section 4.7.24). */
  readonly is30: boolean
}

/** A repaired flaw of a node. */
export interface Flaw {
  /** Member that has the flaw. */
  readonly key: string
  readonly message: string
}
