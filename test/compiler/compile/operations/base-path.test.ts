import t from 'tap'
import { basePathOf } from '../../../../src/compiler/compile/operations/fastify-path.ts'
import { contractOf } from '../../../contract/schema-of.ts'

const variables = { version: { default: 'v2' } }
for (const [servers, want] of [
  [undefined, ''],
  [[], ''],
  [[{}], ''],
  [[{ url: '/' }], ''],
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
  t.equal(basePathOf(contractOf(servers === undefined ? {} : { servers })), want, JSON.stringify(servers))
