/**
 * Finds the number literals of a JSON text that the parsed doubles do not spell.
 *
 * The reviver of `JSON.parse` with `context.source` is called for every value, which takes longer, and is recursive: a text
 * that is nested deeply makes it throw RangeError.
 */
import { type Inexactness, inexactness } from './decimal.ts'

/** Inexact numbers by the object or array that holds them, then by property name or index. */
export type Exactness = Map<object, Map<string, Inexactness>>

/** The object or array whose text the scanner is in. */
class Frame {
  /** Object or array of this text; undefined when a later duplicate name replaces it. */
  readonly holder: object | undefined
  readonly isArray: boolean
  /** The outermost frame refers to itself. */
  readonly outer: Frame
  /** The current or next member: its index in an array, its name in an object. */
  index = 0
  name = ''
  expectsName: boolean

  constructor(holder: object | undefined, isArray: boolean, outer?: Frame) {
    this.holder = holder
    this.isArray = isArray
    this.expectsName = !isArray
    this.outer = outer ?? this
  }

  get key(): string {
    return this.isArray ? String(this.index) : this.name
  }

  nextMember(): void {
    this.index++
    this.expectsName = !this.isArray
  }
}

/**
 * Walks a well-formed JSON text along with the value parsed from it. The walk is iterative and linear, and expands no
 * exponents, because the client chooses the depth and length of the text.
 *
 * @param root `{ '': value }`
 */
export function exactnessOf(text: string, root: object): Exactness | undefined {
  const marks: Exactness = new Map()
  let frame = new Frame(root, false)
  frame.expectsName = false
  for (let at = 0, end = 0; at < text.length; at = end) {
    const char = text.charAt(at)
    end = endOfToken(text, at, char)
    if (char === '"' && frame.expectsName) beginMember(marks, frame, text.slice(at, end))
    else if (char === '{' || char === '[') frame = enter(marks, frame, char === '[')
    else if (char === '}' || char === ']') frame = frame.outer
    else if (char === ',') frame.nextMember()
    else if (startsNumber(char)) record(marks, frame, text.slice(at, end))
  }
  return marks.size === 0 ? undefined : marks
}

function endOfToken(text: string, start: number, char: string): number {
  if (char === '"') return endOfString(text, start)
  return startsNumber(char) ? endOfNumber(text, start) : start + 1
}

/** Begins a member, and removes the marks of an earlier one of the same name: the last one wins. */
function beginMember(marks: Exactness, frame: Frame, quoted: string): void {
  frame.name = quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1)
  frame.expectsName = false
  unmark(marks, frame)
}

function unmark(marks: Exactness, { holder, name }: Frame): void {
  if (holder === undefined) return
  const marked = marks.get(holder)
  if (marked?.delete(name) && marked.size === 0) marks.delete(holder)
}

/** Enters an object or array, and removes its earlier marks: the last of several duplicate members wins. */
function enter(marks: Exactness, frame: Frame, isArray: boolean): Frame {
  const { holder, key } = frame
  const value: unknown = holder && Object.hasOwn(holder, key) ? Reflect.get(holder, key) : undefined
  const inner = typeof value === 'object' && value !== null ? value : undefined
  if (inner) marks.delete(inner)
  return new Frame(inner, isArray, frame)
}

function record(marks: Exactness, { holder, key }: Frame, literal: string): void {
  if (holder === undefined) return
  const mark = inexactness(literal)
  if (mark === undefined) return
  const marked = marks.get(holder) ?? new Map<string, Inexactness>()
  marks.set(holder, marked.set(key, mark))
}

/** Returns the index after the closing quote. Reads each backslash once, at the quote that follows its run. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1)
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1)
  return quote + 1
}

function isEscaped(text: string, quote: number): boolean {
  let at = quote
  while (text.charAt(at - 1) === '\\') at--
  return (quote - at) % 2 === 1
}

function startsNumber(char: string): boolean {
  return char === '-' || (char >= '0' && char <= '9')
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && '0123456789.eE+-'.includes(text.charAt(at))) at++
  return at
}
