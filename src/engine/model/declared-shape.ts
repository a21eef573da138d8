/** Table of the shapes of declared values; a copy keeps the declared properties only. */

/** Shape whose children are numbers of other shapes; an absent child allows any value. */
export interface DeclaredShape {
  readonly properties?: Readonly<Record<string, number>>
  /** Shapes of undeclared names: those of every matching pattern, otherwise the additional one. */
  readonly unnamed?: readonly UnnamedShapes[]
  readonly items?: number
  readonly prefixItems?: readonly number[]
}

export interface UnnamedShapes {
  readonly patterns: readonly (readonly [string, number])[]
  readonly additional?: number
}

/** Generated module requests.js: the declared properties of every JSON request body. */
export interface RequestBodies {
  readonly shapes: readonly DeclaredShape[]
  /** Shapes by operationId and media type. */
  readonly bodies: Readonly<Record<string, Readonly<Record<string, RequestShape>>>>
}

export interface RequestShape {
  /** Number of the shape. */
  readonly shape: number
  /** SHA-256 of the schema without its annotations, hexadecimal. */
  readonly digest: string
}
