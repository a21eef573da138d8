/** The request that `npm start` and the mock show for people to paste. */
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { compileInMemory } from '../../../../src/compiler/compiler.ts'
import { stringify } from '../../../../src/engine/json/exact-values.ts'
import type { ExampleRequest } from '../../../../src/engine/model/compiled-contract.ts'
import { exampleRequest, pasteable } from '../../../../src/tools/samples/requests/example-request.ts'
import { read } from '../../../contracts/exchanges.ts'

const responses = { 204: { description: 'x' } }
const shared = { operationId: 'a', responses }

async function exampleOf(t: Test, paths: object, components: object = {}) {
  const document = { openapi: '3.2.0', info: { title: 'x', version: '1' }, paths, components }
  const folder = t.testdir({ 'openapi.json': stringify(document) })
  const { contract, model } = await compileInMemory(join(folder, 'openapi.json'))
  const { validators } = await contract.load()
  return exampleRequest({ operations: contract.operations, model, validators })
}

interface Row {
  readonly path?: string
  readonly parameters?: readonly object[]
  readonly content?: object
  readonly requestBody?: object
  readonly components?: object
  readonly want?: Partial<ExampleRequest>
}

const found = (t: Test, { path = '/a', parameters = [], content, components, ...row }: Row) => {
  const requestBody = row.requestBody ?? (content && { required: true, content })
  const operation = requestBody ? { post: { ...shared, requestBody } } : { get: { ...shared, parameters } }
  return exampleOf(t, { [path]: operation }, components)
}

const rows = Object.entries(read(`${import.meta.dirname}/example-requests.yaml`) as Record<string, Row>)
for (const [what, { want, ...row }] of rows)
  if (want === undefined)
    t.test(`${what}: no request is shown`, async (t) => {
      t.equal(await found(t, row), undefined)
    })
  else
    t.test(what, async (t) => {
      const shown = await found(t, row)
      const { target = '/a', headers = shown?.headers, body } = want
      t.match(shown, { operationId: 'a', summary: 'a' })
      t.strictSame([shown?.target, shown?.headers, shown?.body], [target, headers, body])
    })

t.test('the first operation with examples of all that it needs is taken, under its summary', async (t) => {
  const content = { 'application/json': { schema: { type: 'integer' } } }
  const paths = {
    '/a': { post: { operationId: 'a', requestBody: { required: true, content }, responses } },
    '/b': { get: { operationId: 'b', summary: 'List b', responses } }
  }
  t.equal(await exampleOf(t, {}), undefined)
  t.match(await exampleOf(t, paths), { operationId: 'b', summary: 'List b', target: '/b' })
  const { '/a': only } = paths
  t.match(await exampleOf(t, { '/a': only }), { operationId: 'a', summary: 'a' })
})

const key = { type: 'apiKey', in: 'cookie', name: 'session' }
const bearer = { type: 'http', scheme: 'Bearer' }

for (const { what, operations, schemes = {}, want } of [
  { what: 'nothing is deleted', operations: { 'delete /a': [] }, want: [] },
  { what: 'no credentials', operations: { 'get /a': [] }, want: ['get /a'] },
  {
    what: 'what a path names comes last',
    operations: { 'get /a/{id}': [], 'put /b': [], 'post /c': [] },
    want: ['put /b', 'post /c', 'get /a/{id}']
  },
  {
    what: 'the token stands for bearer tokens alone',
    operations: { 'get /a': [['key']], 'get /b': [['key', 'bearer']], 'get /c': [['key'], ['bearer']] },
    schemes: { key, bearer },
    want: ['get /c']
  },
  {
    what: 'the token of a contract without bearer tokens stands for any credential',
    operations: { 'get /a': [['key']] },
    schemes: { key },
    want: ['get /a']
  },
  {
    what: 'OAuth 2 and OpenID Connect',
    operations: { 'get /a': [['key']], 'get /b': [['login']], 'get /c': [['connect']], 'get /d': [[]] },
    schemes: { key, login: { type: 'oauth2' }, connect: { type: 'openIdConnect' } },
    want: ['get /b', 'get /c', 'get /d']
  }
] as const)
  t.test(`pasteable: ${what}`, async (t) => {
    const given = Object.entries(operations as Record<string, readonly (readonly string[])[]>).map(
      ([operationId, alternatives]) => {
        const [method = '', path = ''] = operationId.split(' ')
        const security = alternatives.map((all) => all.map((scheme) => ({ scheme, scopes: [] })))
        return { operationId, method: method.toUpperCase(), url: path.replace(/\{(\w+)\}/, ':$1'), security }
      }
    )
    const found = pasteable(given as never, schemes as never)
    t.strictSame(
      found.map(({ operationId }) => operationId),
      want
    )
  })
