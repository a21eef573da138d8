/** A service with every style of parameter and every kind of body, and a client of it. */
import * as features from '../../../src/engine/client-features.ts'
import type { Contract } from '../../../src/engine/model/compiled-contract.ts'
import type { Json } from '../serve.ts'

const parameter = (name: string, location: string, schema: Json, more: object = {}): Json => {
  return { name, in: location, schema, ...more, ...(location === 'path' && { required: true }) }
}
const integer = { type: 'integer' }
const int64 = { type: 'integer', format: 'int64' }
const text = { type: 'string' }
const list = { type: 'array', items: int64 }
const object = { type: 'object', properties: { a: integer, b: text }, additionalProperties: false }
const ok = {
  204: { description: 'taken' },
  default: { description: 'refused', content: { 'application/json': {} } }
}
const taking = (operationId: string, content: Json, more: object = {}): Json => {
  return { post: { operationId, requestBody: { required: true, content }, responses: ok, ...more } }
}
const item = { type: 'object', required: ['id'], properties: { id: int64, note: text } }
const event = { type: 'object', properties: { data: item, event: text, id: text, retry: integer } }
const textEvent = { type: 'object', properties: { data: text, event: text } }
const either = { type: 'object', properties: { data: { anyOf: [integer, { enum: ['end'] }] }, id: int64 } }
const sequences: readonly (readonly [name: string, mediaType: string, schema: Json])[] = [
  ['lines', 'application/jsonl', item],
  ['texts', 'application/json-seq', item],
  ['events', 'text/event-stream', event],
  ['data', 'text/event-stream', item],
  ['words', 'text/event-stream', textEvent],
  ['either', 'text/event-stream', either]
]

export const document = {
  openapi: '3.2.0',
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      basic: { type: 'http', scheme: 'basic' },
      digest: { type: 'http', scheme: 'digest' },
      oauth: { type: 'openIdConnect', openIdConnectUrl: 'https://x.example' },
      header: { type: 'apiKey', in: 'header', name: 'X-Key' },
      query: { type: 'apiKey', in: 'query', name: 'key' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
      certificate: { type: 'mutualTLS' }
    }
  },
  paths: {
    '/paths/{simple}/{list}/{label}/{dots}/{matrix}/{spread}/{object}/{json}/a-{part}': {
      get: {
        operationId: 'paths',
        parameters: [
          parameter('simple', 'path', text),
          parameter('list', 'path', list),
          parameter('label', 'path', list, { style: 'label' }),
          parameter('dots', 'path', object, { style: 'label', explode: true }),
          parameter('matrix', 'path', list, { style: 'matrix' }),
          parameter('spread', 'path', object, { style: 'matrix', explode: true }),
          parameter('object', 'path', object, { explode: true }),
          { name: 'json', in: 'path', required: true, content: { 'application/json': { schema: item } } },
          parameter('part', 'path', text)
        ],
        responses: ok
      }
    },
    '/others': {
      get: {
        operationId: 'others',
        parameters: [
          parameter('form', 'query', list),
          parameter('joined', 'query', list, { explode: false }),
          parameter('spaces', 'query', list, { style: 'spaceDelimited', explode: false }),
          parameter('pipes', 'query', list, { style: 'pipeDelimited', explode: false }),
          parameter('piped', 'query', object, { style: 'pipeDelimited', explode: false }),
          parameter(
            'deep',
            'query',
            { type: 'object', properties: { x: object, list } },
            { style: 'deepObject' }
          ),
          parameter('members', 'query', { type: 'object', properties: { m: text, n: list } }),
          parameter('reserved', 'query', text, { allowReserved: true }),
          parameter('text', 'query', text),
          { name: 'json', in: 'query', content: { 'application/json': { schema: item } } },
          parameter('page', 'query', { ...integer, default: 1 }),
          parameter('X-List', 'header', list),
          parameter('X-Text', 'header', text),
          parameter('X-Object', 'header', object),
          parameter('plain', 'cookie', text),
          parameter('raw', 'cookie', text, { style: 'cookie' })
        ],
        responses: ok
      }
    },
    '/whole/form': {
      get: {
        operationId: 'wholeForm',
        parameters: [
          {
            name: 'q',
            in: 'querystring',
            content: { 'application/x-www-form-urlencoded': { schema: object } }
          }
        ],
        responses: ok
      }
    },
    '/whole/json': {
      get: {
        operationId: 'wholeJson',
        parameters: [{ name: 'q', in: 'querystring', content: { 'application/json': { schema: item } } }],
        responses: ok
      }
    },
    '/whole/text': {
      get: {
        operationId: 'wholeText',
        parameters: [{ name: 'q', in: 'querystring', content: { 'text/plain': { schema: text } } }],
        responses: ok
      }
    },
    '/json': taking('json', { 'application/json': { schema: item }, 'text/plain': { schema: text } }),
    '/maybe': taking('maybe', {}, { requestBody: { content: { 'application/json': { schema: item } } } }),
    '/form': taking('form', {
      'application/x-www-form-urlencoded': {
        schema: {
          type: 'object',
          properties: { id: int64, tags: list, meta: object, item, items: { type: 'array', items: item } },
          additionalProperties: text
        },
        encoding: { meta: { contentType: 'application/json' } }
      }
    }),
    '/upload': taking('upload', {
      'multipart/form-data': {
        schema: {
          type: 'object',
          required: ['file'],
          properties: {
            file: { type: 'string', format: 'binary', maxLength: 20 },
            files: { type: 'array', items: { type: 'string', format: 'binary' } },
            id: int64,
            meta: item,
            metas: { type: 'array', items: item },
            note: text
          }
        },
        encoding: { files: { contentType: 'image/png' } }
      }
    }),
    '/bytes': taking('bytes', { 'application/octet-stream': { schema: { type: 'string', maxLength: 8 } } }),
    '/stream': taking('stream', { 'application/octet-stream': { 'x-stream': true } }),
    '/any': taking('any', { '*/*': { schema: {} } }),
    ...Object.fromEntries(
      sequences.map(([name, mediaType, itemSchema]) => [
        `/${name}`,
        {
          ...Object(taking(`send_${name}`, { [mediaType]: { itemSchema } })),
          get: {
            operationId: `get_${name}`,
            responses: { 200: { description: 'items', content: { [mediaType]: { itemSchema } } } }
          }
        }
      ])
    ),
    '/answers': {
      get: {
        operationId: 'answers',
        responses: {
          200: {
            description: 'exact',
            headers: {
              'X-Total': { schema: int64, required: true },
              'X-List': { schema: list },
              'X-Object': { schema: object, explode: true },
              'X-Json': { content: { 'application/json': { schema: item } } },
              'X-Text': { schema: { type: 'string', maxLength: 5 } },
              'Set-Cookie': { schema: { type: 'array', items: text } }
            },
            content: { 'application/json': { schema: { type: 'array', items: item } } }
          },
          201: { description: 'plain', content: { 'application/json': { schema: object } } },
          202: {
            description: 'text',
            content: { 'text/plain': { schema: { type: 'string', maxLength: 5 } } }
          },
          203: { description: 'bytes', content: { 'application/octet-stream': {}, 'application/xml': {} } },
          206: { description: 'stream', content: { 'application/octet-stream': { 'x-stream': true } } },
          207: { description: 'any', content: { '*/*': { schema: { type: ['object', 'string'] } } } },
          208: { description: 'nothing' },
          209: {
            description: 'cookies',
            headers: { 'Set-Cookie': { schema: { type: 'string', pattern: '=' } } }
          },
          '4XX': { description: 'refused', content: { 'application/json': { schema: object } } },
          499: { description: 'nothing' }
        }
      },
      head: {
        operationId: 'headOf',
        responses: { default: { description: 'any', content: { 'text/plain': {} } } }
      }
    },
    ...Object.fromEntries(
      Object.entries({
        bearer: [{ bearer: [] }],
        basic: [{ basic: [] }],
        digest: [{ digest: [] }],
        oauth: [{ oauth: ['read'] }],
        keys: [{ header: [], query: [], cookie: [] }],
        optional: [{}, { header: [] }],
        either: [{ certificate: [] }, { certificate: [], query: [] }, { basic: [] }]
      }).map(([name, security]) => [
        `/secure/${name}`,
        {
          post: {
            operationId: `secure_${name}`,
            security,
            parameters: [parameter('page', 'query', integer), parameter('seen', 'cookie', text)],
            requestBody: { content: { 'application/jsonl': { itemSchema: integer } } },
            responses: ok
          }
        }
      ])
    )
  }
} as unknown as Json

/** Returns the operations with the features of src/ instead of those that the compiler has bundled. */
export async function fromSource(contract: Contract): Promise<object> {
  const operations = Object.entries(await contract.client()).filter(([name]) => name !== '$build')
  return Object.fromEntries(operations.map(([name, operation]) => [name, { ...Object(operation), features }]))
}
