/** Door for formats of a project's own: what the module that `contract.formats` of package.json names calls. */
import { type Format, mark } from '../model/own-format.ts'
import * as builtIn from './formats.ts'

export type { Format }

/** Format whose texts stay texts. */
interface TextParts<Value extends string> {
  /** Returns true for a text of the format. Takes time in proportion to the length of the text, and never throws. */
  readonly check: (text: string) => boolean
  /** Returns the text, as a type of its own; a text that it throws for is not of the format. */
  readonly parse?: (text: string) => Value
  readonly stringify?: undefined
  readonly type?: undefined
}

/** Format whose texts become objects of a class. */
interface ClassParts<Value extends object> {
  readonly check: (text: string) => boolean
  /** A text that it throws for is not of the format. */
  readonly parse: (text: string) => Value
  readonly stringify: (value: Value) => string
  /** Class by which a value is recognised where it is sent. */
  readonly type: new (
    ...values: never
  ) => Value
}

/** Formats that schemas of the engine have a meaning for, beside those of texts. */
const others = ['int32', 'int64', 'float', 'double', 'binary', 'password']

/**
 * Defines a format. Its module exports it under any name; the compiler finds it by that export.
 * @param name value of `format` in the contract
 * @throws {TypeError} for a format of the engine, and for a part that is missing or no function
 */
export function defineFormat<const Name extends string, Value extends string = string>(
  name: Name,
  parts: TextParts<Value>
): Format<Name, Value>
export function defineFormat<const Name extends string, Value extends object>(
  name: Name,
  parts: ClassParts<Value>
): Format<Name, Value>
export function defineFormat(name: string, parts: TextParts<string> | ClassParts<object>): Format {
  if (typeof name !== 'string' || name === '') throw new TypeError('a format needs a name')
  if (isBuiltIn(name)) throw new TypeError(`format ${name} is the engine's own: give yours another name`)
  const given = Object(parts) as Readonly<Record<string, unknown>>
  const isClass = given['type'] !== undefined || given['stringify'] !== undefined
  const needed = isClass ? ['check', 'parse', 'stringify', 'type'] : ['check']
  const missing = needed.find((part) => typeof given[part] !== 'function')
  if (missing !== undefined) throw new TypeError(`format ${name} lacks ${missing}, a ${kindOf(missing)}`)
  const { check, parse, stringify, type } = parts
  const format = { name, check: parse === undefined ? check : both(check, parse), [mark]: true }
  return Object.freeze({ ...format, ...(parse && { parse }), ...(isClass && { stringify, type }) }) as Format
}

const kindOf = (part: string): string => (part === 'type' ? 'class' : 'function')

function both(check: Format['check'], parse: (text: string) => unknown): Format['check'] {
  return (text) => {
    try {
      if (!check(text)) return false
      parse(text)
      return true
    } catch {
      return false
    }
  }
}

const isBuiltIn = (name: string): boolean =>
  others.includes(name) || Object.hasOwn(builtIn, name.replaceAll('-', '_'))
