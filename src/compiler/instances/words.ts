/** Texts that a person would write, by the name of the property that holds them. */
import fc from 'fast-check'

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

export const word: fc.Arbitrary<string> = one(plain)
export const slug = joined('-', one(plain), one(things))
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
