import t from 'tap'
import {
  bodyKind,
  isUtf8Charset,
  mediaTypeMatcher,
  negotiate,
  parseMediaType
} from '../../../src/contract/media-types/content-type.ts'

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

t.test('mediaTypeMatcher finds the most specific declared type', async (t) => {
  const rows: [string[], string, number][] = [
    [['application/json'], 'application/json', 0],
    [['application/json'], 'APPLICATION/JSON; charset=latin1', 0],
    [['Application/JSON; charset=utf-8'], 'application/json', 0],
    [['application/json'], 'application/jsonx', -1],
    [['application/json'], 'text/plain', -1],
    [['application/json'], 'nonsense', -1],
    [['application/json'], 'application/json, text/plain', -1],
    [['nonsense', 'text/plain'], 'text/plain', 1],
    [['*/*', 'application/*', 'application/json'], 'application/json', 2],
    [['*/*', 'application/*', 'application/json'], 'application/xml', 1],
    [['*/*', 'application/*', 'application/json'], 'text/xml', 0],
    [['application/*'], 'applications/xml', -1],
    [['a/b; v=1', 'a/b; v=2'], 'a/b; v=2', 1],
    [['a/b; v=1', 'a/b; v=2'], 'a/b; v=3', 0],
    [['a/b; v=1', 'a/b'], 'a/b; v=3', 1],
    [['a/b', 'a/b; v=1'], 'a/b; v=1', 1],
    [['a/b; v=1', 'a/b; v=1; w=2'], 'a/b; w=2; v=1', 1],
    [['*/*; v=1', 'a/b'], 'a/b; v=1', 1],
    [[], 'a/b', -1]
  ]
  for (const [declared, sent, want] of rows)
    t.equal(mediaTypeMatcher(declared)(sent), want, `${sent} of ${declared}`)
})

t.test('mediaTypeMatcher answers the same from its cache, which is bounded', async (t) => {
  const match = mediaTypeMatcher(['a/b', 'a/*'])
  for (let i = 0; i < 200; i++) {
    const sent = i % 2 ? `a/b; i=${i}` : `a/c; i="${'x'.repeat(i)}"`
    for (const time of ['first', 'second']) t.equal(match(sent), i % 2 ? 0 : 1, `${i}, ${time} time`)
  }
})

t.test('bodyKind', async (t) => {
  const rows: [string, string | undefined][] = [
    ['application/json', 'json'],
    ['application/JSON; charset=utf-8', 'json'],
    ['application/vnd.api+json', 'json'],
    ['image/x+json', 'json'],
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

t.test('negotiate', async (t) => {
  const json = 'application/json'
  const rows: [string | undefined, string[], number][] = [
    [undefined, [json, 'text/plain'], 0],
    ['', [json], 0],
    [' , ,', [json], 0],
    ['*/*', ['text/plain', json], 0],
    ['application/json', ['text/plain', json], 1],
    ['APPLICATION/*', ['text/plain', json], 1],
    ['text/plain;q=0.5, application/json', ['text/plain', json], 1],
    ['text/plain;q=0.5, application/json;q=0.5', ['text/plain', json], 0],
    ['text/*;q=0.3, text/plain;q=0.7, */*;q=0.5', ['text/html', 'text/plain', 'image/png'], 1],
    ['text/*;q=0.3, */*;q=0.5', ['text/html', 'image/png'], 1],
    ['*/*, application/json;q=0', [json], -1],
    ['*/*;q=0.1, application/json;q=0', [json, 'text/plain'], 1],
    ['text/html', [json], -1],
    ['text/html', [], -1],
    ['*/*;Q=0', [json], -1],
    ['text/html;level=1', ['text/html'], -1],
    ['text/html;level=1', ['text/html;level=2', 'text/html; level="1"'], 1],
    ['text/html;level=1;q=0.2, text/html;q=0.4', ['text/html;level=1', 'text/html'], 1],
    ['text/html;q=0.9;level=1', ['text/html'], 0],
    ['application/json; charset=utf-8', [json], 0],
    ['application/json; charset=latin1', [json], -1],
    ['text/html', ['application/json; charset=utf-8', 'text/html; charset=utf-8'], 1],
    ['image/png', [json, 'image/*'], 1],
    ['image/png', ['*/*'], 0],
    ['a/b;x=","', ['a/b; x=","'], 0],
    ['text/html;q=2', [json], 0],
    ['text/html;q=0.1234', [json], 0],
    ['text/html;q=', [json], 0],
    ['nonsense', [json], 0],
    ['text/html text/plain', [json], 0],
    ['text/html', ['nonsense'], -1],
    [`${'a/b,'.repeat(50_000)}c/d`, [json], -1]
  ]
  for (const [accept, offered, want] of rows)
    t.equal(negotiate(accept, offered), want, `${accept?.slice(0, 60)} of ${offered}`)
})
