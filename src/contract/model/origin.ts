/** Places of nodes in the files of a contract. */

/** Place of a node. Line and column are computed when they are asked for. */
export interface Origin {
  /** Absolute path of the file. */
  readonly file: string
  /** JSON pointer in the file: `#/components/schemas/Pet`. */
  readonly pointer: string
  /** Counted from 1, like the column. */
  readonly line: number
  readonly column: number
  /** Returns the place of a member, by keys as the document has them. */
  at(...keys: string[]): Origin
}

export interface Place {
  readonly file: string
  readonly pointer: string
  readonly line: number
  readonly column: number
}

/** Finds the place of a member of an object or list of the document; the object itself without keys. */
export type Places = (node: object, keys: readonly string[]) => Place

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
  #found: Place | undefined

  constructor(places: Places, node: object, keys: readonly string[] = self) {
    this.#places = places
    this.#node = node
    this.#keys = keys
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

  at(...keys: string[]): Origin {
    return new NodeOrigin(this.#places, this.#node, [...this.#keys, ...keys])
  }

  get #place(): Place {
    this.#found ??= this.#places(this.#node, this.#keys)
    return this.#found
  }
}

const self: readonly string[] = []
