/** The warnings of operations that a cookie alone authenticates, and of credentials that share a header. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { compileContract } from '../../../src/compiler/compile/compile.ts'

const schemes = {
  session: { type: 'apiKey', in: 'cookie', name: 'sid' },
  alias: { $ref: '#/components/securitySchemes/session' },
  csrf: { type: 'apiKey', in: 'header', name: 'X-CSRF' },
  query: { type: 'apiKey', in: 'query', name: 'key' },
  bearer: { type: 'http', scheme: 'bearer' },
  basic: { type: 'http', scheme: 'Basic' },
  tls: { type: 'mutualTLS' }
}

const cases: readonly {
  what: string
  method?: string
  security?: object[]
  all?: object[]
  isNamed: boolean
}[] = [
  { what: 'a cookie', security: [{ session: [] }], isNamed: true },
  { what: 'a cookie for all', all: [{ session: [] }], isNamed: true },
  { what: 'a cookie by reference', security: [{ alias: [] }], isNamed: true },
  { what: 'a cookie in one alternative', security: [{ bearer: [] }, { session: ['write'] }], isNamed: true },
  { what: 'a cookie, or nobody', security: [{}, { session: [] }], isNamed: true },
  { what: 'a cookie and Basic', security: [{ session: [], basic: [] }], isNamed: true },
  { what: 'a cookie and a certificate', security: [{ tls: [], session: [] }], isNamed: true },
  { what: 'DELETE', method: 'delete', security: [{ session: [] }], isNamed: true },
  { what: 'PUT', method: 'put', security: [{ session: [] }], isNamed: true },
  { what: 'PATCH', method: 'patch', security: [{ session: [] }], isNamed: true },
  { what: 'GET', method: 'get', security: [{ session: [] }], isNamed: false },
  { what: 'HEAD', method: 'head', security: [{ session: [] }], isNamed: false },
  { what: 'a cookie and a header', security: [{ session: [], csrf: [] }], isNamed: false },
  { what: 'a cookie and a query key', security: [{ session: [], query: [] }], isNamed: false },
  { what: 'a cookie and a token', security: [{ session: [], bearer: [] }], isNamed: false },
  { what: 'open, against a cookie for all', all: [{ session: [] }], security: [], isNamed: false },
  { what: 'Basic', security: [{ basic: [] }], isNamed: false },
  { what: 'a certificate', security: [{ tls: [] }], isNamed: false },
  { what: 'a token', security: [{ bearer: [] }], isNamed: false }
]

for (const { what, method = 'post', security, all, isNamed } of cases) {
  test(`${what}: ${isNamed ? 'the operation is named' : 'no warning'}`, async (t) => {
    const operation = {
      operationId: 'doIt',
      ...(security && { security }),
      responses: { 204: { description: '' } }
    }
    const document = {
      openapi: '3.1.0',
      info: { title: 'T', version: '1' },
      ...(all && { security: all }),
      paths: { '/a': { [method]: operation } },
      components: { securitySchemes: schemes }
    }
    const folder = t.testdir({})
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document, undefined, 1))
    const { problems } = await compileContract(join(folder, 'openapi.json'), join(folder, 'out'))
    const found = problems.filter(({ message }) => message.includes('other sites'))
    t.equal(found.length, isNamed ? 1 : 0)
    for (const { severity, message, line } of found) {
      t.equal(severity, 'warning')
      t.match(
        message,
        `operation doIt (${method.toUpperCase()} /a) is open to requests of other sites: browsers add the cookie sid`
      )
      t.ok(line > 1)
    }
  })
}

test('an operation without operationId is named as the compiler names it', async (t) => {
  const paths = { '/a': { post: { security: [{ session: [] }], responses: { 204: { description: '' } } } } }
  const document = {
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths,
    components: { securitySchemes: schemes }
  }
  const folder = t.testdir({ 'openapi.json': JSON.stringify(document) })
  const { problems } = await compileContract(join(folder, 'openapi.json'), join(folder, 'out'))
  t.ok(
    problems.some(({ message }) =>
      message.startsWith('operation post_a (POST /a) is open to requests of other sites')
    )
  )
})

const sharing: readonly (readonly [what: string, requirement: object, named: string | undefined])[] = [
  ['Basic and a token', { bearer: [], basic: [] }, 'bearer and basic'],
  ['Basic and a key in Authorization', { basic: [], header: [] }, 'basic and header'],
  ['Basic and a key in X-CSRF', { basic: [], csrf: [] }, undefined],
  ['a token and a cookie', { bearer: [], session: [] }, undefined]
]
for (const [what, requirement, named] of sharing)
  test(`${what}: ${named === undefined ? 'no warning' : 'the requirement is named'}`, async (t) => {
    const header = { type: 'apiKey', in: 'header', name: 'AUTHORIZATION' }
    const document = {
      openapi: '3.1.0',
      info: { title: 'T', version: '1' },
      paths: { '/a': { get: { security: [requirement], responses: { 204: { description: '' } } } } },
      components: { securitySchemes: { ...schemes, header } }
    }
    const folder = t.testdir({ 'openapi.json': JSON.stringify(document, undefined, 1) })
    const { problems } = await compileContract(join(folder, 'openapi.json'), join(folder, 'out'))
    const found = problems.filter(({ message }) => message.includes('required together'))
    t.strictSame(
      found.map(({ severity, message }) => [severity, message.split(' are required')[0]]),
      named === undefined ? [] : [['warning', `security schemes ${named}`]]
    )
    for (const { line } of found) t.ok(line > 5)
  })
