import t from 'tap'
import { parseMediaType } from '../../../src/engine/media-types/media-type.ts'

t.test('parseMediaType', async (t) => {
  const rows: [string, string, Record<string, string>][] = [
    ['application/json', 'application/json', {}],
    ['Application/JSON', 'application/json', {}],
    [' text/plain\t', 'text/plain', {}],
    ['text/plain;charset=UTF-8', 'text/plain', { charset: 'UTF-8' }],
    ['text/plain ; Charset="utf-8" ; a=b', 'text/plain', { charset: 'utf-8', a: 'b' }],
    ['a/b; q="x;,\\"\\\\y"', 'a/b', { q: 'x;,"\\y' }],
    ['a/b; q=""', 'a/b', { q: '' }],
    ['a/b;', 'a/b', {}],
    ['a/b;;  ;c=d; c=d', 'a/b', { c: 'd' }],
    ['*/*', '*/*', {}],
    ['application/vnd.github+json; version=2022', 'application/vnd.github+json', { version: '2022' }]
  ]
  for (const [text, type, parameters] of rows) {
    const parsed = parseMediaType(text)
    t.equal(parsed?.type, type, text)
    t.same(Object.fromEntries(parsed?.parameters ?? []), parameters, text)
  }
  const bad = [
    '',
    'json',
    '/',
    'a/',
    '/b',
    'a/b/c',
    'a/b,c/d',
    'a/b; c',
    'a/b; c=',
    'a/b; c = d',
    'a/b; c="d',
    'a b/c'
  ]
  const more = [
    'a/b;c=d;c=e',
    'a/b;c="\n"',
    '\na/b',
    'a/b\r',
    'a/b c=d',
    `a/b;${' '.repeat(50_000)}!`,
    'a/b;="x"'
  ]
  for (const text of [...bad, ...more])
    t.equal(parseMediaType(text), undefined, JSON.stringify(text.slice(0, 30)))
})
