import t from 'tap'
import { bodyKind, isUtf8Charset } from '../../../src/engine/media-types/body-kind.ts'

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
