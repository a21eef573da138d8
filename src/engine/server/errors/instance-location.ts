/** Names the place of a problem: `body/items/0/id`. Truncates and escapes names: they may come from the client. */

interface Placed {
  readonly instancePath: string
  readonly params: Record<string, unknown>
}

const maxNameLength = 64
const maxPlaceLength = 256

/** Parameters of Ajv's errors that name a property of the value at the instance path. */
const namingParameters = [
  'missingProperty',
  'additionalProperty',
  'unevaluatedProperty',
  'propertyName',
  'tag'
] as const

/**
 * Returns the place of an error.
 * @param location `body`, or empty where the instance path itself begins with the location
 */
export function placeOf({ instancePath, params }: Placed, location: 'body' | ''): string {
  const names = namingParameters
    .map((parameter) => params[parameter])
    .filter((name) => typeof name === 'string')
  const segments = [
    ...clipped(instancePath, 4 * maxPlaceLength)
      .split('/')
      .slice(1)
      .map(unescaped),
    ...names
  ].map(printable)
  const place = [location, ...segments].filter((segment, index) => index > 0 || segment !== '').join('/')
  if (place === '') return 'request'
  return clipped(place, maxPlaceLength).toWellFormed()
}

/** Removes the middle of a text that is too long. */
function clipped(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length / 2)}…${text.slice(-length / 2)}`
}

/** Unescapes a segment of a JSON pointer (RFC 6901, section 4). */
function unescaped(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** Escapes control and format characters, so that a name cannot hide or break a log line. */
function printable(name: string): string {
  const short = name.length > maxNameLength ? `${name.slice(0, maxNameLength)}…` : name
  return short.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escapeCharacter)
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
