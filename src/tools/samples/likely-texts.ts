/** Texts of the formats that OpenAPI and JSON Schema name, and texts that a person would write into a property. */
import fc from 'fast-check'
import type { Style } from './schemas.ts'

const given = ['Ada', 'Bela', 'Carla', 'Dario', 'Elin', 'Farid', 'Greta', 'Hugo', 'Ines', 'Jonas']
const family = ['Alvarez', 'Brandt', 'Costa', 'Dvorak', 'Eriksen', 'Fontana', 'Gruber', 'Haddad']
const cities = ['Lisbon', 'Graz', 'Oslo', 'Turin', 'Bergen', 'Porto', 'Gent', 'Kyoto']
const countries = ['Portugal', 'Austria', 'Norway', 'Italy', 'Belgium', 'Japan']
const plain = ['amber', 'birch', 'cedar', 'dune', 'ember', 'fern', 'grove', 'harbor', 'iris', 'juniper']
const things = ['lamp', 'chair', 'garden', 'river', 'window', 'basket', 'bridge', 'market', 'letter', 'clock']

const one = (words: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...words)
const joined = (separator: string, ...parts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((words) => words.join(separator))
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const word: fc.Arbitrary<string> = one(plain)
const slug = joined('-', one(plain), one(things))
const title = joined(' ', one(plain), one(things)).map(capital)
const sentence = joined(
  ' ',
  one(['The', 'This', 'Another']),
  one(plain),
  one(things),
  fc.constant('is ready.')
)
const code = fc
  .tuple(fc.stringMatching(/^[A-Z]{2}$/), fc.integer({ min: 100, max: 999 }))
  .map((both) => both.join('-'))

/** Texts by a part of the property's name; the first match counts. */
const texts: readonly (readonly [RegExp, fc.Arbitrary<string>])[] = [
  [/e-?mail/i, joined('', one(plain), fc.constant('.'), one(things), fc.constant('@example.com'))],
  [/(ur[li]|link|href|website|homepage)$/i, slug.map((text) => `https://example.com/${text}`)],
  [/^(first|given)_?-?name/i, one(given)],
  [/^(last|family|sur)_?-?name/i, one(family)],
  [
    /(full|user|display|owner|author|customer|contact|person)_?-?name$/i,
    joined(' ', one(given), one(family))
  ],
  [/(description|summary|message|detail|comment|note|text|body|reason)/i, sentence],
  [/(phone|mobile|fax)/i, fc.integer({ min: 1_000_000, max: 9_999_999 }).map((digits) => `+43 1 ${digits}`)],
  [/(city|town)/i, one(cities)],
  [/country_?-?code|^country$/i, one(countries)],
  [/currency/i, one(['EUR', 'USD', 'JPY', 'NOK'])],
  [/(locale|language|^lang$)/i, one(['en', 'de', 'pt', 'ja'])],
  [/(colou?r)/i, one(['red', 'green', 'blue', 'yellow'])],
  [/version/i, joined('.', one(['1', '2', '3']), one(['0', '1', '4']), one(['0', '2', '7']))],
  [/(name|title|label|subject)$/i, title],
  [/(^id$|_id$|Id$|key|token|code|number|sku|reference|^ref$)/, code],
  [/(path|file|folder|directory)/i, slug.map((text) => `/${text}`)],
  [/(slug|tag|type|kind|status|state|role|category)/i, word]
]

/** @param name name of the property; empty without a property */
export function plainText(name: string): fc.Arbitrary<string> {
  return texts.find(([names]) => names.test(name))?.[1] ?? (name === '' ? slug : title)
}

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

/** Other names of a format, and formats whose texts include those of another one. */
const aliases = new Map([
  ['iso-time', 'time'],
  ['iso-date-time', 'date-time'],
  ['idn-email', 'email'],
  ['idn-hostname', 'hostname'],
  ['url', 'uri'],
  ['iri', 'uri'],
  ['iri-reference', 'uri-reference'],
  ['base64', 'byte']
])

/** Returns what a table has for a format. */
function entryOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  const format = aliases.get(name) ?? name
  return Object.hasOwn(table, format) ? table[format] : undefined
}

const formats: Readonly<Record<string, (style: Style) => fc.Arbitrary<string>>> = {
  date: (style) => moments(style).map((text) => text.slice(0, 10)),
  time: clock,
  'date-time': moments,
  duration: () => duration,
  email: plainOr(
    email,
    email.map((text) => `first.last+${text}`)
  ),
  hostname: plainOr(host, fc.domain({ size: 'xsmall' })),
  ipv4: (style) => (style.isPlain ? fc.nat(255).map((last) => `192.0.2.${last}`) : fc.ipV4()),
  ipv6: (style) => (style.isPlain ? fc.nat(9999).map((last) => `2001:db8::${last}`) : fc.ipV6()),
  uri: () => plainUrl,
  'uri-reference': plainOr(plainUrl, path),
  'uri-template': () => path.map((text) => `https://example.com${text}/{id}`),
  uuid: () => fc.uuid({ version: 4 }),
  'json-pointer': () => path,
  'json-pointer-uri-fragment': () => path.map((text) => `#${text}`),
  'relative-json-pointer': () => fc.tuple(fc.nat(3), path).map((parts) => parts.join('')),
  regex: () => fc.constantFrom('^[a-z]+$', String.raw`^\d{3}$`, '^(red|blue)$'),
  byte: encoded('base64'),
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
  return entryOf(formats, name)?.(style)
}

const day = String.raw`(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31`
const dates = [String.raw`202\d-(?:${day})`, String.raw`\d{4}-(?:${day})`]
const time = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-3]):[0-5]\d)`
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'
const name = String.raw`${label}(?:\.${label})*`
const local = String.raw`[\w+-]+(?:\.[\w+-]+)*`
const octet = String.raw`(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])`
const hex = '[0-9a-fA-F]'
const group = `${hex}{1,4}`
const segments = String.raw`(?:/[\w.~-]+)*/?(?:\?[\w=&-]+)?(?:#\w+)?`
const authority = String.raw`//${name}(?::\d{2,4})?${segments}`
const urls = [
  `https:${authority}`,
  `[a-z][a-z0-9+.-]*:${authority}`,
  String.raw`[a-z][a-z0-9+.-]*:[\w.:@/-]+`
]
const sextet = '[A-Za-z0-9+/]'

/** Patterns of texts of a format, the likely ones first; they need not match all texts of the format. */
const patterns: Readonly<Record<string, readonly string[]>> = {
  date: dates,
  time: [time],
  'date-time': dates.map((date) => `${date}T${time}`),
  duration: [String.raw`P(?!$)(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?|P\d+W`],
  email: [String.raw`${local}@${name}\.[a-z]{2,}`, `${local}@${name}`],
  hostname: [name],
  ipv4: [String.raw`${octet}(?:\.${octet}){3}`],
  ipv6: [`(?:${group}:){7}${group}|(?:${group}:){1,5}(?::${group}){1,2}|::${group}`],
  uri: urls,
  'uri-reference': [...urls, segments],
  uuid: [`${hex}{8}-${hex}{4}-[1-8]${hex}{3}-[89abAB]${hex}{3}-${hex}{12}`],
  'json-pointer': [String.raw`(?:/[\w-]*)*`],
  byte: [`(?:${sextet}{4})*(?:${sextet}[AQgw]==|${sextet}{2}[AEIMQUYcgkosw048]=)?`],
  int32: [String.raw`-?[1-9]\d{0,8}|0`],
  int64: [String.raw`-?[1-9]\d{0,17}|0`],
  decimal: [String.raw`-?\d+(?:\.\d+)?`]
}

/** Returns patterns of which each text is one of the format, mostly; an empty list for any other name. */
export function formatPatterns(name: string): readonly string[] {
  return entryOf(patterns, name)?.map((source) => `^(?:${source})$`) ?? []
}
