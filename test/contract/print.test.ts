/** Prints the model of each contract and compares it with the document, both in a normal form. */
import t from 'tap'
import type { JsonObject } from '../../src/contract/contract.ts'
import { collection } from './collection.ts'
import { normalForm } from './normal-form.ts'
import { print } from './print.ts'
import { contractOf } from './schema-of.ts'
import { upgraded } from './upgraded.ts'

t.setTimeout(900_000)

const componentsOf = (document: JsonObject): string[] =>
  Object.keys(Object(Reflect.get(Object(Reflect.get(document, 'components')), 'schemas'))).sort()

/** Contracts with a base that lists its children: the model has the members of the base in each. */
const inheriting: ReadonlySet<string> = new Set(
  ['nullable-3.0', 'recursive'].map((name) => `test/contracts/${name}.yaml`)
)

t.test('every contract of the collection is printed as it is', async (t) => {
  let count = 0
  for await (const [file, contract] of collection()) {
    count++
    if (inheriting.has(file)) continue
    const model = contract.model
    const names = componentsOf(contract.document)
    t.equal(normalForm(print(model), names), normalForm(upgraded(contract.document), names), file)
    t.notOk(
      model.problems.some(({ severity }) => severity === 'error'),
      file
    )
  }
  t.ok(count > 40, String(count))
})

const ok = { responses: { 200: { description: 'done' } } }
const ref = (pointer: string, others: object = {}) => ({ $ref: `#/components/${pointer}`, ...others })
const post = (operation: object) => ({ paths: { '/a/{b}': { post: { ...ok, ...operation } } } })
const schemas = (members: object) => ({ components: { schemas: members } })

const tricky: Readonly<Record<string, object>> = {
  'odd names': schemas({
    'a/b~c%25 ü': { properties: { 'x/y~z%': { type: 'null' } } },
    toString: ref('schemas/a~1b~0c%2525%20ü/properties/x~1y~0z%25')
  }),
  'own __proto__': JSON.parse(
    '{"components":{"schemas":{"A":{"properties":{"__proto__":{"type":"null"},"b":{"$ref":"#/components/schemas/A/properties/__proto__"}}},"__proto__":{}}}}'
  ),
  'references below schemas': schemas({
    A: {
      allOf: [{ title: 'first' }, { items: { title: 'inner' } }],
      $defs: { D: { title: 'D', not: ref('schemas/A/$defs/E') }, E: {} }
    },
    B: { prefixItems: [ref('schemas/A/allOf/1/items'), ref('schemas/A/allOf/0'), ref('schemas/A/$defs/D')] }
  }),
  'references to booleans': schemas({
    Never: false,
    Any: true,
    A: {
      properties: {
        a: ref('schemas/Never'),
        b: ref('schemas/Any'),
        c: ref('schemas/A/properties/d'),
        d: false
      }
    }
  }),
  'references beside keywords, and chains': schemas({
    A: ref('schemas/B', { maxLength: 3, description: 'short' }),
    B: ref('schemas/C'),
    C: { type: 'string' },
    Loop: { anyOf: [{ not: { items: ref('schemas/Loop') } }, ref('schemas/A')] }
  }),
  'every keyword': schemas({
    A: {
      ...{
        type: ['object', 'array'],
        title: 'A',
        description: 'all',
        deprecated: true,
        readOnly: true,
        default: null
      },
      ...{
        enum: [1, 2n ** 60n, null],
        const: { a: [1] },
        format: 'int64',
        minimum: 1,
        maximum: 9n,
        exclusiveMinimum: 0
      },
      ...{
        exclusiveMaximum: 10.5,
        multipleOf: 0.5,
        minLength: 0,
        maxLength: 1,
        pattern: '^a',
        contentEncoding: 'base64'
      },
      ...{
        contentMediaType: 'text/plain',
        contentSchema: { title: 'content' },
        prefixItems: [{}],
        items: false
      },
      ...{
        unevaluatedItems: { title: 'u' },
        contains: {},
        minContains: 2,
        maxContains: 3,
        minItems: 1,
        maxItems: 2
      },
      ...{
        uniqueItems: true,
        properties: {},
        patternProperties: { '^x': { title: 'x' } },
        additionalProperties: true
      },
      ...{ unevaluatedProperties: false, propertyNames: { maxLength: 9 }, required: [], minProperties: 0 },
      ...{
        maxProperties: 5,
        dependentRequired: { a: ['b'] },
        dependentSchemas: { a: { title: 'd' } },
        allOf: [{}]
      },
      ...{
        anyOf: [true],
        oneOf: [false],
        not: { title: 'n' },
        if: { title: 'i' },
        then: { title: 't' },
        else: false
      },
      ...{ example: 1, examples: [2], xml: { name: 'a', wrapped: true }, 'x-a': { b: 1 }, writeOnly: true },
      ...{
        $comment: 'gone',
        externalDocs: { url: '/' },
        unknown: 1,
        dependencies: { c: ['d'], e: { title: 'e' } }
      }
    }
  }),
  discriminators: schemas({
    A: {
      oneOf: [ref('schemas/B'), ref('schemas/C')],
      discriminator: {
        propertyName: 'k',
        mapping: { b: 'B', c: '#/components/schemas/C' },
        defaultMapping: 'C'
      }
    },
    B: { properties: { k: {} } },
    C: { discriminator: { propertyName: 'k', mapping: { inner: '#/components/schemas/B/properties/k' } } }
  }),
  'parameters everywhere': {
    paths: {
      '/a/{b}': {
        parameters: [ref('parameters/B'), { name: 'q', in: 'query', schema: { title: 'shared' } }],
        get: {
          ...ok,
          parameters: [
            ref('parameters/B'),
            {
              name: 'q',
              in: 'query',
              explode: false,
              content: { 'application/json': { schema: { type: 'object' } } }
            }
          ]
        },
        put: {
          ...ok,
          parameters: [{ name: 'h', in: 'header', deprecated: true, examples: { one: ref('examples/One') } }]
        }
      }
    },
    components: {
      parameters: {
        B: { name: 'b', in: 'path', required: true, style: 'label' },
        Alias: ref('parameters/B'),
        Wrong: { name: 'w', in: 'body' }
      },
      examples: { One: { summary: 'one', dataValue: 1 } }
    }
  },
  'bodies and media types': {
    ...post({
      requestBody: ref('requestBodies/A'),
      responses: {
        200: { description: 'a', content: { 'text/event-stream': ref('mediaTypes/Events') } },
        '4xx': ref('responses/No')
      }
    }),
    components: {
      mediaTypes: { Events: { itemSchema: { type: 'object', properties: { data: {} } } } },
      requestBodies: {
        A: {
          description: 'a body',
          required: true,
          content: {
            'multipart/form-data': {
              schema: { type: 'object', properties: { a: {} } },
              encoding: {
                a: {
                  contentType: 'image/png,  image/gif',
                  style: 'form',
                  explode: false,
                  headers: { 'X-A': ref('headers/A') }
                }
              },
              example: { a: 1 }
            }
          }
        }
      },
      headers: {
        A: { required: true, explode: true, content: { 'application/json': { schema: {} } } },
        B: ref('headers/A')
      },
      responses: {
        No: { description: 'no', headers: { 'X-B': ref('headers/B'), 'content-type': {} }, 'x-no': true }
      }
    }
  },
  'security and servers': {
    security: [{ key: [] }, {}],
    servers: [{ url: '/{v}', variables: { v: { default: 1, enum: [1] } } }],
    tags: [{ name: 'a', kind: 'nav' }],
    paths: {
      '/a': { get: ok, put: { ...ok, security: [] }, servers: [{ url: '/item' }] },
      '/b': {
        get: {
          ...ok,
          security: [{ key: [], auth: ['read'] }],
          servers: [{ url: '/own', name: 'own' }],
          tags: ['a', 'b']
        }
      }
    },
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'cookie', name: 'k', deprecated: true },
        auth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: '/t', scopes: { read: 'Read' } } } },
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        connect: { type: 'openIdConnect', openIdConnectUrl: '/c' }
      }
    }
  },
  'callbacks, webhooks and links': {
    webhooks: { born: { post: ok, put: ok } },
    paths: {
      '/a': {
        summary: 'all of a',
        post: {
          ...ok,
          operationId: 'a',
          callbacks: { again: { '{$url}': ref('pathItems/Again') }, both: { x: { post: ok, put: ok } } }
        },
        additionalOperations: { COPY: { ...ok, 'x-copy': 1 } }
      },
      '/b': ref('pathItems/Again'),
      '/c': {
        get: {
          responses: {
            200: {
              description: 'c',
              links: {
                a: { operationId: 'a', parameters: { n: 1, u: '$url' } },
                b: { operationRef: '#/paths/~1b/post', requestBody: 1 }
              }
            }
          }
        }
      }
    },
    components: {
      pathItems: { Again: { post: { ...ok, callbacks: { again: { '{$url}': ref('pathItems/Again') } } } } }
    }
  }
}

for (const [what, document] of Object.entries(tricky))
  t.test(what, async (t) => {
    const whole = unshared({
      openapi: '3.2.0',
      info: { title: 'A', version: '1' },
      ...document
    }) as JsonObject
    const names = componentsOf(whole)
    const before = normalForm(whole, names)
    t.equal(normalForm(print(contractOf(whole)), names), before)
    t.equal(normalForm(whole, names), before, 'the document did not change')
  })

/** Copies a value, so that no object stands twice in it. */
function unshared(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(unshared)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, unshared(member)]))
}
