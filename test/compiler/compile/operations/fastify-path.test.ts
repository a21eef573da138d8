/** Path templates of a contract as Fastify routes. */
import t from 'tap'
import { fastifyPath } from '../../../../src/compiler/compile/operations/fastify-path.ts'

const rows: [path: string, route: string][] = [
  ['/', '/'],
  ['/plants', '/plants'],
  ['/plants/', '/plants/'],
  ['/plants:batch', '/plants::batch'],
  ['/caf%C3%A9', '/café'],
  ['/plants/{plant-id}', '/plants/:p2'],
  ['/a/{b}/c/{d}', '/a/:p2/c/:p4'],
  ['/{a}.{b}', '/:p1_1((?:(?!\\x2e)[\\s\\S])*).:p1_3([\\s\\S]*)'],
  ['/{a}{b}', '/:p1_1((?:(?!)[\\s\\S])*):p1_3([\\s\\S]*)'],
  ['/v{n}', '/v:p1_1([\\s\\S]*)'],
  ['/{n}:run', '/:p1_1([\\s\\S]*)::run'],
  ['/a*b', '/:p1_0(a\\x2ab)'],
  ['/a%2Fb', '/:p1_0(a\\x2fb)'],
  ['/{n}*', '/:p1_1([\\s\\S]*):p1_2(\\x2a)']
]

for (const [path, route] of rows) t.test(path, async (t) => t.equal(fastifyPath(path), route))
