/**
 * Translates regular expressions of other languages (PCRE, Java, Python, POSIX) into ECMA-262 when the meaning stays
 * the same: JSON Schema says that patterns should be ECMA-262 (Validation 2020-12, section 6.3.3).
 */

/** POSIX character classes (IEEE 1003.1, section 9.3.5) as ranges of ECMA-262, for the inside of brackets. */
const posixClasses: ReadonlyMap<string, string> = new Map([
  ['alnum', '0-9A-Za-z'],
  ['alpha', 'A-Za-z'],
  ['ascii', '\\x00-\\x7f'],
  ['blank', ' \\t'],
  ['cntrl', '\\x00-\\x1f\\x7f'],
  ['digit', '0-9'],
  ['graph', '\\x21-\\x7e'],
  ['lower', 'a-z'],
  ['print', '\\x20-\\x7e'],
  ['punct', '!-\\/:-@\\x5b-\\x60\\x7b-\\x7e'],
  ['space', ' \\t-\\r'],
  ['upper', 'A-Z'],
  ['word', '\\w'],
  ['xdigit', '0-9A-Fa-f']
])

/** @returns the source itself if it is ECMA-262, otherwise its translation, or undefined when it has none */
export function translatePattern(source: string): string | undefined {
  const text = new Translator(isValid(source, 'u') ? source : withoutIntersections(source)).translate()
  return text !== undefined && isEcma(text) ? text : undefined
}

/** Writes a class of Java such as `[a-z&&[^bc]]` as what follows a lookahead. */
const withoutIntersections = (source: string): string =>
  source.replaceAll(/\[(?!\^)((?:\\.|[^[\]\\])*)&&(\[(?:\\.|[^[\]\\])*\])\]/g, '(?:(?=$2)[$1])')

/** Requires the flag `u`: without it, ECMA-262 reads `\p{L}` as the letter p and more, which changes the meaning. */
function isEcma(source: string): boolean {
  if (isValid(source, 'u')) return true
  return !/\\[pP]|\\u\{|\\k</.test(source) && isValid(source, '')
}

function isValid(source: string, flags: string): boolean {
  try {
    return new RegExp(source, flags) instanceof RegExp
  } catch {
    return false
  }
}

/** Matches one construct outside of brackets; its meaning decides which text replaces it. */
const outside =
  /\\Q(?<quoted>[\s\S]*?)(?:\\E|$)|\\x\{(?<code>[\da-fA-F]+)\}|\\(?<sign>[pP])(?<letter>[A-Z])|\\(?<family>[pP])\{(?<property>\w+)\}|\\(?<escaped>[\s\S])|(?<comment>\(\?#[^)]*\))|\(\?P=(?<same>\w+)\)|\(\?(?:P<|')(?<name>\w+)[>']|\(\?(?<flags>[a-zA-Z]*(?:-[a-zA-Z]+)?)(?<end>[:)])|\{,(?<most>\d+)\}|(?<character>[\s\S])/y

const inside =
  /\[:(?<posix>\^?[a-z]+):\]|\\x\{(?<code>[\da-fA-F]+)\}|\\(?<sign>[pP])(?<letter>[A-Z])|\\(?<family>[pP])\{(?<property>\w+)\}|\\(?<escaped>[\s\S])|(?<character>[\s\S])/y

type Groups = Readonly<Record<string, string | undefined>>

class Translator {
  readonly #source: string
  /** Flags switched on inside of each open group. */
  readonly #flags: string[][] = [[]]
  #isInClass = false
  #isTranslatable = true

  constructor(source: string) {
    this.#source = source
  }

  translate(): string | undefined {
    let text = ''
    for (let end = 0; end < this.#source.length; ) {
      const construct = this.#isInClass ? inside : outside
      construct.lastIndex = end
      // Both expressions end with any character, so that they always match.
      const { 0: written = '', groups = {} } = construct.exec(this.#source) ?? {}
      text += this.#isInClass ? this.#inClass(written, groups) : this.#outside(written, groups)
      end = construct.lastIndex
    }
    return this.#isTranslatable ? text + this.#closeFlags() : undefined
  }

  #outside(written: string, groups: Groups): string {
    const { quoted, comment, same, name, flags, most, character } = groups
    if (quoted !== undefined) return quoted.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    if (comment !== undefined) return ''
    if (same !== undefined) return `\\k<${same}>`
    if (name !== undefined) return this.#open(`(?<${name}>`)
    if (flags !== undefined) return this.#inlineFlags(flags, groups['end'] === ')')
    if (most !== undefined) return `{0,${most}}`
    if (character !== undefined) return this.#character(character)
    return this.#anchor(groups['escaped']) ?? this.#escape(written, groups)
  }

  #inClass(written: string, groups: Groups): string {
    const { posix, character } = groups
    if (posix !== undefined) return posixClasses.get(posix) ?? this.#unknown()
    if (character === ']') this.#isInClass = false
    return character ?? this.#escape(written, groups)
  }

  /** Translates an escape, in brackets and outside of them. */
  #escape(written: string, { code, sign, letter, family, property, escaped = '' }: Groups): string {
    if (foreignEscapes.test(escaped)) return this.#unknown()
    if (code !== undefined) return `\\u{${code}}`
    if (letter !== undefined) return `\\${sign}{${letter}}`
    if (property !== undefined) return this.#property(written, family === 'P', property)
    return controls[escaped] ?? written
  }

  /** Translates Java's names of the POSIX classes; names that Unicode has too keep their Unicode meaning. */
  #property(written: string, isNegative: boolean, name: string): string {
    const set = posixClasses.get(name.toLowerCase())
    if (isValid(written, 'u') || set === undefined) return written
    if (this.#isInClass) return isNegative ? this.#unknown() : set
    return `[${isNegative ? '^' : ''}${set}]`
  }

  /**
   * Translates the anchors of the start and the end of a text, whatever the flag `m`; `\Z` also matches before a last
   * line feed.
   */
  #anchor(letter: string | undefined): string | undefined {
    const isMultiline = /\(\?[a-zA-Z]*m/.test(this.#source)
    const [start, end] = isMultiline ? ['(?-m:^)', '(?-m:$)'] : ['^', '$']
    if (letter === 'A') return start
    if (letter === 'z') return end
    return letter === 'Z' ? `(?=\\n?${end})` : undefined
  }

  #character(character: string): string {
    if (character === '[') this.#isInClass = true
    if (character === '(') return this.#open('(')
    if (character === ')') {
      const closed = this.#closeFlags()
      this.#flags.pop()
      return `${closed})`
    }
    // Flags also hold for the alternatives that follow.
    if (character === '|') return `${this.#closeFlags()}|${(this.#flags.at(-1) ?? []).join('')}`
    return character
  }

  #open(text: string): string {
    this.#flags.push([])
    return text
  }

  /** Marks a construct that ECMA-262 lacks or reads otherwise. */
  #unknown(): string {
    this.#isTranslatable = false
    return ''
  }

  #closeFlags(): string {
    return ')'.repeat((this.#flags.at(-1) ?? []).length)
  }

  /**
   * Translates `(?i)`, which holds to the end of its group, by opening the group `(?i:`. The flag `u` already means
   * Unicode.
   */
  #inlineFlags(flags: string, isToEnd: boolean): string {
    const kept = flags.replaceAll('u', '').replace(/-$/, '')
    if (/[^ims-]/.test(kept)) return this.#unknown()
    const group = `(?${kept}:`
    if (!isToEnd) return this.#open(group)
    this.#flags.at(-1)?.push(group)
    return group
  }
}

/** Escapes that ECMA-262 lacks and that none of its constructs replaces exactly. */
const foreignEscapes = /[CGHKNRXgh]/

const controls: Readonly<Record<string, string>> = { a: '\\x07', e: '\\x1b' }
