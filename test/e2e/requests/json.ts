/** Bodies: JSON, int64 and plants, valid and invalid (RFC 8259; openapi.yaml, NewPlant). */
import { fresh, post, type Row, refused } from './row.ts'

const max = 2n ** 63n - 1n
const min = -(2n ** 63n)

/** Spellings of an id, and their values. */
const ids: readonly [string, bigint][] = [
  [`${max}`, max],
  [`${min}`, min],
  [`${max - 1n}.0`, max - 1n],
  ['9007199254740991', 2n ** 53n - 1n],
  ['9007199254740992', 2n ** 53n],
  ['9007199254740993', 2n ** 53n + 1n],
  ['-9007199254740993', -(2n ** 53n) - 1n],
  ['9007199254740995.0', 2n ** 53n + 3n],
  ['0.9007199254740997e16', 2n ** 53n + 5n],
  ['9007199254740999e0', 2n ** 53n + 7n],
  ['0', 0n],
  ['-1', -1n],
  ['2.0', 2n],
  ['3e3', 3000n],
  ['4E+3', 4000n],
  ['5000000e-3', 5000n],
  [`6${'0'.repeat(100_000)}e-100000`, 6n],
  [`7.${'0'.repeat(100_000)}`, 7n]
]

const noIds: readonly [string, string][] = [
  [`${max + 1n}`, 'one more than int64 has'],
  [`${min - 1n}`, 'one less than int64 has'],
  ['9223372036854775807.5', 'a fraction that its double hides'],
  ['100000000.00000000001', 'a fraction that its double hides'],
  ['1.5', 'a fraction'],
  ['1e-1', 'a fraction'],
  ['1e-400', 'a fraction so small that its double is 0'],
  ['1e19', 'an exponent beyond int64'],
  ['1e400', 'a number beyond every double'],
  ['-1e400', 'a number beyond every double'],
  ['1e999999999', 'an exponent that is too large to expand'],
  ['9'.repeat(100_000), '100,000 digits'],
  [`0.${'0'.repeat(100_000)}1`, '100,000 zeros before a digit'],
  ['"12"', 'a string: nothing is coerced'],
  ['true', 'a boolean: nothing is coerced'],
  ['null', 'null: nothing is coerced'],
  ['[1]', 'an array: nothing is coerced'],
  ['{}', 'an object'],
  ['""', 'the empty string']
]

const malformed: readonly [string, string, string][] = [
  ['trailing garbage', '{"id":1,"name":"x"}x', 'RFC 8259, 2: one value'],
  ['two values', '{"id":1,"name":"x"}{}', 'RFC 8259, 2: one value'],
  ['a trailing comma', '{"id":1,"name":"x",}', 'RFC 8259, 4'],
  ['single quotes', "{'id':1,'name':'x'}", 'RFC 8259, 7'],
  ['NaN', '{"id":NaN,"name":"x"}', 'RFC 8259, 6'],
  ['Infinity', '{"id":Infinity,"name":"x"}', 'RFC 8259, 6'],
  ['-Infinity', '{"id":-Infinity,"name":"x"}', 'RFC 8259, 6'],
  ['a leading zero', '{"id":01,"name":"x"}', 'RFC 8259, 6'],
  ['a plus', '{"id":+1,"name":"x"}', 'RFC 8259, 6'],
  ['hexadecimal', '{"id":0x10,"name":"x"}', 'RFC 8259, 6'],
  ['a bare fraction', '{"id":.5,"name":"x"}', 'RFC 8259, 6'],
  ['a comment', '{"id":1,/* */"name":"x"}', 'RFC 8259, 2'],
  ['an unfinished object', '{"id":1,"name":"x"', 'RFC 8259, 4'],
  ['an unfinished string', '{"id":1,"name":"x', 'RFC 8259, 7'],
  ['a control character in a string', '{"id":1,"name":"\n"}', 'RFC 8259, 7'],
  ['a bad escape', '{"id":1,"name":"\\x41"}', 'RFC 8259, 7'],
  ['white space only', ' \t\r\n', 'RFC 8259, 2'],
  ['a form', 'id=1&name=x', 'RFC 8259, 2'],
  ['100,000 levels that never close', '['.repeat(100_000), 'RFC 8259, 9'],
  ['__proto__', '{"id":1,"name":"x","__proto__":{"admin":true}}', 'prototype pollution'],
  ['an escaped __proto__', '{"id":1,"name":"x","\\u005f_proto__":1}', 'prototype pollution'],
  ['constructor.prototype', '{"id":1,"name":"x","constructor":{"prototype":{}}}', 'prototype pollution']
]

const mismatches: readonly [string, string, RegExp][] = [
  [
    'an empty object',
    '{}',
    /body\/id is required; body\/name is required|body\/name is required; body\/id is required/
  ],
  ['no id', '{"name":"x"}', /^body\/id is required$/],
  ['no name', '{"id":1}', /^body\/name is required$/],
  ['null', 'null', /^body must be object/],
  ['an array', '[{"id":1,"name":"x"}]', /^body must be object/],
  ['a string', '"plant"', /^body must be object/],
  ['a number', '42', /^body must be object/],
  ['a number that no double holds', '1e400', /^body must be object/],
  ['a boolean', 'true', /^body must be object/],
  ['a name that is a number', '{"id":1,"name":1}', /^body\/name must be string$/],
  ['a name that is null', '{"id":1,"name":null}', /^body\/name must be string$/],
  ['a name that is an array', '{"id":1,"name":["x"]}', /^body\/name must be string$/],
  ['a tag that is null', '{"id":1,"name":"x","tag":null}', /^body\/tag must be string$/],
  ['a tag that is a number', '{"id":1,"name":"x","tag":0}', /^body\/tag must be string$/],
  [
    'everything wrong',
    '{"id":"1","name":2,"tag":3}',
    /(?=.*body\/id must be integer)(?=.*body\/name must be)(?=.*body\/tag must)/
  ],
  ['the last of two ids', '{"id":1,"id":"x","name":"x"}', /^body\/id must be integer$/],
  ['100,000 levels', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, /^body must be object/],
  ['a long wrong name', `{"id":1,"name":[${'"x",'.repeat(1000)}"x"]}`, /^body\/name must be string$/]
]

const utf8: readonly [string, number[]][] = [
  ['an invalid first byte', [0xff]],
  ['an overlong slash', [0xc0, 0xaf]],
  ['a surrogate', [0xed, 0xa0, 0x80]],
  ['a cut character', [0xe2, 0x82]],
  ['Latin-1', [0xe9]]
]

/** Bodies of valid plants, with what is stored of them. */
const plants: readonly [name: string, body: (id: bigint) => string, want: object, why: string][] = [
  ['a tag', (id) => `{"id":${id},"name":"a","tag":"b"}`, { name: 'a', tag: 'b' }, 'Plant'],
  ['empty strings', (id) => `{"id":${id},"name":"","tag":""}`, { name: '', tag: '' }, 'Plant: any string'],
  ['white space', (id) => ` \r\n\t{ "id" : ${id} , "name" : "a" } \n`, { name: 'a' }, 'RFC 8259, 2'],
  ['a surrogate', (id) => `{"id":${id},"name":"\\ud800"}`, { name: '\ud800' }, 'RFC 8259, 8.2'],
  ['U+0000', (id) => `{"id":${id},"name":"a\\u0000b"}`, { name: 'a\u0000b' }, 'RFC 8259, 7'],
  ['U+2028', (id) => `{"id":${id},"name":"\u2028"}`, { name: '\u2028' }, 'RFC 8259, 7'],
  ['beyond the BMP', (id) => `{"id":${id},"name":"\u{1f331}"}`, { name: '\u{1f331}' }, 'RFC 8259, 8.1'],
  ['a byte order mark', (id) => `\ufeff{"id":${id},"name":"a"}`, { name: 'a' }, 'RFC 8259, 8.1: MAY ignore'],
  ['two names', (id) => `{"id":${id},"name":1,"name":"a"}`, { name: 'a' }, 'RFC 8259, 4: the last'],
  ['an escaped name', (id) => `{"\\u0069d":${id},"name":"a"}`, { name: 'a' }, 'RFC 8259, 7'],
  ['an extra', (id) => `{"id":${id},"name":"a","x":1e400}`, { name: 'a' }, 'NewPlant is open'],
  ['constructor', (id) => `{"id":${id},"name":"a","constructor":1}`, { name: 'a' }, 'NewPlant is open'],
  [
    'an extra 100,000 levels deep',
    (id) => `{"id":${id},"name":"a","x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
    { name: 'a' },
    'RFC 8259, 9'
  ],
  [
    '70,000 extra properties',
    (id) => `{"id":${id},"name":"a",${Array.from({ length: 70_000 }, (_, at) => `"x${at}":0`).join()}}`,
    { name: 'a' },
    'NewPlant is open'
  ],
  [
    'a long name',
    (id) => `{"id":${id},"name":"${'n'.repeat(500_000)}"}`,
    { name: 'n'.repeat(500_000) },
    'Plant: any string'
  ]
]

const idMessage = /^body\/id must be (integer|an integer from -9223372036854775808 to 9223372036854775807)$/
const inName = (bytes: number[]) =>
  Buffer.concat([Buffer.from('{"id":1,"name":"'), Buffer.from(bytes), Buffer.from('"}')])

export const json: readonly Row[] = [
  ...ids.map(([spelled, id]): Row => {
    const plant = { name: `of ${id}` }
    const request = post(`{"id":${spelled},"name":"of ${id}"}`)
    return { name: `id ${spelled.slice(0, 40)}`, request, plant, id, why: 'int64: the number spelled' }
  }),
  ...noIds.map(([spelled, why]) =>
    refused(4001, `invalid id: ${spelled.slice(0, 40)}`, post(`{"id":${spelled},"name":"x"}`), why, {
      message: idMessage
    })
  ),
  ...malformed.map(([name, body, why]) => refused(4000, name, post(body), why)),
  ...mismatches.map(([name, body, message]) =>
    refused(4001, `invalid plant: ${name}`, post(body), 'NewPlant', { message })
  ),
  ...utf8.map(([name, bytes]) =>
    refused(4000, `invalid UTF-8: ${name}`, post(inName(bytes)), 'RFC 8259, 8.1', { message: /UTF-8/ })
  ),
  ...plants.map(([name, body, plant, why]): Row => {
    const { id } = fresh()
    return { name, request: post(body(id)), plant, id, why }
  })
]
