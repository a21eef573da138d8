import t from 'tap'
import {
  literalRoute,
  normalizePath,
  originForm,
  pathOf,
  queryOf
} from '../../../../src/engine/server/parameters/request-path.ts'

t.test('equal targets are spelled in one way, and divided at the first question mark', async (t) => {
  /** Results by text. */
  type Texts = Readonly<Record<string, string>>
  const tables: readonly (readonly [read: (text: string) => string, texts: Texts])[] = [
    [normalizePath, { '/': '/', '': '', '/plants/a-b_c.d~e': '/plants/a-b_c.d~e' }],
    [normalizePath, { "/!$&'()*+,;=:@": "/!$&'()*+,;=:@", '/%21%27%28%29%2a': "/!'()*" }],
    [normalizePath, { '/pl%61nts': '/plants', '/%7e%2D%5f%2e': '/~-_.', '/a%2fb': '/a%2Fb' }],
    [normalizePath, { '/a%3fb%23': '/a%3Fb%23', '/100%25': '/100%25', '/%2525': '/%2525' }],
    [normalizePath, { '/%40%3a%2B': '/%40%3A%2B', '/%e4%bd%a0': '/%E4%BD%A0', '/\u4f60': '/%E4%BD%A0' }],
    [normalizePath, { '/a b': '/a%20b', '/%00': '/%00', '/%zz': '/%zz' }],
    [literalRoute, { '': '', '/api': '/api', '/v1:beta': '/v1::beta', '/caf%C3%A9/a%20b': '/café/a b' }],
    [pathOf, { '/a': '/a', '/a?': '/a', '/a?b=c': '/a', '/a?b?c': '/a', '?b': '', '*': '*' }],
    [queryOf, { '/a': '', '/a?': '', '/a?b=c': 'b=c', '/a?b?c': 'b?c', '?b': 'b', '*': '' }],
    [originForm, { '/a?b': '/a?b', 'http://host/a?b': '/a?b', 'HTTPS://host:1/a': '/a' }],
    [originForm, { 'http://host': '/', 'http://host?b': '/?b', '*': '*', 'host:80': 'host:80' }],
    [originForm, { 'ftp://host/a': 'ftp://host/a' }]
  ]
  for (const [read, texts] of tables)
    for (const [text, want] of Object.entries(texts)) {
      t.equal(read(text), want, `${read.name} ${text}`)
      if (read === normalizePath) t.equal(read(want), want, `${want} stays`)
    }
})
