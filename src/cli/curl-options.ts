/**
 * Writes the parts of a request as options of curl, which interprets more than the shell: `@file`, `<file`, `[1-9]` and
 * `{a,b}` in URLs, `;` in forms.
 */
import { printable } from './printable.ts'
import { quote, quoteWithVariables } from './shell.ts'

/** Returns true for the name of a header or of a cookie (RFC 9110, section 5.6.2); curl reads `@name` as a file. */
export const isToken = (name: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(name)

/** Returns the URL with the option for characters that curl would expand. */
export function urlArguments(url: string): readonly string[] {
  const globbing = /[[\]{}]/.test(url.replace(/^https?:\/\/\[[\da-f:.]+\]/, '')) ? ['--globoff'] : []
  return [...globbing, /[^\w.:/%-]/.test(url.replace(/^https?:/, '')) ? quote(printable(url)) : url]
}

/** Returns no option for a name that no request can have; a header without a value ends with a semicolon. */
export function headerOption(name: string, value: string): readonly string[] {
  if (!isToken(name)) return []
  return [`-H ${quote(value === '' ? `${name};` : printable(`${name}: ${value}`))}`]
}

/** @param mediaType with double quotes where nothing in it has a meaning */
export const contentTypeOption = (mediaType: string): string =>
  `-H ${quoteWithVariables(`Content-Type: ${printable(mediaType)}`)}`

/** @param text one line, or JSON; curl would read `@name` as a file */
export const dataOption = (text: string): string =>
  `${text.startsWith('@') ? '--data-raw' : '-d'} ${quote(printable(text))}`
