/** The request header `Prefer` and the response header `Preference-Applied` (RFC 7240). */

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

/** Writes the preferences that were followed. */
export function preferenceApplied(applied: Preferences): string {
  return [...applied].map(([name, text]) => `${name}=${quoted(text)}`).join(', ')
}

/** Quotes a value that is not a token; characters beyond ASCII become `?`. */
function quoted(text: string): string {
  if (new RegExp(`^${token}$`).test(text)) return text
  return `"${text.replaceAll(/[^\t\x20-\x7e]/g, '?').replaceAll(/["\\]/g, '\\$&')}"`
}
