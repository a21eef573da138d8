/** Names of files and functions, made from the names of a contract, which may be any text. */

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
