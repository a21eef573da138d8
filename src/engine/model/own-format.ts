/** Formats of a project's own, as generated code and the compiler know them. */

export interface Format<Name extends string = string, Value = unknown> {
  readonly name: Name
  /** Returns true for a text that `parse` accepts, too. */
  readonly check: (text: string) => boolean
  /** Absent where texts stay texts of type string. */
  readonly parse?: (text: string) => Value
  /** Present together with `type`. */
  readonly stringify?: (value: never) => string
  readonly type?: new (...values: never) => object
}

/** Formats by name. */
export type Formats = Readonly<Record<string, Format>>

/** Key of formats, the same in each copy of the engine. */
export const mark = Symbol.for('@contract-first/engine/format')

export const isFormat = (value: unknown): value is Format => Object(value)[mark] === true
