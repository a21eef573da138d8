/** Texts that are almost valid: a validator that checks only their shape accepts them. The contract's own decides. */

const dates = ['2026-02-30', '2026-13-01', '2026-00-10', '26-01-01', '2026-1-1', '2026/01/01']
const times = ['25:00:00Z', '12:60:00Z', '12:00:00', '12:00Z', '120000Z']

const byFormat: Readonly<Record<string, readonly string[]>> = {
  date: dates,
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
  uuid: ['123e4567-e89b-12d3-a456-42661417400', 'g23e4567-e89b-12d3-a456-426614174000', '123e4567'],
  'json-pointer': ['a', '/~2', '/a~'],
  regex: ['(', '[a', '*'],
  byte: ['a', '!!!!', 'YQ==='],
  int32: [],
  int64: []
}

/** Returns texts that miss a format by one part. */
export const nearFormat = (format: string): readonly string[] => byFormat[format] ?? []

/** Returns texts that an unanchored pattern takes for the valid one, and one with a line break (`$` of some languages). */
export const nearPattern = (text: string): readonly string[] => [
  `${text}!`,
  `!${text}`,
  `${text}\n`,
  `\n${text}`,
  text.toUpperCase()
]
