/** Preferences of a client: the header `Prefer` (RFC 7240), and the media types in `Accept`. */
import { negotiate, ranked } from '@contract-first/engine/media-types'

/** Preferences by name in lower case; the value is empty if the client sends none. */
export type Preferences = ReadonlyMap<string, string>

const token = String.raw`[!#$%&'*+.^_\x60|~\w-]+`
const value = String.raw`(?:${token}|"(?:[^"\\]|\\.)*")`
const parameter = String.raw`\s*;\s*(?:${token}(?:\s*=\s*${value})?)?`
const preference = new RegExp(String.raw`\s*(${token})(?:\s*=\s*(${value}))?(?:${parameter})*\s*(?:,|$)`, 'y')

/** Parses the header up to the first malformed preference; the first of several with one name counts (section 2). */
export function parsePrefer(header: string | string[] | undefined): Preferences {
  const text = [header ?? []].flat().join(',')
  const found = new Map<string, string>()
  for (let end = 0; end < text.length; end = preference.lastIndex) {
    preference.lastIndex = end
    const [, name, given = ''] = preference.exec(text) ?? []
    if (name === undefined) break
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), unquoted(given))
  }
  return found
}

function unquoted(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1).replaceAll(/\\(.)/g, '$1') : text
}

export function preferenceApplied(applied: Preferences): string {
  return [...applied].map(([name, text]) => `${name}=${quoted(text)}`).join(', ')
}

/** Quotes a value that is not a token; characters beyond ASCII become `?`. */
function quoted(text: string): string {
  if (new RegExp(`^${token}$`).test(text)) return text
  return `"${text.replaceAll(/[^\t\x20-\x7e]/g, '?').replaceAll(/["\\]/g, '\\$&')}"`
}

/** Types that are sent for a range that the client does not narrow. */
const usual: Readonly<Record<string, string>> = {
  '*/*': 'application/json',
  'application/*': 'application/json',
  'text/*': 'text/plain',
  'image/*': 'image/png'
}

/** @returns the type without its parameters */
export const essence = (mediaType: string): string => String(mediaType.split(';')[0]).trim().toLowerCase()

/** @returns the media type itself, or one within the range that the client prefers */
export function concreteType(mediaType: string, accept: string | undefined): string {
  const range = essence(mediaType)
  if (!range.includes('*')) return mediaType
  const wanted = (accept ?? '')
    .split(',')
    .map(essence)
    .filter((type) => /^[^*]+\/[^*]+$/.test(type))
  const [best] = ranked(
    accept,
    wanted.filter((type) => negotiate(range, [type]) === 0)
  )
  return best ?? usual[range] ?? range.replace('*', 'octet-stream')
}
