import t from 'tap'
import { UndecodableParameter } from '../../../../src/engine/server/parameters/decoded.ts'
import {
  cookieDecode,
  cookiePairs,
  formDecode,
  pairsOf,
  percentDecode
} from '../../../../src/engine/server/parameters/pairs.ts'

/** Returns the text; undefined if it cannot be decoded. */
function result(decode: (text: string) => string, text: string): string | undefined {
  try {
    return decode(text)
  } catch (error) {
    if (error instanceof UndecodableParameter) return undefined
    throw error
  }
}

t.test('texts are percent-decoded as their place demands', async (t) => {
  const rows: [text: string, path: string | undefined, query: string | undefined, cookie: string][] = [
    ['', '', '', ''],
    ['plain', 'plain', 'plain', 'plain'],
    ['a%20b', 'a b', 'a b', 'a b'],
    ['a+b', 'a+b', 'a b', 'a+b'],
    ['a%2Bb+%2b', 'a+b++', 'a+b +', 'a+b++'],
    ['%E2%82%AC', '€', '€', '€'],
    ['100%', undefined, undefined, '100%'],
    ['%zz', undefined, undefined, '%zz'],
    ['%ff', undefined, undefined, '%ff'],
    ['%C0%80', undefined, undefined, '%C0%80'],
    ['%ED%A0%80', undefined, undefined, '%ED%A0%80']
  ]
  for (const [text, path, query, cookie] of rows)
    t.same(
      [result(percentDecode, text), result(formDecode, text), result(cookieDecode, text)],
      [path, query, cookie],
      text
    )
})

t.test('a query is split into pairs, names decoded and values raw', async (t) => {
  const rows: [text: string, pairs: Record<string, string[]>, isMalformed: boolean][] = [
    ['', {}, false],
    ['a=1&b=2', { a: ['1'], b: ['2'] }, false],
    ['a=1&b=2&a=3', { a: ['1', '3'], b: ['2'] }, false],
    ['a=1=2', { a: ['1=2'] }, false],
    ['a', { a: [''] }, false],
    ['=1', { '': ['1'] }, false],
    ['&&a=1&', { a: ['1'] }, false],
    ['%61+b=%61+b', { 'a b': ['%61+b'] }, false],
    ['%=1&a=2', { a: ['2'] }, true]
  ]
  for (const [text, pairs, isMalformed] of rows) {
    const got = pairsOf(text, '&', formDecode)
    t.same([Object.fromEntries(got.pairs), got.isMalformed], [pairs, isMalformed], text)
  }
  const names = pairsOf('__proto__=1&constructor=2', '&', formDecode).pairs
  t.same([...names.keys()], ['__proto__', 'constructor'])
})

t.test('a Cookie header is split into pairs, without the quotes of a value', async (t) => {
  const rows: [header: string, pairs: Record<string, string[]>][] = [
    ['', {}],
    ['a=1; b=2', { a: ['1'], b: ['2'] }],
    ['a=1;a=2', { a: ['1', '2'] }],
    [' a = 1 ;', { a: ['1'] }],
    ['a=x=y', { a: ['x=y'] }],
    ['a="x y"', { a: ['x y'] }],
    ['a="', { a: ['"'] }],
    ['a=""', { a: [''] }],
    ['a', {}],
    ['=1', {}],
    ['a=1&b=2', { a: ['1&b=2'] }]
  ]
  for (const [header, pairs] of rows) t.same(Object.fromEntries(cookiePairs(header, /;/)), pairs, header)
  t.same(Object.fromEntries(cookiePairs('a=1&a=2', /[;&]/)), { a: ['1', '2'] }, 'also at another separator')
})
