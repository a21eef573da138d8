import t from 'tap'
import { pathMatcher } from '../../../../src/engine/server/routing/path-matcher.ts'

t.test('pathMatcher returns the undecoded texts of the parameters, or undefined', async (t) => {
  const rows: readonly (readonly [string, string, Readonly<Record<string, string>> | undefined])[] = [
    ['/plants', '/plants', {}],
    ['/plants', '/plants/', undefined],
    ['/plants', '/plantsx', undefined],
    ['/plants/{id}', '/plants/a%2Fb', { id: 'a%2Fb' }],
    ['/plants/{id}', '/plants/', { id: '' }],
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
