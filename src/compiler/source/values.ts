/**
 * Text of a contract in source code: names of files and functions, plain data in the style of the formatter of a new project,
 * and comments.
 */

const maxLineLength = 110

/**
 * Returns a text in single quotes. Line terminators that JSON allows in a string are escaped, too: editors show them as
 * line ends. So is the dollar sign of `${`, which linters take for a template that lost its back quotes.
 */
export function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')
  const escaped = inner
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
    .replaceAll('${', '\\u0024{')
  if (!escaped.includes("'") || escaped.includes('"')) return `'${escaped.replaceAll("'", "\\'")}'`
  return `"${escaped}"`
}

/** Returns source code of the text with the same lines. */
export function template(text: string): string {
  return `\`${text.replaceAll(/[\\`]|\$(?=\{)/g, '\\$&').replaceAll('\r', '\\r')}\``
}

export function templateText(source: string): string {
  return source.slice(1, -1).replaceAll(/\\([\\`$r])/g, (_escape, sign) => (sign === 'r' ? '\r' : sign))
}

const isIdentifier = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name)

export function keyOf(name: string): string {
  if (name === '__proto__') return "['__proto__']"
  return isIdentifier(name) || /^(0|[1-9]\d{0,14})$/.test(name) ? name : quoted(name)
}

export const propertyAccess = (object: string, name: string): string =>
  isIdentifier(name) ? `${object}.${name}` : `${object}[${quoted(name)}]`

/** A part of a value that is already source code. */
export class Source {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

interface Position {
  /** Columns before each line. */
  readonly indent?: number
  /** Columns that the line has before and after the value. */
  readonly used?: number
  /** Constants that hold objects of the value. */
  readonly names?: ReadonlyMap<object, string>
}

/** @returns source code of the value: bytes as a Buffer, a bigint as a bigint, undefined members left out */
export function sourceOf(value: unknown, position: Position = {}): string {
  if (value instanceof Source) return value.text
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'string') return quoted(value)
  if (value instanceof Uint8Array)
    return `Buffer.from(${quoted(Buffer.from(value).toString('base64'))}, 'base64')`
  if (typeof value !== 'object' || value === null) return String(value)
  return position.names?.get(value) ?? collection(value, position)
}

function collection(value: object, { indent = 0, used = 0, names }: Position): string {
  const inner: Position = { indent: indent + 2, ...(names && { names }) }
  const parts = Array.isArray(value)
    ? value.map((item) => sourceOf(item, inner))
    : Object.entries(value).flatMap(([name, member]) => memberOf(name, member, inner))
  const [open, close, space] = Array.isArray(value) ? ['[', ']', ''] : ['{', '}', ' ']
  if (parts.length === 0) return `${open}${close}`
  const columns = parts.reduce((sum, { length }) => sum + length + 2, indent + used + 2 * space.length)
  if (columns <= maxLineLength && parts.every((part) => !part.includes('\n')))
    return `${open}${space}${parts.join(', ')}${space}${close}`
  const before = ' '.repeat(indent + 2)
  return `${open}\n${parts.map((part) => `${before}${part}`).join(',\n')}\n${' '.repeat(indent)}${close}`
}

function memberOf(name: string, member: unknown, position: Position): string[] {
  if (member === undefined) return []
  if (member instanceof Source && member.text === name) return [name]
  const key = keyOf(name)
  return [`${key}: ${sourceOf(member, { ...position, used: key.length + 3 })}`]
}

/**
 * Returns the text for a comment of one line, of any kind: without line ends, without other characters that an editor
 * or a terminal interprets, and without the end of a block comment.
 */
export function commentText(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(/[\p{Bidi_Control}\p{Cs}]/gu, '\ufffd')
    .replaceAll('*/', '*\\/')
    .trim()
}

/** Splits `listThings`, `things.list` or `get_HTTPStatus` into words in lower case; letters lose their accents. */
function wordsOf(name: string): string[] {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase())
}

/**
 * Returns each name once; names that differ only in case count as equal, because some file systems do not distinguish
 * them.
 */
export class UniqueNames {
  readonly #taken: Set<string>

  constructor(taken: Iterable<string> = []) {
    this.#taken = new Set([...taken].map((name) => name.toLowerCase()))
  }

  /** @param serial adds a number to the name */
  take(name: string, serial: (name: string, count: number) => string): string {
    let free = name
    for (let count = 2; this.#taken.has(free.toLowerCase()); count++) free = serial(name, count)
    this.#taken.add(free.toLowerCase())
    return free
  }
}

/** Device names that Windows reserves. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)$/

/** Longest name of a file or folder: some systems refuse longer paths. */
const maxLength = 80

/** @param fallback name for a text without Latin letters and digits */
export function fileName(text: string, fallback: string): string {
  const name = wordsOf(text).join('-').slice(0, maxLength).replace(/-$/, '')
  if (name === '') return fallback
  return devices.test(name) ? `${name}-${fallback}` : name
}

export const numberedFile = (name: string, count: number): string => `${name}-${count}`

const capitalised = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`

/** Returns an identifier: `listThings`. */
export function identifier(text: string, fallback: string): string {
  const words = wordsOf(text)
  const [first = '', ...rest] = /^\D/.test(words.join('')) ? words : [fallback, ...words]
  const name = [first, ...rest.map(capitalised)].join('')
  return reserved.has(name) ? `${name}${capitalised(fallback)}` : name
}

export const numberedIdentifier = (name: string, count: number): string => `${name}${count}`

/** Reserved words (ECMA-262, section 12.7.2), including those of strict mode, and names that must not be shadowed. */
const reserved = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  ...`arguments await break case catch class const continue debugger default delete do else enum eval export extends
  false finally for function if implements import in instanceof interface let new null package private protected
  public return static super switch this throw true try typeof undefined var void while with yield async of globalThis
  NaN Infinity isNaN isFinite parseInt parseFloat escape unescape fetch crypto performance process console global
  structuredClone`.split(/\s+/)
])
