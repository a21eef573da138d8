/** Builds operations, security, servers, callbacks and links: what is decided once for all readers. */
import { load } from 'js-yaml'
import t from 'tap'
import { type Contract, isSchema, type Operation, schemaOf } from '../../src/contract/contract.ts'
import { contractOf as modelOf } from './schema-of.ts'

const responses = { 200: { description: 'done' } }

/** Returns the model of a contract in YAML; each `OK` in it is a map of responses. */
const contractOf = (text: string): Contract =>
  modelOf(load(text.replaceAll(/\bOK\b/g, JSON.stringify(responses))) as object)

/** Returns the operation POST /a. @param members of the operation; `more` are those of the path item and of the root */
function operationOf(members: string, { item = '', root = '' } = {}): Operation {
  const [found] = contractOf(
    `{ paths: { /a: { ${item} post: { responses: OK, ${members} } } }, ${root} }`
  ).operations
  if (found === undefined) throw new Error('no operation')
  return found
}

t.test('the operation overrides the path item, and that the root', async (t) => {
  const limit = (members: string, body: string, media: string) =>
    operationOf(`${members} requestBody: { ${body} content: { text/plain: { ${media} } } }`).body?.contents[0]
      ?.limit
  t.strictSame(
    [
      limit('x-body-limit: 3,', 'x-body-limit: 2,', 'x-body-limit: 1'),
      limit('x-body-limit: 3,', 'x-body-limit: 2,', ''),
      limit('x-body-limit: 3,', '', ''),
      limit('', '', '')
    ],
    [1, 2, 3, undefined]
  )
  const servers = (members: string, item: string, root: string) =>
    operationOf(members, { item, root }).servers.map(({ url }) => url)
  const [a, b, c] = ['/a', '/b', '/c'].map((url) => `servers: [{ url: ${url} }],`)
  t.strictSame(
    [
      servers(`${a}`, `${b}`, `${c}`),
      servers('', `${b}`, `${c}`),
      servers('', '', `${c}`),
      servers('', '', '')
    ],
    [['/a'], ['/b'], ['/c'], ['/']]
  )
  const [server] = operationOf(
    "servers: [{ url: '/{v}', variables: { v: { default: 1, enum: [1, 2] }, w: {} } }]"
  ).servers
  t.strictSame(Object.fromEntries(server?.variables ?? []), {
    v: { default: '1', enum: ['1', '2'] },
    w: { default: '' }
  })
  const place = (name: string, where: string, text: string) =>
    `{ name: ${name}, in: ${where}, description: ${text} }`
  const shared = [
    place('a', 'query', 'shared'),
    place('X-B', 'header', 'shared'),
    place('c', 'query', 'shared')
  ]
  const own = [place('a', 'query', 'own'), place('x-b', 'header', 'own'), place('c', 'cookie', 'own')]
  const ignored = ['Accept', 'content-type', 'Authorization'].map((name) => place(name, 'header', 'ignored'))
  const { parameters } = operationOf(`parameters: [${[...own, ...ignored, place('d', 'body', 'nowhere')]}]`, {
    item: `parameters: [${shared}],`
  })
  t.strictSame(
    parameters.map(({ name, in: where, description }) => `${where} ${name}: ${description}`),
    ['query a: own', 'header x-b: own', 'cookie c: own', 'query c: shared']
  )
})

t.test('two operations with one body have limits of their own', async (t) => {
  const { operations } = contractOf(`paths:
  /a:
    post: { x-body-limit: 3, requestBody: { $ref: '#/components/requestBodies/A' }, responses: OK }
    put: { requestBody: { $ref: '#/components/requestBodies/A' }, responses: OK }
components: { requestBodies: { A: { content: { text/plain: {} } } } }
`)
  t.strictSame(
    operations.map(({ method, body }) => [method, body?.component, body?.contents[0]?.limit]),
    [
      ['PUT', 'A', undefined],
      ['POST', 'A', 3]
    ]
  )
})

t.test('parts by position, parts of a part, and a style that is absent', async (t) => {
  const [content] =
    operationOf(`requestBody: { content: { multipart/mixed: {
  prefixEncoding: [{ contentType: 'image/png, image/gif' }, {}],
  itemEncoding: { encoding: { a: { contentType: image/gif }, b: { style: form, explode: false, allowReserved: true } } }
} } }`).body?.contents ?? []
  t.match(content?.prefixEncodings, [{ contentTypes: ['image/png', 'image/gif'] }, { contentTypes: [] }])
  const fields = content?.itemEncoding?.fields
  t.match(fields?.get('a'), { contentTypes: ['image/gif'] })
  t.notOk('style' in Object(fields?.get('a')), 'it is not the default')
  t.match(fields?.get('b'), { contentTypes: [], style: 'form', explode: false, allowReserved: true })
})

t.test('responses: one node for each, ignored headers and unknown statuses left out', async (t) => {
  const { operations } = contractOf(`paths:
  /a:
    post:
      responses:
        '200': { $ref: '#/components/responses/Done' }
        Default: { $ref: '#/components/responses/Done' }
        '600': { description: no status }
        4xx: { description: no, headers: { Content-Type: {}, X-A: { required: true, schema: { title: A } } } }
components: { responses: { Done: { description: done } } }
`)
  const found = operations[0]?.responses
  t.strictSame([...(found?.keys() ?? [])].sort(), ['200', '4XX', 'default'])
  t.equal(found?.get('200'), found?.get('default'))
  t.equal(found?.get('200')?.component, 'Done')
  t.match([...(found?.get('4XX')?.headers ?? [])], [['X-A', { required: true, schema: { title: 'A' } }]])
})

t.test('security: its own, that of the root, and what is not declared', async (t) => {
  const root = `security: [{ key: [] }], webhooks: { a: { post: { responses: OK } } }, components: { securitySchemes: {
  key: { type: apiKey, in: query, name: k },
  auth: { type: oauth2, flows: { implicit: { authorizationUrl: /a, scopes: { read: Read } } } }
} }`
  const of = (members: string) =>
    operationOf(members, { root }).security.map((all) =>
      all.map(({ scheme, scopes }) => [scheme.key, scheme.type, ...scopes].join(' '))
    )
  t.strictSame(of(''), [['key apiKey']])
  t.strictSame(of('security: []'), [])
  t.strictSame(of('security: [{}, { key: [], auth: [read] }]'), [[], ['key apiKey', 'auth oauth2 read']])
  t.strictSame(of('security: [{ none: [] }]'), [['none undeclared']], 'nobody satisfies it')
  const { webhooks } = contractOf(`{ paths: {}, ${root} }`)
  t.strictSame(webhooks[0]?.security, [], 'a webhook is not sent with the credentials of clients')
})

t.test('ids of operations', async (t) => {
  const { operations } = contractOf(`paths:
  /: { get: { responses: OK } }
  /pets/{pet-id}:
    get: { responses: OK }
    put: { responses: OK, operationId: change }
    additionalOperations: { COPY: { responses: OK } }
  /a/{b}: { get: { responses: OK, operationId: '' } }
  /a.b: { get: { responses: OK } }
  /change: { get: { responses: OK, operationId: get } }
`)
  t.strictSame(
    operations.map(({ id, isNamed }) => `${id}${isNamed ? ', named' : ''}`),
    [
      ...['get____c767025d0edc', 'get_pets_by_pet__id', 'change, named', 'copy_pets_by_pet__id'],
      ...['get_a_by_b', 'get_a_b____ed734d13a20e', 'get, named']
    ]
  )
})

t.test('paths that resemble each other, or refer to one path item, have ids of their own', async (t) => {
  const paths = '/a/b /a-b /a_b /a/{b} /a/by/b /aB /a__b /a.b /{a}/b /a/b/ /a//b /a--b'.split(' ')
  const { operations } = contractOf(`paths:
${paths.map((path) => `  ${path}: { get: { responses: OK } }\n`).join('')}
  /y: { $ref: '#/components/pathItems/x' }
  /z: { $ref: '#/components/pathItems/x' }
components: { pathItems: { x: { get: { responses: OK }, put: { responses: OK } } } }
`)
  const found = operations.map(({ id }) => id)
  t.equal(new Set(found).size, paths.length + 4)
  t.ok(found.every((id) => /^\w+$/.test(id)))
  t.strictSame(found.slice(-4), ['get_y', 'put_y', 'get_z', 'put_z'])
})

t.test('webhooks and callbacks: names, directions, and cycles', async (t) => {
  const { operations, webhooks } = contractOf(`paths:
  /a:
    post:
      operationId: a
      responses: OK
      callbacks: { done: { $ref: '#/components/callbacks/Shared' }, again: { x: { $ref: '#/components/pathItems/Again' } } }
  /b:
    post: { responses: OK, callbacks: { finished: { $ref: '#/components/callbacks/Shared' }, x-no: { $ref: '#/components/callbacks/Shared' } } }
  /again: { $ref: '#/components/pathItems/Again' }
webhooks:
  born: { post: { responses: OK }, put: { responses: OK } }
  born2: { post: { responses: OK, operationId: bornPost } }
components:
  callbacks: { Shared: { '{$request.body#/url}': { post: { responses: OK } } } }
  pathItems:
    Again: { post: { responses: OK, callbacks: { again: { '{$request.query.url}': { $ref: '#/components/pathItems/Again' } } } } }
`)
  t.strictSame(
    webhooks.map(({ id, path, direction }) => `${id} ${path} ${direction}`),
    ['bornPut born sent', 'bornPost born sent', 'bornPost2 born2 sent']
  )
  t.strictSame(
    operations.map(({ pathItem }) => pathItem.component),
    [undefined, undefined, 'Again']
  )
  const edges = operations.map(({ id, callbacks }) => [
    id,
    ...callbacks.map((each) => `${each.name} ${each.expression} ${each.operation.id}`)
  ])
  t.strictSame(edges, [
    ['a', 'done {$request.body#/url} aDone', 'again x aAgain'],
    ['post_b', 'finished {$request.body#/url} aDone', 'x-no {$request.body#/url} aDone'],
    ['post_again', 'again {$request.query.url} aAgain']
  ])
  const again = operations[2]?.callbacks[0]?.operation
  t.equal(again?.callbacks[0]?.operation, again, 'the callback of a callback')
  t.equal(again?.direction, 'sent')
  t.not(again, operations[2], 'it is served, too')
})

t.test('links lead to operations, by id or place', async (t) => {
  const { operations } = contractOf(`paths:
  /a:
    get:
      responses:
        '200':
          description: done
          links:
            byId: { operationId: b, parameters: { id: $response.body#/id, n: 3 }, requestBody: $request.body }
            byPlace: { operationRef: '#/paths/~1b~1{id}/get' }
            shared: { $ref: '#/components/links/Shared' }
            nowhere: { operationId: none }
  /b/{id}: { get: { operationId: b, responses: OK } }
components: { links: { Shared: { operationRef: 'openapi.yaml#/paths/~1b~1%7Bid%7D/get' } } }
`)
  const found = operations[0]?.responses.get('200')?.links ?? []
  t.strictSame(
    found.map(({ name, operation }) => `${name} ${operation?.id}`),
    ['byId b', 'byPlace b', 'shared b', 'nowhere undefined']
  )
  t.strictSame(Object.fromEntries(found[0]?.parameters ?? []), {
    id: { expression: '$response.body#/id' },
    n: { value: 3 }
  })
  t.strictSame(found[0]?.body, { expression: '$request.body' })
})

t.test('the root of a contract', async (t) => {
  const { title, version, description, extensions, tags } = contractOf(`
info: { title: Pets, version: 2, description: All pets }
tags: [{ name: a, summary: A, parent: b, kind: nav, x-a: 1 }]
x-strict-query: true
`)
  const found = { title, version, description, extensions }
  t.strictSame(found, {
    ...{ title: 'Pets', version: '2', description: 'All pets', extensions: { 'x-strict-query': true } }
  })
  t.match(tags, [{ name: 'a', summary: 'A', parent: 'b', kind: 'nav', extensions: { 'x-a': 1 } }])
})

t.test('a schema that a reader composes of references is complete', async (t) => {
  const contract = contractOf(
    'components: { schemas: { Cat: { properties: { kind: { type: string } } }, Dog: {} } }'
  )
  const union = ['Cat', 'Dog'].map((name) => ({ $ref: `#/components/schemas/${name}` }))
  const schema = schemaOf(contract, { oneOf: union, discriminator: { propertyName: 'kind' } })
  t.strictSame([...(schema.discriminator?.tags?.keys() ?? [])], ['Cat', 'Dog'])
  t.equal(schema.oneOf?.[0]?.ref, contract.components.schemas.get('Cat'))
  t.equal(schemaOf(contract, false).never, true)
  t.throws(() => schemaOf({ ...contract }, {}), /was not made by buildContract/)
  const others = [{}, { origin: 'a' }, { origin: {} }, null]
  t.strictSame([schema, ...others].map(isSchema), [true, false, false, false, false])
})
