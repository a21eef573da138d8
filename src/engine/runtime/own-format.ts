/** Formats of a project's own, which generated validators call. */
import * as builtIn from './formats.ts'

/** Parts of a format. */
export interface FormatParts {
  /** Returns true for a text of the format. Takes time in proportion to the length of the text, and never throws. */
  readonly check: (text: string) => boolean
}

export interface Format<Name extends string = string> extends FormatParts {
  readonly name: Name
}

/** Formats that schemas of the engine have a meaning for, beside those of texts. */
const others = ['int32', 'int64', 'float', 'double', 'binary', 'password']

/**
 * Defines a format. Its module exports it under any name; the compiler finds it by that export.
 * @param name value of `format` in the contract
 * @throws {TypeError} for a format of the engine, and for a part that is missing or no function
 */
export function defineFormat<const Name extends string>(name: Name, parts: FormatParts): Format<Name> {
  if (typeof name !== 'string' || name === '') throw new TypeError('a format needs a name')
  if (isBuiltIn(name)) throw new TypeError(`format ${name} is the engine's own: give yours another name`)
  const { check } = Object(parts)
  if (typeof check !== 'function')
    throw new TypeError(`format ${name} lacks check: a function that returns true for its texts`)
  return Object.freeze({ name, check, [mark]: true })
}

const isBuiltIn = (name: string): boolean =>
  others.includes(name) || Object.hasOwn(builtIn, name.replaceAll('-', '_'))

/** Key of formats, the same in each copy of the engine. */
const mark = Symbol.for('@contract-first/engine/format')

export const isFormat = (value: unknown): value is Format => Object(value)[mark] === true
