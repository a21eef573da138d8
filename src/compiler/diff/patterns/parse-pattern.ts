/** Parses the regular part of ECMA-262's expressions: no assertions except `^` and `$`, no back references. */
import {
  anyButLineTerminators,
  type CharacterSet,
  complement,
  digits,
  type Range,
  spaces,
  wordCharacters
} from './character-sets.ts'

export type Pattern =
  | { readonly type: 'set'; readonly set: CharacterSet }
  | { readonly type: 'start' | 'end' }
  | { readonly type: 'sequence' | 'choice'; readonly parts: readonly Pattern[] }
  | { readonly type: 'repeat'; readonly part: Pattern; readonly least: number; readonly most: number }

/** The pattern has a construct that is not regular. */
class Irregular extends Error {}

/**
 * @param source a valid expression
 * @returns undefined for a pattern that is not regular
 */
export function parsePattern(source: string): Pattern | undefined {
  try {
    return new Parser(source).parse()
  } catch {
    return undefined // Only Irregular is thrown here.
  }
}

const quantifier = /[*+?]|\{(\d+)(?:(,)(\d*))?\}/y
const groupStart = /\((?:\?:|\?<[^=!>][^>]*>)?/y
const escapeSequence =
  /\\(?:(?<class>[dDsSwW])|(?<control>[nrtfv0])|x(?<hex>[\da-fA-F]{2})|u(?:\{(?<point>[\da-fA-F]+)\}|(?<unit>[\da-fA-F]{4}))|(?<sign>[^\p{L}\p{N}_]))/uy

class Parser {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  parse(): Pattern {
    return this.#choice()
  }

  #choice(): Pattern {
    const parts = [this.#sequence()]
    while (this.#take('|')) parts.push(this.#sequence())
    return { type: 'choice', parts }
  }

  #sequence(): Pattern {
    const parts: Pattern[] = []
    while (this.#at < this.#source.length && !'|)'.includes(this.#peek())) parts.push(this.#term())
    return { type: 'sequence', parts }
  }

  #term(): Pattern {
    if (this.#take('^')) return { type: 'start' }
    if (this.#take('$')) return { type: 'end' }
    let part = this.#atom()
    for (let found = this.#match(quantifier); found !== undefined; found = this.#match(quantifier)) {
      part = { type: 'repeat', part, ...limitsOf(found) }
      this.#take('?')
    }
    return part
  }

  #atom(): Pattern {
    if (this.#peek() === '(') return this.#group()
    if (this.#peek() === '\\') return { type: 'set', set: this.#escape() }
    if (this.#take('[')) return { type: 'set', set: this.#class() }
    if (this.#take('.')) return { type: 'set', set: anyButLineTerminators }
    if ('*+?{'.includes(this.#peek())) throw new Irregular()
    return { type: 'set', set: single(this.#character()) }
  }

  #group(): Pattern {
    if (this.#match(groupStart) === undefined || this.#peek() === '?') throw new Irregular()
    const inner = this.#choice()
    this.#take(')')
    return inner
  }

  #class(): CharacterSet {
    const isNegative = this.#take('^')
    const set: Range[] = []
    while (!this.#take(']')) set.push(...this.#classRange())
    return isNegative ? complement(set) : set
  }

  #classRange(): CharacterSet {
    const first = this.#classMember()
    const isRange = this.#peek() === '-' && this.#source[this.#at + 1] !== ']'
    if (!isRange) return first
    this.#take('-')
    const last = this.#classMember()
    return [[pointOf(first), pointOf(last)]]
  }

  #classMember(): CharacterSet {
    return this.#peek() === '\\' ? this.#escape() : single(this.#character())
  }

  #escape(): CharacterSet {
    const { class: name, control, hex, point, unit, sign } = this.#match(escapeSequence)?.groups ?? {}
    if (name !== undefined) return classes[name] ?? []
    if (control !== undefined) return single(Number(controls[control]))
    const code = hex ?? point ?? unit
    if (code !== undefined) return single(Number.parseInt(code, 16))
    if (sign === undefined) throw new Irregular()
    return single(Number(sign.codePointAt(0)))
  }

  #character(): number {
    const point = Number(this.#source.codePointAt(this.#at))
    this.#at += point > 0xffff ? 2 : 1
    return point
  }

  #peek(): string {
    return this.#source.charAt(this.#at)
  }

  #take(character: string): boolean {
    const isNext = this.#peek() === character
    if (isNext) this.#at++
    return isNext
  }

  #match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#source)
    if (found === null) return undefined
    this.#at = expression.lastIndex
    return found
  }
}

const single = (point: number): CharacterSet => [[point, point]]

/** Returns the single character that begins or ends a range: `[\d-z]` has none. */
function pointOf(set: CharacterSet): number {
  const [[first, last] = [0, 1]] = set
  if (set.length !== 1 || first !== last) throw new Irregular()
  return first
}

const classes: Readonly<Record<string, CharacterSet>> = {
  d: digits,
  D: complement(digits),
  w: wordCharacters,
  W: complement(wordCharacters),
  s: spaces,
  S: complement(spaces)
}

const controls: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11, 0: 0 }

function limitsOf([written, least, comma, most]: RegExpExecArray): { least: number; most: number } {
  const endless = Number.POSITIVE_INFINITY
  if (least === undefined) return { least: written === '+' ? 1 : 0, most: written === '?' ? 1 : endless }
  if (comma === undefined) return { least: Number(least), most: Number(least) }
  return { least: Number(least), most: most === '' ? endless : Number(most) }
}
