/**
 * Reads JSON texts (RFC 8259) without a parser of YAML: a contract of megabytes is parsed by the engine, and its text is
 * searched only for the parts whose places are asked for.
 */
import type { Json } from '../model/json.ts'

/** Levels up to which a text is read as JSON. The parser of YAML refuses texts of more than 100. */
const maxLevels = 80

/**
 * Returns the value of a JSON text; undefined for any other text, and for one that YAML refuses or reads otherwise:
 * with two members of one name, numbers beyond the range of a double, or too many levels.
 */
export function jsonValue(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json
    return namesOf(value) === namesIn(text) ? value : undefined
  } catch {
    return undefined
  }
}

/** Counts the names of members; NaN for a value that is not read as JSON. */
function namesOf(value: Json, level = 0): number {
  if (typeof value === 'number') return Number.isFinite(value) ? 0 : NaN
  if (typeof value !== 'object' || value === null) return 0
  if (level > maxLevels) return NaN
  const items: readonly Json[] = Array.isArray(value) ? value : Object.values(value)
  let names = items === value ? 0 : items.length
  for (const item of items) names += namesOf(item, level + 1)
  return names
}

/** Counts the names as written, each as often as it is repeated. */
function namesIn(text: string): number {
  let names = 0
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at)) {
    at = endOfString(text, at)
    if (text[skip(text, at, white)] === ':') names++
  }
  return names
}

/** A value of a JSON text as yaml-ast-parser has values of YAML. Its parts are searched when they are asked for. */
export class JsonNode {
  readonly kind = 0
  readonly startPosition: number
  /** Member that has this value. */
  readonly parent: JsonMember | undefined
  readonly #text: string
  /** Ends of objects and lists by their starts, as far as the text was searched. */
  readonly #ends: Map<number, number>
  #mappings: readonly JsonMember[] | undefined

  constructor(
    text: string,
    startPosition = skip(text, 0),
    ends = new Map<number, number>(),
    parent?: JsonMember
  ) {
    this.#text = text
    this.startPosition = startPosition
    this.#ends = ends
    this.parent = parent
  }

  /** Text of a scalar, without quotes. */
  get value(): string | undefined {
    const written = this.#text.slice(this.startPosition, endOf(this.#text, this.startPosition, this.#ends))
    if (/^[{[]/.test(written)) return undefined
    return written.startsWith('"') ? JSON.parse(written) : written
  }

  /** Members of an object. */
  get mappings(): readonly JsonMember[] | undefined {
    if (this.#text[this.startPosition] === '{') this.#mappings ??= this.#members()
    return this.#mappings
  }

  get items(): JsonNode[] | undefined {
    if (this.#text[this.startPosition] !== '[') return undefined
    return this.#parts().map((start) => new JsonNode(this.#text, start, this.#ends))
  }

  #members(): JsonMember[] {
    const parts = this.#parts()
    return parts.flatMap((start, index) =>
      index % 2 === 0 ? [new JsonMember(this.#text, start, Number(parts[index + 1]), this.#ends)] : []
    )
  }

  /** Returns the offsets of items, or of names and values in turn. */
  #parts(): number[] {
    const [text, parts] = [this.#text, [] as number[]]
    for (let at = skip(text, this.startPosition + 1); !/[}\]]/.test(String(text[at])); ) {
      parts.push(at)
      at = skip(text, endOf(text, at, this.#ends))
    }
    return parts
  }
}

class JsonMember {
  readonly kind = 1
  readonly startPosition: number
  readonly key: JsonNode
  readonly value: JsonNode

  constructor(text: string, name: number, value: number, ends: Map<number, number>) {
    this.startPosition = name
    this.key = new JsonNode(text, name, ends)
    this.value = new JsonNode(text, value, ends, this)
  }
}

const white = /[ \t\n\r]*/y
const separators = /[ \t\n\r:,]*/y
const literal = /[^ \t\n\r,\]}]*/y

/** Returns the offset after what the pattern matches. */
function skip(text: string, at: number, pattern = separators): number {
  pattern.lastIndex = at
  pattern.test(text)
  return pattern.lastIndex
}

/** Returns the offset after a value, and keeps those of the objects and lists in it. */
function endOf(text: string, start: number, ends: Map<number, number>): number {
  const known = ends.get(start)
  if (known !== undefined) return known
  const open: number[] = []
  for (let at = start; ; at++) {
    const sign = text.charCodeAt(at)
    if (sign === signs.quote) at = endOfString(text, at) - 1
    else if (sign === signs.object || sign === signs.list) open.push(at)
    else if (sign === signs.endOfObject || sign === signs.endOfList) ends.set(open.pop() ?? start, at + 1)
    else if (at === start) return skip(text, at, literal)
    else continue
    if (open.length === 0) return at + 1
  }
}

const signs = { quote: 0x22, object: 0x7b, endOfObject: 0x7d, list: 0x5b, endOfList: 0x5d } as const

/** Returns the offset after a string: after the first quote with an even number of backslashes before it. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let first = end
    while (text[first - 1] === '\\') first--
    if ((end - first) % 2 === 0) return end + 1
  }
}
