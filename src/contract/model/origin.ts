/** Places of nodes in the files of a contract. */

export interface SourcePosition {
  /** Counted from 1. */
  readonly line: number
  /** Counted from 1, in UTF-16 code units. */
  readonly column: number
}

export interface Place extends SourcePosition {
  /** Absolute path of the file. */
  readonly file: string
  /** JSON pointer in the file: `#/components/schemas/Pet`. */
  readonly pointer: string
}

/** Place of a node, computed when it is asked for: where its name stands, if it has one. */
export interface Origin extends Place {
  /** Place of the value, behind the name of the member that has it. */
  readonly value: Origin
  /** Returns the place of a member, by keys as the document has them. */
  at(...keys: string[]): Origin
}

/**
 * Finds the place of a member of an object or list of the document; the object itself without keys.
 * @param onName false for the place of the value, not of its name
 */
export type Places = (node: object, keys: readonly string[], onName: boolean) => Place

/** A finding about a contract. The comparison adds a verdict, conformance a request and its response. */
export interface Problem {
  readonly severity: 'error' | 'warning'
  /** Name of the rule that is broken: `schema-keyword`. */
  readonly rule: string
  readonly origin: Origin
  readonly message: string
}

export class NodeOrigin implements Origin {
  readonly #places: Places
  readonly #node: object
  readonly #keys: readonly string[]
  readonly #onName: boolean
  #found: Place | undefined

  constructor(places: Places, node: object, keys: readonly string[] = self, onName = true) {
    this.#places = places
    this.#node = node
    this.#keys = keys
    this.#onName = onName
  }

  get file(): string {
    return this.#place.file
  }

  get pointer(): string {
    return this.#place.pointer
  }

  get line(): number {
    return this.#place.line
  }

  get column(): number {
    return this.#place.column
  }

  get value(): Origin {
    return new NodeOrigin(this.#places, this.#node, this.#keys, false)
  }

  at(...keys: string[]): Origin {
    return new NodeOrigin(this.#places, this.#node, [...this.#keys, ...keys])
  }

  get #place(): Place {
    this.#found ??= this.#places(this.#node, this.#keys, this.#onName)
    return this.#found
  }
}

const self: readonly string[] = []
