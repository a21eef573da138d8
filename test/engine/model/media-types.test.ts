/** Media types: parsed, of a kind, matched with what a contract declares, and negotiated (RFC 9110, sections 8.3 and 12). */
import t from 'tap'
import { negotiate } from '../../../src/engine/model/accept.ts'
import { cachedByText, mediaTypeMatcher } from '../../../src/engine/model/content-type.ts'
import { bodyKind, isUtf8Charset, parseMediaType } from '../../../src/engine/model/media-type.ts'

t.test('parseMediaType', async (t) => {
  const rows: readonly (readonly [text: string, type: string, parameters?: Record<string, string>])[] = [
    ['Application/JSON', 'application/json'],
    [' text/plain\t', 'text/plain'],
    ['text/plain ; Charset="utf-8" ; a=b', 'text/plain', { charset: 'utf-8', a: 'b' }],
    ['a/b; q="x;,\\"\\\\y"', 'a/b', { q: 'x;,"\\y' }],
    ['a/b; q=""', 'a/b', { q: '' }],
    ['a/b;;  ;c=d; c=d', 'a/b', { c: 'd' }],
    ['*/*', '*/*'],
    ['application/vnd.github+json; version=2022', 'application/vnd.github+json', { version: '2022' }]
  ]
  for (const [text, type, parameters = {}] of rows) {
    const parsed = parseMediaType(text)
    t.strictSame([parsed?.type, Object.fromEntries(parsed?.parameters ?? [])], [type, parameters], text)
  }
  const bad = [
    ...['', 'json', '/', 'a/', '/b', 'a/b/c', 'a/b,c/d', 'a/b; c', 'a/b; c=', 'a/b; c = d', 'a/b; c="d'],
    ...['a b/c', 'a/b;c=d;c=e', 'a/b;c="\n"', '\na/b', 'a/b\r', 'a/b c=d', 'a/b;="x"'],
    `a/b;${' '.repeat(50_000)}!`
  ]
  for (const text of bad) t.equal(parseMediaType(text), undefined, JSON.stringify(text.slice(0, 30)))
})

t.test('kinds of bodies and charsets', async (t) => {
  const kinds: Readonly<Record<string, readonly string[]>> = {
    json: ['application/JSON; charset=utf-8', 'application/vnd.api+json', 'image/x+json', 'text/json'],
    text: ['text/plain', 'text/xml', 'text/*'],
    form: ['application/x-www-form-urlencoded'],
    multipart: ['multipart/form-data', 'multipart/*'],
    binary: [
      ...['multipart/mixed', 'application/octet-stream', 'application/x-ndjson', 'image/png'],
      ...['application/vnd.x+zip', 'application/*', '*/*']
    ],
    undefined: [
      ...['application/xml', 'image/svg+xml', 'application/x-yaml', 'application/cbor', 'nonsense'],
      ...['application/*+json', '*/json', 'text/pl*']
    ]
  }
  for (const [kind, types] of Object.entries(kinds))
    for (const type of types) t.equal(String(bodyKind(type)), kind, type)
  for (const charset of ['UTF-8', 'utf8', 'US-ASCII']) t.ok(isUtf8Charset(new Map([['charset', charset]])))
  for (const charset of ['latin1', 'utf-16', '']) t.notOk(isUtf8Charset(new Map([['charset', charset]])))
  t.ok(isUtf8Charset(new Map()))
})

t.test('mediaTypeMatcher finds the most specific declared type', async (t) => {
  /** Declared types, that of the body, and the place of the one that is found. */
  const rows: readonly (readonly [declared: string[], sent: string, place: number])[] = [
    [['Application/JSON; charset=utf-8'], 'application/json', 0],
    [['application/json'], 'APPLICATION/JSON; charset=latin1', 0],
    [['application/json'], 'application/jsonx', -1],
    [['application/json'], 'application/json, text/plain', -1],
    [['nonsense', 'text/plain'], 'text/plain', 1],
    [['*/*', 'application/*', 'application/json'], 'application/json', 2],
    [['*/*', 'application/*', 'application/json'], 'text/xml', 0],
    [['a/b; v=1', 'a/b; v=2'], 'a/b; v=3', 0],
    [['a/b; v=1', 'a/b'], 'a/b; v=3', 1],
    [['a/b; v=1', 'a/b; v=1; w=2'], 'a/b; w=2; v=1', 1],
    [[], 'a/b', -1]
  ]
  for (const [declared, sent, want] of rows)
    t.equal(mediaTypeMatcher(declared)(sent), want, `${sent} of ${declared}`)
})

t.test('a text is computed once, a long one every time, and a full cache is cleared', async (t) => {
  const computed: string[] = []
  const cached = cachedByText((text) => computed.push(text))
  for (const text of ['a', 'a', 'x'.repeat(128), 'x'.repeat(128)]) cached(text)
  t.equal(computed.length, 2)
  for (let times = 0; times < 2; times++) cached('y'.repeat(129))
  t.equal(computed.length, 4)
  for (let other = 0; other < 64; other++) cached(`b${other}`)
  cached('a')
  t.equal(computed.length, 69)
})

t.test('negotiate', async (t) => {
  const json = 'application/json'
  /** Header, types that are offered, and the place of the one that is chosen. */
  const rows: readonly (readonly [accept: string | undefined, offered: string[], place: number])[] = [
    [undefined, [json, 'text/plain'], 0],
    [' , ,', [json], 0],
    ['APPLICATION/*', ['text/plain', json], 1],
    ['text/plain;q=0.5, application/json;q=0.5', ['text/plain', json], 0],
    ['text/*;q=0.3, text/plain;q=0.7, */*;q=0.5', ['text/html', 'text/plain', 'image/png'], 1],
    ['*/*, application/json;q=0', [json], -1],
    ['*/*;q=0.1, application/json;q=0', [json, 'text/plain'], 1],
    ['text/html', [json], -1],
    ['*/*;Q=0', [json], -1],
    ['text/html;level=1', ['text/html;level=2', 'text/html; level="1"'], 1],
    ['text/html;level=1;q=0.2, text/html;q=0.4', ['text/html;level=1', 'text/html'], 1],
    ['application/json; charset=latin1', [json], -1],
    ['image/png', [json, 'image/*'], 1],
    ['a/b;x=","', ['a/b; x=","'], 0],
    ['text/html;q=2', [json], 0],
    ['nonsense', [json], 0],
    ['text/html', ['nonsense'], -1],
    [`${'a/b,'.repeat(50_000)}c/d`, [json], -1]
  ]
  for (const [accept, offered, want] of rows)
    t.equal(negotiate(accept, offered), want, `${accept?.slice(0, 60)} of ${offered}`)
})
