/**
 * Finds the number literals of a JSON text that the parsed doubles do not spell.
 *
 * The reviver of `JSON.parse` with `context.source` is called for every value, which takes longer, and is recursive: a text
 * that is nested deeply makes it throw RangeError.
 */
import { type Inexactness, inexactness } from './decimal.ts'

/** Inexact numbers of one object or array, by property name or index. It has no prototype, or is a list. */
export type Marks = Record<string, Inexactness>
/** Inexact numbers by the object or array that holds them. */
export type Exactness = Map<object, Marks>

/** An object or array whose text the walk is in. */
interface Frame {
  /** Object or array of this text; undefined when a later duplicate name replaces it. */
  readonly holder: object | undefined
  /** The current or next member: its index in an array, its name in an object. */
  key: number | string
  expectsName: boolean
}

const [quote, comma, minus, zero, nine] = [0x22, 0x2c, 0x2d, 0x30, 0x39]
const [bracket, brace, closingBracket, closingBrace] = [0x5b, 0x7b, 0x5d, 0x7d]
const [plus, dot, e, upperE, backslash] = [0x2b, 0x2e, 0x65, 0x45, 0x5c]
/** Characters of a number literal that a double may not represent; without an exponent, a shorter one is exact. */
const minSuspect = 16

/**
 * Walks a well-formed JSON text along with the value parsed from it. The walk is iterative and linear, and expands no
 * exponents, because the client chooses the depth and length of the text.
 *
 * @param root `{ '': value }`
 */
export function exactnessOf(text: string, root: object): Exactness | undefined {
  const marks: Exactness = new Map()
  const outer: Frame[] = []
  let frame: Frame = { holder: root, key: '', expectsName: false }
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      const end = endOfString(text, at)
      if (frame.expectsName) beginMember(marks, frame, text.slice(at, end))
      at = end - 1
    } else if (isNumeric(code)) {
      const { end, hasExponent } = numberFrom(text, at)
      if (hasExponent || end - at >= minSuspect) record(marks, frame, text.slice(at, end))
      at = end - 1
    } else if (code === bracket || code === brace) {
      outer.push(frame)
      frame = enter(marks, frame, code === bracket)
    } else if (code === closingBracket || code === closingBrace) frame = outer.pop() as Frame
    else if (code === comma)
      if (typeof frame.key === 'number') frame.key++
      else frame.expectsName = true
  }
  return marks.size === 0 ? undefined : marks
}

/** Begins a member, and removes the marks of an earlier one of the same name: the last one wins. */
function beginMember(marks: Exactness, frame: Frame, quoted: string): void {
  const name = quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1)
  frame.key = name
  frame.expectsName = false
  const marked = frame.holder && marks.get(frame.holder)
  if (marked !== undefined) delete marked[name]
}

/** Enters an object or array, and removes its earlier marks: the last of several duplicate members wins. */
function enter(marks: Exactness, { holder, key }: Frame, isArray: boolean): Frame {
  const value: unknown = holder && Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined
  const inner = typeof value === 'object' && value !== null ? value : undefined
  if (inner) marks.delete(inner)
  return { holder: inner, key: isArray ? 0 : '', expectsName: !isArray }
}

function record(marks: Exactness, { holder, key }: Frame, literal: string): void {
  if (holder === undefined) return
  const mark = inexactness(literal)
  if (mark === undefined) return
  const marked = marks.get(holder) ?? noMarks(holder)
  marks.set(holder, marked)
  marked[key] = mark
}

/** A `Map` is slow here: V8 gives texts of numbers hashes that collide. */
const noMarks = (holder: object): Marks =>
  Array.isArray(holder) ? ([] as object as Marks) : Object.create(null)

/** Returns the index after the closing quote. Reads each backslash once, at the quote that follows its run. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end + 1
}

function isEscaped(text: string, quote: number): boolean {
  let at = quote
  while (text.charCodeAt(at - 1) === backslash) at--
  return (quote - at) % 2 === 1
}

const isNumeric = (code: number): boolean => (code >= zero && code <= nine) || code === minus

function numberFrom(text: string, start: number): { readonly end: number; readonly hasExponent: boolean } {
  let hasExponent = false
  for (let at = start + 1; ; at++) {
    const code = text.charCodeAt(at)
    if (code === e || code === upperE) hasExponent = true
    else if (!(isNumeric(code) || code === dot || code === plus)) return { end: at, hasExponent }
  }
}
