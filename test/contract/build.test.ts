/** Builds operations, bodies, responses, security and links: what is decided once for all readers. */
import t from 'tap'
import {
  type Content,
  type Contract,
  isSchema,
  type Operation,
  schemaOf
} from '../../src/contract/contract.ts'
import { contractOf as sharing } from './schema-of.ts'

/** Returns the model of a document in which no object stands twice. */
const contractOf = (document: object): Contract => sharing(JSON.parse(JSON.stringify(document)))

const ok = { responses: { 200: { description: 'done' } } }

/** Returns the operation POST /a of a contract. */
function operationOf(operation: object, document: object = {}, item: object = {}): Operation {
  const [found] = contractOf({
    paths: { '/a': { ...item, post: { ...ok, ...operation } } },
    ...document
  }).operations
  if (found === undefined) throw new Error('no operation')
  return found
}

function contentOf(mediaType: string, media: object = {}, operation: object = {}): Content {
  const [content] =
    operationOf({ requestBody: { content: { [mediaType]: media } }, ...operation }).body?.contents ?? []
  if (content === undefined) throw new Error('no content')
  return content
}

const kinds: readonly (readonly [mediaType: string, kind: Content['kind'], isRange: boolean])[] = [
  ['application/json', 'json', false],
  ['application/vnd.a+json; charset=utf-8', 'json', false],
  ['application/x-www-form-urlencoded', 'form', false],
  ['multipart/form-data', 'multipart', false],
  ['text/plain', 'text', false],
  ['image/png', 'bytes', false],
  ['application/xml', 'xml', false],
  ['application/cbor', 'xml', false],
  ['text/*', 'text', true],
  ['*/*', 'bytes', true],
  ['application/*+json', 'none', true],
  ['no media type', 'none', false]
]
for (const [mediaType, kind, isRange] of kinds)
  t.test(`a body of ${mediaType} is ${kind}`, async (t) => t.match(contentOf(mediaType), { kind, isRange }))

const sequences: readonly (readonly [mediaType: string, media: object, want: unknown])[] = [
  ['application/jsonl', { itemSchema: { title: 'A' } }, ['lines', 'A', false]],
  ['application/jsonl', { schema: { type: 'array', items: { title: 'A' } } }, ['lines', 'A', false]],
  ['application/jsonl', { schema: { title: 'A' } }, ['lines', 'A', false]],
  ['application/jsonl', { schema: { type: 'array' } }, ['lines', undefined, false]],
  [
    'application/jsonl',
    { schema: { allOf: [{ type: 'array', items: { title: 'A' } }] } },
    ['lines', 'A', false]
  ],
  ['application/json-seq', { itemSchema: {} }, ['texts', undefined, false]],
  ['text/event-stream', { itemSchema: { title: 'A', type: 'integer' } }, ['events', 'A', false]],
  [
    'text/event-stream',
    { itemSchema: { title: 'A', type: 'object', properties: { data: {} } } },
    ['events', 'A', true]
  ],
  [
    'application/jsonl',
    { itemSchema: { title: 'A', type: 'object', properties: { data: {} } } },
    ['lines', 'A', false]
  ],
  ['application/jsonl', { schema: { type: 'string' } }, undefined],
  ['application/jsonl', {}, undefined],
  ['application/json', { itemSchema: {} }, undefined]
]
for (const [mediaType, media, want] of sequences)
  t.test(`items of ${mediaType}: ${JSON.stringify(media)}`, async (t) => {
    const { sequence } = contentOf(mediaType, media)
    t.strictSame(sequence && [sequence.framing, sequence.item.title, sequence.isEvent], want)
  })

t.test('items that several branches describe', async (t) => {
  const lists = [
    { type: 'array', items: { title: 'A' } },
    { type: 'array', items: { title: 'B' } }
  ]
  const { sequence } = contentOf('application/jsonl', { schema: { oneOf: lists } })
  t.strictSame(
    sequence?.item.anyOf?.map(({ title }) => title),
    ['A', 'B']
  )
})

t.test('a body is optional unless it says otherwise', async (t) => {
  const isRequired = (body: object) => operationOf({ requestBody: { content: {}, ...body } }).body?.required
  t.strictSame(
    [isRequired({}), isRequired({ required: true }), isRequired({ required: 'yes' })],
    [false, true, false]
  )
  t.equal(operationOf({}).body, undefined)
})

t.test('streams: bytes and forms with files', async (t) => {
  const isStreamed = (mediaType: string) => contentOf(mediaType, { 'x-stream': true }).isStreamed
  t.strictSame(
    ['video/*', 'application/octet-stream', 'multipart/form-data', 'application/json', 'text/plain'].map(
      isStreamed
    ),
    [true, true, true, false, false]
  )
  t.notOk(contentOf('video/*', { 'x-stream': 'yes' }).isStreamed)
})

t.test('the nearest limit of a body', async (t) => {
  const [media, body, operation] = [1, 2, 3].map((limit) => ({ 'x-body-limit': limit }))
  const of = (...[a, b, c]: (object | undefined)[]) =>
    operationOf({ ...c, requestBody: { ...b, content: { 'text/plain': { ...a } } } }).body?.contents[0]?.limit
  t.strictSame(
    [of(media, body, operation), of({}, body, operation), of({}, {}, operation), of()],
    [1, 2, 3, undefined]
  )
  const shared = { $ref: '#/components/requestBodies/A' }
  const components = { requestBodies: { A: { content: { 'text/plain': {} } } } }
  const paths = {
    '/a': { post: { ...operation, ...ok, requestBody: shared }, put: { ...ok, requestBody: shared } }
  }
  const { operations } = contractOf({ paths, components })
  t.strictSame(
    operations.map(({ method, body }) => [method, body?.component, body?.contents[0]?.limit]),
    [
      ['PUT', 'A', undefined],
      ['POST', 'A', 3]
    ],
    'two operations with one body'
  )
  const { problems } = contractOf({
    paths: { '/a': { post: { 'x-body-limit': 0, requestBody: { content: { 'text/plain': {} } }, ...ok } } }
  })
  t.match(problems, [{ rule: 'body-limit', message: 'x-body-limit must be a number of bytes, at least 1' }])
  t.equal(problems[0]?.origin.pointer, '#/paths//a/post/x-body-limit')
})

t.test('fields of a form: an absent style is not the default', async (t) => {
  const encoding = {
    a: { contentType: 'image/png, image/gif' },
    b: { style: 'form', explode: false, allowReserved: true }
  }
  const { fields } = contentOf('multipart/form-data', { encoding })
  t.match(fields.get('a'), { contentTypes: ['image/png', 'image/gif'] })
  t.notOk('style' in Object(fields.get('a')))
  t.match(fields.get('b'), { contentTypes: [], style: 'form', explode: false, allowReserved: true })
})

t.test('parts by position, and parts of a part', async (t) => {
  const encoding = { a: { contentType: 'image/gif' } }
  const { prefixEncodings, itemEncoding } = contentOf('multipart/mixed', {
    prefixEncoding: [{ contentType: 'image/png' }, {}],
    itemEncoding: { encoding }
  })
  t.match(prefixEncodings, [{ contentTypes: ['image/png'] }, { contentTypes: [] }])
  t.match(itemEncoding?.fields.get('a'), { contentTypes: ['image/gif'] })
  t.equal(itemEncoding?.origin.pointer, '#/paths//a/post/requestBody/content/multipart/mixed/itemEncoding')
})

const parameters: readonly (readonly [parameter: object, want: object])[] = [
  [
    { in: 'path', style: 'matrix' },
    { required: true, style: 'matrix', explode: false }
  ],
  [{ in: 'query' }, { required: false, style: 'form', explode: true, allowReserved: false }],
  [
    { in: 'query', style: 'deepObject', explode: true, allowReserved: true },
    { style: 'deepObject', explode: true, allowReserved: true }
  ],
  [{ in: 'query', style: 'simple' }, { style: 'form' }],
  [
    { in: 'header', required: true, deprecated: true },
    { required: true, style: 'simple', explode: false, deprecated: true }
  ],
  [
    { in: 'cookie', style: 'cookie' },
    { style: 'cookie', explode: true }
  ],
  [
    { in: 'query', explode: false, allowEmptyValue: true },
    { explode: false, allowEmptyValue: true }
  ],
  [{ in: 'query', schema: { allOf: [{ default: 3 }] } }, { default: 3 }],
  [
    { in: 'query', content: { 'application/json': { schema: { default: null } } } },
    { default: null, content: { kind: 'json' } }
  ],
  [
    { in: 'query', examples: { a: { value: 1 }, b: { serializedValue: '2', externalValue: 'c' } } },
    {
      examples: [
        { name: 'a', value: 1 },
        { name: 'b', text: '2', external: 'c' }
      ]
    }
  ]
]
for (const [parameter, want] of parameters)
  t.test(`a parameter: ${JSON.stringify(parameter)}`, async (t) => {
    const [found] = operationOf({ parameters: [{ name: 'a', ...parameter }] }).parameters
    t.match(found, { name: 'a', in: Reflect.get(parameter, 'in'), ...want })
  })

t.test('parameters of the path item and of the operation', async (t) => {
  const parameter = (name: string, place: string, description: string) => ({ name, in: place, description })
  const shared = [
    parameter('a', 'query', 'shared'),
    parameter('X-B', 'header', 'shared'),
    parameter('c', 'query', 'shared')
  ]
  const own = [
    parameter('a', 'query', 'own'),
    parameter('x-b', 'header', 'own'),
    parameter('c', 'cookie', 'own')
  ]
  const ignored = ['Accept', 'content-type', 'Authorization'].map((name) =>
    parameter(name, 'header', 'ignored')
  )
  const nowhere = [parameter('d', 'body', 'nowhere')]
  const operation = operationOf({ parameters: [...own, ...ignored, ...nowhere] }, {}, { parameters: shared })
  t.strictSame(
    operation.parameters.map(({ name, in: place, description }) => [name, place, description]),
    [
      ['a', 'query', 'own'],
      ['x-b', 'header', 'own'],
      ['c', 'cookie', 'own'],
      ['c', 'query', 'shared']
    ]
  )
  t.equal(operation.pathItem.parameters.length, 3)
})

t.test('responses: one node for each, ignored headers and unknown statuses left out', async (t) => {
  const responses = {
    200: { $ref: '#/components/responses/Done' },
    '4xx': {
      description: 'no',
      headers: { 'Content-Type': {}, 'X-A': { required: true, schema: { title: 'A' } } }
    },
    Default: { $ref: '#/components/responses/Done' },
    600: { description: 'no status' }
  }
  const found = operationOf(
    { responses },
    { components: { responses: { Done: { description: 'done' } } } }
  ).responses
  t.strictSame([...found.keys()], ['200', '4XX', 'default'])
  t.equal(found.get('200'), found.get('default'))
  t.equal(found.get('200')?.component, 'Done')
  t.match([...(found.get('4XX')?.headers ?? [])], [['X-A', { required: true, schema: { title: 'A' } }]])
})

t.test('security: its own, that of the root, and what is not declared', async (t) => {
  const schemes = {
    key: { type: 'apiKey', in: 'query', name: 'k' },
    auth: { type: 'oauth2', flows: { implicit: { authorizationUrl: '/a', scopes: { read: 'Read' } } } }
  }
  const document = { security: [{ key: [] }], components: { securitySchemes: schemes } }
  const of = (operation: object) =>
    operationOf(operation, document).security.map((all) =>
      all.map(({ scheme, scopes }) => [scheme.key, scheme.type, ...scopes])
    )
  t.strictSame(of({}), [[['key', 'apiKey']]])
  t.strictSame(of({ security: [] }), [])
  t.strictSame(of({ security: [{}, { key: [], auth: ['read'] }] }), [
    [],
    [
      ['key', 'apiKey'],
      ['auth', 'oauth2', 'read']
    ]
  ])
  t.strictSame(of({ security: [{ none: [] }] }), [[['none', 'undeclared']]], 'nobody satisfies it')
  const { components, webhooks } = contractOf({ ...document, webhooks: { a: { post: ok } } })
  t.match(components.securitySchemes.get('key'), { in: 'query', parameter: 'k' })
  t.strictSame(
    [...(components.securitySchemes.get('auth')?.flows.get('implicit')?.scopes ?? [])],
    [['read', 'Read']]
  )
  t.strictSame(webhooks[0]?.security, [], 'a webhook is not sent with the credentials of clients')
})

t.test('servers: of the operation, of the path item, of the root, or the root of the host', async (t) => {
  const [a, b, c] = ['/a', '/b', '/c'].map((url) => ({ servers: [{ url }] }))
  const of = (operation?: object, item?: object, document?: object) =>
    operationOf(operation ?? {}, document, item).servers.map(({ url }) => url)
  t.strictSame([of(a, b, c), of({}, b, c), of({}, {}, c), of()], [['/a'], ['/b'], ['/c'], ['/']])
  const variables = { v: { default: 1, enum: [1, 2] }, w: {} }
  const [server] = operationOf({ servers: [{ url: '/{v}', name: 'one', variables }] }).servers
  t.strictSame(
    [...(server?.variables ?? [])],
    [
      ['v', { default: '1', enum: ['1', '2'] }],
      ['w', { default: '' }]
    ]
  )
})

const ids = ({ operations }: Contract) => operations.map(({ id, isNamed }) => [id, isNamed])

t.test('ids of operations', async (t) => {
  const paths = {
    '/': { get: ok },
    '/pets/{pet-id}': { get: ok, put: { ...ok, operationId: 'change' }, additionalOperations: { COPY: ok } },
    '/a/{b}': { get: { ...ok, operationId: '' } },
    '/a.b': { get: ok },
    '/change': { get: { ...ok, operationId: 'get' } }
  }
  t.strictSame(ids(contractOf({ paths })), [
    ['get____c767025d0edc', false],
    ['get_pets_by_pet__id', false],
    ['change', true],
    ['copy_pets_by_pet__id', false],
    ['get_a_by_b', false],
    ['get_a_b____ed734d13a20e', false],
    ['get', true]
  ])
})

t.test('paths that resemble each other, or refer to one path item, have ids of their own', async (t) => {
  const paths = [
    '/a/b',
    '/a-b',
    '/a_b',
    '/a/{b}',
    '/a/by/b',
    '/aB',
    '/a__b',
    '/a.b',
    '/{a}/b',
    '/a/b/',
    '/a//b',
    '/a--b'
  ]
  const item = { $ref: '#/components/pathItems/x' }
  const contract = contractOf({
    paths: { ...Object.fromEntries(paths.map((path) => [path, { get: ok }])), '/y': item, '/z': item },
    components: { pathItems: { x: { get: ok, put: ok } } }
  })
  const found = contract.operations.map(({ id }) => id)
  t.equal(new Set(found).size, paths.length + 4)
  t.ok(found.every((id) => /^\w+$/.test(id)))
  t.strictSame(found.slice(-4), ['get_y', 'put_y', 'get_z', 'put_z'])
})

t.test('webhooks and callbacks: names, directions, and cycles', async (t) => {
  const callback = (path: string, operation: object = ok) => ({ [path]: { post: operation } })
  const components = {
    pathItems: {
      Again: {
        post: {
          ...ok,
          callbacks: { again: { '{$request.query.url}': { $ref: '#/components/pathItems/Again' } } }
        }
      }
    },
    callbacks: { Shared: callback('{$request.body#/url}') }
  }
  const shared = { $ref: '#/components/callbacks/Shared' }
  const { operations, webhooks } = contractOf({
    components,
    webhooks: { born: { post: ok, put: ok }, born2: { post: { ...ok, operationId: 'bornPost' } } },
    paths: {
      '/a': {
        post: {
          ...ok,
          operationId: 'a',
          callbacks: { done: shared, again: { x: { $ref: '#/components/pathItems/Again' } } }
        }
      },
      '/b': { post: { ...ok, callbacks: { finished: shared, 'x-no': shared } } },
      '/again': { $ref: '#/components/pathItems/Again' }
    }
  })
  t.strictSame(
    webhooks.map(({ id, path, direction }) => [id, path, direction]),
    [
      ['bornPut', 'born', 'sent'],
      ['bornPost', 'born', 'sent'],
      ['bornPost2', 'born2', 'sent']
    ]
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
  const links = {
    byId: { operationId: 'b', parameters: { id: '$response.body#/id', n: 3 }, requestBody: '$request.body' },
    byPlace: { operationRef: '#/paths/~1b~1{id}/get' },
    shared: { $ref: '#/components/links/Shared' },
    nowhere: { operationId: 'none' }
  }
  const { operations } = contractOf({
    components: { links: { Shared: { operationRef: 'openapi.yaml#/paths/~1b~1%7Bid%7D/get' } } },
    paths: {
      '/a': { get: { responses: { 200: { description: 'done', links } } } },
      '/b/{id}': { get: { ...ok, operationId: 'b' } }
    }
  })
  const found = operations[0]?.responses.get('200')?.links ?? []
  t.strictSame(
    found.map(({ name, operation }) => [name, operation?.id]),
    [
      ['byId', 'b'],
      ['byPlace', 'b'],
      ['shared', 'b'],
      ['nowhere', undefined]
    ]
  )
  t.strictSame(
    [...(found[0]?.parameters ?? [])],
    [
      ['id', { expression: '$response.body#/id' }],
      ['n', { value: 3 }]
    ]
  )
  t.strictSame(found[0]?.body, { expression: '$request.body' })
})

t.test('the root of a contract', async (t) => {
  const tags = [{ name: 'a', summary: 'A', parent: 'b', kind: 'nav', 'x-a': 1 }]
  const {
    title,
    version,
    description,
    extensions,
    tags: found
  } = contractOf({
    info: { title: 'Pets', version: 2, description: 'All pets' },
    tags,
    'x-strict-query': true
  })
  t.strictSame(
    [title, version, description, extensions],
    ['Pets', '2', 'All pets', { 'x-strict-query': true }]
  )
  t.match(found, [{ name: 'a', summary: 'A', parent: 'b', kind: 'nav', extensions: { 'x-a': 1 } }])
})

t.test('a schema that a reader composes of references is complete', async (t) => {
  const text = { type: 'string' }
  const contract = contractOf({ components: { schemas: { Cat: { properties: { kind: text } }, Dog: {} } } })
  const union = ['Cat', 'Dog'].map((name) => ({ $ref: `#/components/schemas/${name}` }))
  const schema = schemaOf(contract, { oneOf: union, discriminator: { propertyName: 'kind' } })
  t.strictSame([...(schema.discriminator?.tags?.keys() ?? [])], ['Cat', 'Dog'])
  t.equal(schema.oneOf?.[0]?.ref, contract.components.schemas.get('Cat'))
  t.equal(schemaOf(contract, false).never, true)
  t.throws(() => schemaOf({ ...contract }, {}), /was not made by buildContract/)
  const others = [{}, { origin: 'a' }, { origin: {} }, null]
  t.strictSame([schema, ...others].map(isSchema), [true, false, false, false, false])
})
