/** Text of others on a terminal: of a contract, a client, a server or a file. */

/** Characters that a terminal interprets or that change the order of what it shows: control characters, line and paragraph
 * separators, bidirectional formatting (Unicode Standard Annex 9), halves of a surrogate pair. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}]/gu

export const isPrintable = (text: string): boolean => text.search(unprintable) === -1

/** Returns the text on one line, each character that a terminal would interpret replaced by one that takes a column. */
export const printable = (text: string): string =>
  text.replaceAll('\t', ' ').replaceAll(unprintable, '\ufffd')

/** Returns the JSON text with the same meaning, its lines kept. */
export const printableJson = (json: string): string =>
  json.replaceAll(unprintable, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  )
