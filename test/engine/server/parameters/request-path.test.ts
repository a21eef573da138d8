import t from 'tap'
import {
  literalRoute,
  normalizePath,
  originForm,
  pathMatcher,
  pathOf,
  queryOf
} from '../../../../src/engine/server/parameters/request-path.ts'

t.test('normalizePath spells equal paths in one way', async (t) => {
  const rows: readonly (readonly [string, string])[] = [
    ['/', '/'],
    ['', ''],
    ['/plants/a-b_c.d~e', '/plants/a-b_c.d~e'],
    ["/!$&'()*+,;=:@", "/!$&'()*+,;=:@"],
    ['/pl%61nts', '/plants'],
    ['/%7e%2D%5f%2e', '/~-_.'],
    ['/%21%27%28%29%2a', "/!'()*"],
    ['/a%2fb', '/a%2Fb'],
    ['/a%3fb%23', '/a%3Fb%23'],
    ['/100%25', '/100%25'],
    ['/%2525', '/%2525'],
    ['/%40%3a%2B', '/%40%3A%2B'],
    ['/%e4%bd%a0', '/%E4%BD%A0'],
    ['/\u4f60', '/%E4%BD%A0'],
    ['/a b', '/a%20b'],
    ['/%00', '/%00'],
    ['/%zz', '/%zz']
  ]
  for (const [path, normal] of rows) {
    t.equal(normalizePath(path), normal, path)
    t.equal(normalizePath(normal), normal, `${normal} stays`)
  }
})

t.test('literalRoute is what the router matches with the path', async (t) => {
  const rows = [
    ['', ''],
    ['/api', '/api'],
    ['/v1:beta', '/v1::beta'],
    ['/caf%C3%A9/a%20b', '/café/a b']
  ] as const
  for (const [path, route] of rows) t.equal(literalRoute(path), route)
})

t.test('pathOf and queryOf divide a target at its first question mark', async (t) => {
  const rows: readonly (readonly [string, string, string])[] = [
    ['/a', '/a', ''],
    ['/a?', '/a', ''],
    ['/a?b=c', '/a', 'b=c'],
    ['/a?b?c', '/a', 'b?c'],
    ['?b', '', 'b'],
    ['*', '*', '']
  ]
  for (const [target, path, query] of rows) t.same([pathOf(target), queryOf(target)], [path, query], target)
})

t.test('originForm strips scheme and authority of an absolute target', async (t) => {
  const rows: readonly (readonly [string, string])[] = [
    ['/a?b', '/a?b'],
    ['http://host/a?b', '/a?b'],
    ['HTTPS://host:1/a', '/a'],
    ['http://host', '/'],
    ['http://host?b', '/?b'],
    ['*', '*'],
    ['ftp://host/a', 'ftp://host/a'],
    ['host:80', 'host:80']
  ]
  for (const [target, origin] of rows) t.equal(originForm(target), origin, target)
})

t.test('pathMatcher returns the undecoded texts of the parameters, or undefined', async (t) => {
  const rows: readonly (readonly [string, string, Readonly<Record<string, string>> | undefined])[] = [
    ['/plants', '/plants', {}],
    ['/plants', '/plants/', undefined],
    ['/plants', '/plantsx', undefined],
    ['/plants/{id}', '/plants/a%2Fb', { id: 'a%2Fb' }],
    ['/plants/{id}', '/plants/', undefined],
    ['/a/{x}/b', '/a//b', undefined],
    ['/{a}/{b}', '//', undefined],
    ['/{a}-{b}', '/-x', undefined],
    ['/{a}-{b}', '/x-', undefined],
    ['/{a}{b}', '/x', { a: '', b: 'x' }],
    ['/{a}{b}', '/', undefined],
    ['/plants/{id}', '/plants/a/b', undefined],
    ['/{a}-{b}', '/x-y-z', { a: 'x', b: 'y-z' }],
    ['/{a}.{b}', '/xyz', undefined],
    ['/v{a}', '/x1', undefined],
    ['/{__proto__}', '/x', { ['__proto__']: 'x' }],
    ['/a(b)*{c}', '/a(b)*d', { c: 'd' }],
    ['/pl\u00e4nts', '/pl%C3%A4nts', {}]
  ]
  for (const [template, path, parameters] of rows) {
    const found = pathMatcher(template)(path)
    t.same(found && Object.entries(found), parameters && Object.entries(parameters), `${path} of ${template}`)
  }
})
