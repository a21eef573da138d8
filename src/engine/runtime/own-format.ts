/** Door for formats of a project's own: what the module that `contract.formats` of package.json names calls. */
import { type Format, mark } from '../model/own-format.ts'
import * as builtIn from './formats.ts'

export type { Format }

/** Format whose texts stay texts. */
interface TextParts<Value extends string> {
  /** Returns true for a text of the format. Takes time in proportion to the length of the text. */
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
  const { parse, stringify, type } = parts
  const format = { name, check: strictCheck(parts), [mark]: true }
  const written = stringify && { stringify: strictText(name, stringify as (value: unknown) => unknown), type }
  return Object.freeze({ ...format, ...(parse && { parse }), ...written }) as Format
}

const kindOf = (part: string): string => (part === 'type' ? 'class' : 'function')

/** Returns a check that only `true` passes, and only a text whose value `parse` gives. */
function strictCheck({ check, parse, type }: TextParts<string> | ClassParts<object>): Format['check'] {
  return (text) => {
    try {
      const outcome: unknown = check(text)
      if (!isExpected(outcome === true, outcome)) return false
      if (parse === undefined) return true
      const value: unknown = parse(text)
      return isExpected(type === undefined ? typeof value === 'string' : value instanceof type, value)
    } catch {
      return false
    }
  }
}

/** @throws {TypeError} from the function, where the given one returns no text: a property would be missing */
function strictText(name: string, stringify: (value: unknown) => unknown): (value: unknown) => string {
  return (value) => {
    const text = stringify(value)
    if (isExpected(typeof text === 'string', text)) return String(text)
    throw new TypeError(`stringify of format ${name} returned no text`)
  }
}

/** Handles the rejection of a promise that was returned in place of a value: otherwise it would end the process. */
function isExpected(isValid: boolean, returned: unknown): boolean {
  if (!isValid) Promise.resolve(returned).catch(() => undefined)
  return isValid
}

const isBuiltIn = (name: string): boolean =>
  others.includes(name) || Object.hasOwn(builtIn, name.replaceAll('-', '_'))
