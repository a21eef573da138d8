/** Parts of the route table: paths of Fastify, and the base path. */
import t from 'tap'
import { basePathOf, fastifyPath } from '../../../../src/compiler/compile/operations/fastify-path.ts'
import { contractOf } from '../../../contract/schema-of.ts'

const routes: readonly (readonly [path: string, route: string])[] = [
  ['/', '/'],
  ['/plants/', '/plants/'],
  ['/plants:batch', '/plants::batch'],
  ['/caf%C3%A9', '/café'],
  ['/plants/{plant-id}', '/plants/:p2'],
  ['/a/{b}/c/{d}', '/a/:b/c/:d'],
  ['/{p2}/{a-b}/{toString}/{__proto__}', '/:p1/:p2/:p3/:p4'],
  ['/{a}.{b}', '/:p1_1((?:(?!\\x2e)[\\s\\S])*).:p1_3([\\s\\S]*)'],
  ['/{a}{b}', '/:p1_1((?:(?!)[\\s\\S])*):p1_3([\\s\\S]*)'],
  ['/v{n}', '/v:p1_1([\\s\\S]*)'],
  ['/{n}:run', '/:p1_1([\\s\\S]*)::run'],
  ['/a%2Fb:c%2fd', '/a:p1_0_1(\\x2f)b::c:p1_0_3(\\x2f)d'],
  ['/{n}*', '/:p1_1([\\s\\S]*):p1_2_1(\\x2a)'],
  ['/a?b#c', '/a:p1_0_1(\\x3f)b:p1_0_3(\\x23)c'],
  ['/50%', '/50%']
]

t.test('a path template is a route of Fastify', async (t) => {
  for (const [path, route] of routes) t.equal(fastifyPath(path), route, path)
})

t.test('the first server gives the base path', async (t) => {
  const variables = { version: { default: 'v2' } }
  t.equal(basePathOf(contractOf({})), '')
  for (const [servers, want] of [
    [[{}], ''],
    [[{ url: 'https://x.example' }], ''],
    [[{ url: 'https://x.example/a/b/' }, { url: '/c' }], '/a/b'],
    [[{ url: 'v1' }], '/v1'],
    [[{ url: 'https://{host}/{version}', variables }], '/v2'],
    [[{ url: 'https://[' }], ''],
    [[{ url: 'https://x.example/v1:beta/caf%c3%a9/a b' }], '/v1:beta/caf%C3%A9/a%20b'],
    [[{ url: 'https://x.example/v*' }], ''],
    [[{ url: 'https://x.example/%ff' }], ''],
    [[{ url: 'https://x.example/a%2fb' }], '']
  ] as const)
    t.equal(basePathOf(contractOf({ servers })), want, JSON.stringify(servers))
})
