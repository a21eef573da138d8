/**
 * Values that are almost valid: a server that coerces types, or checks only the shape of a text, accepts them. The
 * contract's own validator decides.
 */

const dates = ['2026-02-30', '2026-13-01', '2026-00-10', '26-01-01', '2026-1-1', '2026/01/01']
const times = ['25:00:00Z', '12:60:00Z', '12:00:00', '12:00Z', '120000Z']

const byFormat: Readonly<Record<string, readonly string[]>> = {
  date: [...dates, '2026-01-01T00:00:00Z'],
  time: times,
  'date-time': [
    ...dates.map((date) => `${date}T12:00:00Z`),
    ...times.map((time) => `2026-01-01T${time}`),
    '2026-01-01',
    '1767225600'
  ],
  duration: ['P', 'P1', 'PT', '1D', 'P1S', 'P1Y1W'],
  email: ['a', 'a@', '@example.com', 'a b@example.com'],
  'idn-email': ['a', 'a@', '@example.com'],
  hostname: ['-a.example', 'a..example', 'a_b.example', `${'a'.repeat(64)}.example`],
  ipv4: ['1.2.3', '256.1.1.1', '1.2.3.4.5', '01.2.3.4'],
  ipv6: ['1::2::3', '12345::', '1:2:3', '::1%eth0'],
  uri: ['//example.com/a', 'a b', 'https://example.com/a b', '/only/a/path'],
  'uri-reference': ['a b', '%zz'],
  uuid: [
    '123e4567-e89b-12d3-a456-42661417400',
    'g23e4567-e89b-12d3-a456-426614174000',
    '123e4567e89b12d3a456426614174000',
    '{123e4567-e89b-12d3-a456-426614174000}'
  ],
  'json-pointer': ['a', '/~2', '/a~'],
  regex: ['(', '[a', '*'],
  byte: ['a', '!!!!', 'YQ==='],
  int32: [],
  int64: []
}

/** Values by what is wrong with them. */
type Near = Readonly<Record<string, unknown>>

/** Returns texts that miss a format by one part. */
export const nearFormat = (format: string): Near =>
  Object.fromEntries((byFormat[format] ?? []).map((text) => [text, text]))

/** Returns texts that an unanchored pattern takes for the valid one, and one with a line break (`$` of some languages). */
export const nearPattern = (text: string): Near => ({
  'more after it': `${text}!`,
  'more before it': `!${text}`,
  'a line break after it': `${text}\n`,
  'a line break before it': `\n${text}`,
  'in capitals': text.toUpperCase()
})

/** Returns a listed text in another letter case, and with a space. */
export const nearListed = (text: string): Near => ({
  'in another case': text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase(),
  'with a space': `${text} `
})

/**
 * Returns values that a server which coerces types takes for the given one.
 * @param isText true where numbers and booleans are sent as texts: in a URL, a header or a form
 */
export function coercible(value: unknown, isText: boolean): Near {
  if (Array.isArray(value)) return value.length > 0 ? { 'an item alone': value[0] } : {}
  if (typeof value === 'boolean')
    return isText ? { capital: 'True', digit: '1', word: 'yes' } : { text: 'true', digit: 1 }
  if (typeof value !== 'number' && typeof value !== 'bigint') return {}
  if (isText) return { 'with a plus': `+${value}`, 'with a letter': `${value}x` }
  return { text: String(value), ...(typeof value === 'number' && { 'with a fraction': value + 0.5 }) }
}
