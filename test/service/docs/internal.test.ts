import { test } from 'tap'
import { calledUrls, resolve, withoutInternal } from '../../../src/service/docs/internal.ts'

const hidden = { 'x-internal': true }
const json = (schema: object) => ({ description: '', content: { 'application/json': { schema } } })
const info = { title: 'x', version: '1' }

test('paths, operations, parameters, properties, variants and tags that are marked are left out', async (t) => {
  const get = {
    operationId: 'get',
    tags: ['public'],
    parameters: [
      { name: 'page', in: 'query' },
      { name: 'trace', in: 'query', ...hidden }
    ],
    responses: {
      200: json({
        type: 'object',
        required: ['name', 'cost', 'undeclared'],
        properties: {
          name: { type: 'string' },
          cost: { type: 'number', ...hidden },
          margin: { $ref: '#/components/schemas/Alias' }
        },
        example: { cost: 1, 'x-internal': true }
      }),
      418: { description: '', ...hidden }
    }
  }
  const shown = withoutInternal({
    openapi: '3.1.0',
    info,
    tags: [{ name: 'public' }, { name: 'secret' }, { name: 'unused' }],
    paths: {
      '/a': { get, put: { operationId: 'put', tags: ['secret'], ...hidden } },
      '/b': { ...hidden, get },
      '/c': { parameters: [], get: { operationId: 'c', ...hidden } }
    },
    components: {
      schemas: {
        Alias: { $ref: '#/components/schemas/Margin' },
        Margin: { type: 'number', ...hidden },
        Free: { type: 'string' }
      }
    }
  })
  t.strictSame(shown, {
    openapi: '3.1.0',
    info,
    tags: [{ name: 'public' }, { name: 'unused' }],
    paths: {
      '/a': {
        get: {
          operationId: 'get',
          tags: ['public'],
          parameters: [{ name: 'page', in: 'query' }],
          responses: {
            200: json({
              type: 'object',
              required: ['name', 'undeclared'],
              properties: { name: { type: 'string' } },
              example: { cost: 1, 'x-internal': true }
            })
          }
        }
      }
    },
    components: { schemas: { Free: { type: 'string' } } }
  })
})

test('components that only internal parts use are left out, whatever refers to them', async (t) => {
  const pet = {
    oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Spy' }],
    discriminator: {
      propertyName: 'kind',
      mapping: { cat: 'Cat', spy: '#/components/schemas/Spy' }
    }
  }
  const { components } = withoutInternal({
    paths: {
      '/pets': { get: { responses: { 200: json({ $ref: '#/components/schemas/Pet' }) } } },
      '/spies': { get: { ...hidden, responses: { 200: json({ $ref: '#/components/schemas/Report' }) } } }
    },
    components: {
      schemas: {
        Pet: pet,
        Cat: { type: 'object', properties: { friend: { $ref: '#/components/schemas/Cat' } } },
        Spy: { type: 'object', ...hidden },
        Report: { type: 'object', properties: { cat: { $ref: '#/components/schemas/Cat' } } },
        Loop: { $ref: '#/components/schemas/Loop' }
      },
      securitySchemes: { key: { type: 'apiKey' } }
    }
  })
  t.strictSame(components, {
    schemas: {
      Pet: {
        oneOf: [{ $ref: '#/components/schemas/Cat' }],
        discriminator: { propertyName: 'kind', mapping: { cat: 'Cat' } }
      },
      Cat: { type: 'object', properties: { friend: { $ref: '#/components/schemas/Cat' } } },
      Loop: { $ref: '#/components/schemas/Loop' }
    },
    securitySchemes: { key: { type: 'apiKey' } }
  })
})

test('a list that has nothing left is left out, and names of the author are no keywords', async (t) => {
  const schema = {
    anyOf: [{ ...hidden }],
    enum: [{ ...hidden }],
    properties: { default: { ...hidden }, mapping: {} }
  }
  const { paths } = withoutInternal({ paths: { '/a': { get: { responses: { 200: json(schema) } } } } })
  t.strictSame(paths, {
    '/a': {
      get: { responses: { 200: json({ enum: [{ ...hidden }], properties: { mapping: {} } }) } }
    }
  })
})

test('a reference to nothing stays', async (t) => {
  const paths = { '/a': { get: { responses: { 200: json({ $ref: '#/components/schemas/Nowhere' }) } } } }
  t.strictSame(withoutInternal({ paths }), { paths })
})

test('a page may call the origins of tokens and of servers, each once', async (t) => {
  const flows = {
    implicit: { authorizationUrl: 'https://window.example/a' },
    password: { tokenUrl: 'https://login.example/token?x=1', refreshUrl: 'https://refresh.example/' },
    deviceAuthorization: { deviceAuthorizationUrl: 'https://device.example/', tokenUrl: '/token' }
  }
  const document = {
    servers: [
      { url: '/v1' },
      { url: 'HTTPS://API.example:8443/v1' },
      { url: 'https://{region}.example' },
      { url: 'http://[' },
      { url: 'https://login.example' }
    ],
    components: {
      securitySchemes: {
        oauth: { type: 'oauth2', flows },
        oidc: {
          type: 'openIdConnect',
          openIdConnectUrl: 'http://oidc.example/.well-known/openid-configuration'
        },
        key: { type: 'apiKey' }
      }
    }
  }
  t.strictSame(calledUrls(document), [
    'https://login.example',
    'https://refresh.example',
    'https://device.example',
    'http://oidc.example',
    'https://api.example:8443'
  ])
  t.strictSame(calledUrls({}), [])
})

test('a reference is followed from node to node', async (t) => {
  const document = { a: { 'b/~c d': [1, 2] } }
  t.strictSame(resolve(document, '#/a/b~1~0c%20d/1'), [document, document.a, [1, 2], 2])
  t.strictSame(resolve(document, '#/x/y'), [document, undefined, undefined])
  for (const other of [undefined, 'a.yaml#/a', 3]) t.strictSame(resolve(document, other), [])
})
