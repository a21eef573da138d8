import t from 'tap'
import { bodyKind, isUtf8Charset, parseMediaType } from '../../../src/engine/model/media-type.ts'

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

t.test('bodyKind', async (t) => {
  const rows: [string, string | undefined][] = [
    ['application/json', 'json'],
    ['application/JSON; charset=utf-8', 'json'],
    ['application/vnd.api+json', 'json'],
    ['image/x+json', 'json'],
    ['text/json', 'json'],
    ['text/JSON; charset=utf-8', 'json'],
    ['text/plain', 'text'],
    ['text/xml', 'text'],
    ['text/*', 'text'],
    ['application/x-www-form-urlencoded', 'form'],
    ['multipart/form-data', 'multipart'],
    ['multipart/*', 'multipart'],
    ['multipart/mixed', 'binary'],
    ['application/octet-stream', 'binary'],
    ['application/pdf', 'binary'],
    ['application/x-ndjson', 'binary'],
    ['application/vnd.x+zip', 'binary'],
    ['image/png', 'binary'],
    ['application/*', 'binary'],
    ['*/*', 'binary'],
    ['application/xml', undefined],
    ['image/svg+xml', undefined],
    ['application/x-yaml', undefined],
    ['application/cbor', undefined],
    ['application/*+json', undefined],
    ['*/json', undefined],
    ['*/*+json', undefined],
    ['text/pl*', undefined],
    ['nonsense', undefined]
  ]
  for (const [type, want] of rows) t.equal(bodyKind(type), want, type)
})

t.test('isUtf8Charset', async (t) => {
  const rows: [string | undefined, boolean][] = [
    [undefined, true],
    ['UTF-8', true],
    ['utf8', true],
    ['US-ASCII', true],
    ['latin1', false],
    ['utf-16', false],
    ['', false]
  ]
  for (const [charset, want] of rows)
    t.equal(
      isUtf8Charset(new Map(charset === undefined ? [] : [['charset', charset]])),
      want,
      String(charset)
    )
})
