/** Shapes of declared values as a table: what a copy keeps of a value. */

/** A shape, its children by number; a child that is absent may be anything. */
export interface DeclaredShape {
  readonly properties?: Readonly<Record<string, number>>
  /** Of properties without a name: every pattern that matches, otherwise the additional shape. */
  readonly unnamed?: readonly UnnamedShapes[]
  readonly items?: number
  readonly prefixItems?: readonly number[]
}

export interface UnnamedShapes {
  readonly patterns: readonly (readonly [string, number])[]
  readonly additional?: number
}

/** The generated module requests.js: what every JSON request body declares. */
export interface RequestBodies {
  readonly shapes: readonly DeclaredShape[]
  /** By operationId and media type. */
  readonly bodies: Readonly<Record<string, Readonly<Record<string, RequestShape>>>>
}

export interface RequestShape {
  /** Number of the shape. */
  readonly shape: number
  /** SHA-256 of the schema without its annotations, hexadecimal. */
  readonly digest: string
}
