/** Texts of the formats that OpenAPI and JSON Schema name. */
import fc from 'fast-check'
import type { Style } from './instances-of.ts'
import { slug, word } from './words.ts'

const recent = { min: new Date('2024-01-01T00:00:00Z'), max: new Date('2026-12-31T23:59:59Z') }
const era = { min: new Date('0001-01-02T00:00:00Z'), max: new Date('9999-12-30T23:59:59Z') }

/** Makes times; those of a plain instance are whole seconds. */
function moments({ isPlain }: Style): fc.Arbitrary<string> {
  const present = fc.date({ ...recent, noInvalidDate: true }).map((date) => date.toISOString())
  if (isPlain) return present.map((text) => text.replace(/\.\d+/, ''))
  return fc.oneof(
    present,
    fc.date({ ...era, noInvalidDate: true }).map((date) => date.toISOString())
  )
}

const duration = fc
  .tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 0, max: 23 }))
  .map(([days, hours]) => (hours === 0 ? `P${days}D` : `P${days}DT${hours}H`))
const host = fc
  .tuple(word, fc.constantFrom('com', 'org', 'net'))
  .map(([name, top]) => `${name}.example.${top}`)
const encoded = (encoding: BufferEncoding) => (style: Style) =>
  style.isPlain
    ? slug.map((text) => Buffer.from(text).toString(encoding))
    : fc.uint8Array({ maxLength: 24 }).map((bytes) => Buffer.from(bytes).toString(encoding))
const plainOr = (plain: fc.Arbitrary<string>, any: fc.Arbitrary<string>) => (style: Style) =>
  style.isPlain ? plain : fc.oneof(plain, any)
const plainUrl = fc.tuple(host, slug).map((parts) => `https://${parts.join('/')}`)
const email = fc.tuple(word, host).map((parts) => parts.join('@'))
const clock = (style: Style) => moments(style).map((text) => text.slice(11))
const path = fc.tuple(word, word).map((names) => `/${names.join('/')}`)
const localDigits = (digits: number) =>
  fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 10 ** digits - 1 }))

const formats: Readonly<Record<string, (style: Style) => fc.Arbitrary<string>>> = {
  date: (style) => moments(style).map((text) => text.slice(0, 10)),
  time: clock,
  'date-time': moments,
  'iso-time': clock,
  'iso-date-time': moments,
  duration: () => duration,
  email: plainOr(
    email,
    email.map((text) => `first.last+${text}`)
  ),
  'idn-email': () => email,
  hostname: plainOr(host, fc.domain({ size: 'xsmall' })),
  'idn-hostname': () => host,
  ipv4: (style) => (style.isPlain ? fc.nat(255).map((last) => `192.0.2.${last}`) : fc.ipV4()),
  ipv6: (style) => (style.isPlain ? fc.nat(9999).map((last) => `2001:db8::${last}`) : fc.ipV6()),
  uri: () => plainUrl,
  url: () => plainUrl,
  iri: () => plainUrl,
  'uri-reference': plainOr(plainUrl, path),
  'iri-reference': plainOr(plainUrl, path),
  'uri-template': () => path.map((text) => `https://example.com${text}/{id}`),
  uuid: () => fc.uuid({ version: 4 }),
  'json-pointer': () => path,
  'json-pointer-uri-fragment': () => path.map((text) => `#${text}`),
  'relative-json-pointer': () => fc.tuple(fc.nat(3), path).map((parts) => parts.join('')),
  regex: () => fc.constantFrom('^[a-z]+$', String.raw`^\d{3}$`, '^(red|blue)$'),
  byte: encoded('base64'),
  base64: encoded('base64'),
  base64url: encoded('base64url'),
  base16: encoded('hex'),
  base32: () => fc.stringMatching(/^[A-Z2-7]{8}$/),
  int32: () => localDigits(6).map((parts) => parts.join('')),
  int64: () => localDigits(15).map((parts) => parts.join('')),
  decimal: () => localDigits(2).map((parts) => parts.join('.')),
  password: () => slug.map((text) => `${text}-7`)
}

/**
 * @param name a format, or a `contentEncoding`
 * @returns undefined for a name that does not constrain the text
 */
export function formatInstances(name: string, style: Style): fc.Arbitrary<string> | undefined {
  return Object.hasOwn(formats, name) ? formats[name]?.(style) : undefined
}
