/**
 * Tables about the values of a schema that the compiler writes: their declared properties, their places of int64, and the
 * items of sequences.
 */
import type { Framing } from './media-type.ts'

/** Shape whose children are numbers of other shapes; an absent child allows any value. */
export interface DeclaredShape {
  readonly properties?: Readonly<Record<string, number>>
  /** Shapes of undeclared names: those of every matching pattern, otherwise the additional one. */
  readonly unnamed?: readonly UnnamedShapes[]
  /** Declared names that are not sent, whatever other shapes of the value say. */
  readonly hidden?: readonly string[]
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

/** The places of int64 in a schema. Named plans make recursive schemas finite. */
export interface Int64Plan {
  /** Name in `plans` of the plan for the whole value. */
  readonly start: string
  readonly plans: Readonly<Record<string, Int64Node>>
  /** True where the plan also has places of the project's own formats. */
  readonly formats?: true
}

/** Node of a plan; all of its members apply to the same value. */
export interface Int64Node {
  readonly int64?: true
  /** Format of the project's own whose `parse` makes the value. */
  readonly format?: string
  readonly properties?: Readonly<Record<string, string>>
  readonly patterns?: readonly (readonly [string, string])[]
  readonly additional?: string
  /** Names that `additional` does not apply to. */
  readonly declared?: readonly string[]
  readonly items?: string
  readonly prefixItems?: readonly (string | null)[]
  /** Parts of a composition; one with `when` applies only where the validator of that name accepts the value. */
  readonly parts?: readonly { readonly plan: string; readonly when?: string }[]
}

/** Items of a body of a sequential media type. */
export interface Items {
  readonly framing: Framing
  /** Framing `events`: true for items `{ data, event?, id?, retry? }`; otherwise an item is the data of an event. */
  readonly isEvent?: true
  /** Forms of an item, in this order; two only where the data of some events is text and that of others is JSON. */
  readonly forms: readonly ItemForm[]
}

export interface ItemForm {
  /** Framing `events`: true where the data is text, which is sent as it is; otherwise it is sent as JSON. */
  readonly isText?: true
  /** Validator of the item. */
  readonly validate: string
  /** Responses: serializer of the item; for an event, of its data. */
  readonly serialize?: string
  /** Plan of the int64 in the item. */
  readonly int64?: Int64Plan
}
