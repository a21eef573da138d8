/** Where in a request a problem is: `body/items/0/id`. Names may be the sender's, so they are bounded and made printable. */

interface Placed {
  readonly instancePath: string
  readonly params: Record<string, unknown>
}

const longestName = 64
const longestPlace = 256

/** Parameters of Ajv's errors that name a property of the value at the instance path. */
const namingParameters = [
  'missingProperty',
  'additionalProperty',
  'unevaluatedProperty',
  'propertyName',
  'tag'
] as const

/** @param location `body`, or empty where the instance path itself begins with the location */
export function placeOf({ instancePath, params }: Placed, location: 'body' | ''): string {
  const names = namingParameters
    .map((parameter) => params[parameter])
    .filter((name) => typeof name === 'string')
  const segments = [
    ...clipped(instancePath, 4 * longestPlace)
      .split('/')
      .slice(1)
      .map(unescaped),
    ...names
  ].map(printable)
  const place = [location, ...segments].filter((segment, index) => index > 0 || segment !== '').join('/')
  if (place === '') return 'request'
  return clipped(place, longestPlace).toWellFormed()
}

/** Without its middle when it is too long. */
function clipped(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length / 2)}…${text.slice(-length / 2)}`
}

/** JSON pointer (RFC 6901, section 4). */
function unescaped(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** Control and format characters are written as escapes, so that a name cannot disguise itself nor break a log line. */
function printable(name: string): string {
  const short = name.length > longestName ? `${name.slice(0, longestName)}…` : name
  return short.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, escapeCharacter)
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
