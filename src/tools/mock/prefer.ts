/** Preferences of a client: the header `Prefer` (RFC 7240), and the media types in `Accept`. */
import { FailureError } from '@contract-first/engine/errors'
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

/** Most items of a sequence, and the longest time between two of them. */
const [maxItems, maxWait] = [10_000, 60]

/** Pace of a sequence. */
export interface Pace {
  /** Number of items; undefined for the usual ones. */
  readonly items: number | undefined
  /** Time between two items. */
  readonly waitMs: number
}

/** @throws {FailureError} 400 for what is not a number within the bounds */
export function paceOf(preferences: Preferences): Pace {
  const [items, wait] = [preferences.get('items'), preferences.get('wait')]
  return {
    items: items === undefined ? undefined : numberIn(items, /^\d{1,9}$/, { name: 'items', most: maxItems }),
    waitMs: 1000 * numberIn(wait ?? '0', /^\d{1,9}(?:\.\d{1,3})?$/, { name: 'wait', most: maxWait })
  }
}

function numberIn(text: string, form: RegExp, { name, most }: { name: string; most: number }): number {
  const number = form.test(text) ? Number(text) : Number.NaN
  if (number <= most) return number
  const what = name === 'items' ? 'an integer' : 'a number of seconds'
  const problem = { place: 'headers/prefer', message: `${name} must be ${what} from 0 to ${most}` }
  throw new FailureError('mismatch', {
    message: `${problem.place}: ${problem.message}`,
    problems: [problem]
  })
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
