/** Five contracts, with well-formed requests that the fuzzer changes. */
import { type Json, request, taking } from '../engine/serve.ts'

export interface FuzzContract {
  readonly document: Json
  /** First lines, bodies and headers of well-formed requests. */
  readonly requests: readonly (readonly [first: string, body?: string, type?: string])[]
}

const int64: Json = { type: 'integer', format: 'int64' }
const text: Json = { type: 'string' }
const node: Json = { $ref: '#/components/schemas/Node' }
const responses: Json = { 200: { description: 'ok', content: { 'application/json': {} } } }
const urlencoded = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data; boundary=b'

const plants: FuzzContract = {
  document: {
    paths: {
      '/plants': taking('create', {
        type: 'object',
        required: ['id', 'name'],
        properties: { id: int64, name: { type: 'string', minLength: 1 }, tag: text },
        additionalProperties: false
      })
    }
  },
  requests: [
    ['POST /plants', '{"id":42,"name":"Monstera","tag":"climber"}'],
    ['POST /plants', '{"id":9223372036854775807,"name":"\\u00e9"}']
  ]
}

const unions: FuzzContract = {
  document: {
    paths: {
      '/tree': taking('tree', node),
      '/any': taking('any', { anyOf: [node, text, { type: 'array', items: node }] })
    },
    components: {
      schemas: {
        Node: {
          oneOf: [
            {
              type: 'object',
              required: ['kids'],
              properties: { kids: { type: 'array', items: node, uniqueItems: true } }
            },
            { type: 'object', required: ['leaf'], properties: { leaf: int64 }, additionalProperties: int64 }
          ]
        }
      }
    }
  },
  requests: [
    ['POST /tree', '{"kids":[{"leaf":1},{"kids":[{"leaf":9007199254740993,"x":2}]}]}'],
    ['POST /any', '[{"leaf":1},{"leaf":2}]']
  ]
}

const fields: Json = {
  type: 'object',
  properties: {
    id: int64,
    tags: { type: 'array', items: text },
    node: { type: 'object', properties: { a: int64 } },
    file: { type: 'string', format: 'binary' }
  },
  additionalProperties: { type: 'array', items: { type: 'integer' } }
}

const part = (name: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

const forms: FuzzContract = {
  document: {
    paths: {
      '/forms': {
        post: {
          operationId: 'form',
          requestBody: {
            content: { [urlencoded]: { schema: fields }, 'multipart/form-data': { schema: fields } }
          },
          responses
        }
      }
    }
  },
  requests: [
    ['POST /forms', 'id=1&tags=a&tags=b&n=1&n=2&node=a,1', urlencoded],
    ['POST /forms', `${part('id', '5')}${part('node', '{"a":1}')}${part('file', 'xyz')}--b--\r\n`, multipart]
  ]
}

const style = (name: string, place: string, schema: Json, more: object = {}): Json => ({
  name,
  in: place,
  schema,
  ...(place === 'path' && { required: true }),
  ...more
})

const parameters: FuzzContract = {
  document: {
    paths: {
      '/things/{id}/{range}': {
        get: {
          operationId: 'things',
          parameters: [
            style('id', 'path', int64),
            style('range', 'path', { type: 'array', items: { type: 'integer' } }, { style: 'label' }),
            style(
              'filter',
              'query',
              { type: 'object', additionalProperties: text },
              { style: 'deepObject', explode: true }
            ),
            style(
              'list',
              'query',
              { type: 'array', items: int64 },
              { style: 'pipeDelimited', explode: false }
            ),
            { name: 'json', in: 'query', content: { 'application/json': { schema: node } } },
            style('X-Point', 'header', { type: 'object', properties: { x: int64 } }),
            style('c', 'cookie', { type: 'array', items: text }, { explode: false })
          ],
          responses
        }
      }
    },
    components: { schemas: { Node: { type: 'object', properties: { next: node, v: int64 } } } }
  },
  requests: [
    ['GET /things/5/.1.2?filter[a]=b&filter[c]=d&list=1|2&json=%7B%22v%22:1%7D'],
    ['GET /things/9007199254740993/.7?json=%7B%22next%22:%7B%22v%22:2%7D%7D']
  ]
}

const formats: FuzzContract = {
  document: {
    paths: {
      '/formats': taking('formats', {
        type: 'object',
        properties: Object.fromEntries(
          [
            'date-time',
            'date',
            'time',
            'duration',
            'email',
            'hostname',
            'ipv4',
            'ipv6',
            'uri',
            'url',
            'uuid',
            'regex'
          ].map((format) => [format, { type: 'string', format }])
        ),
        patternProperties: { '^x-': { type: 'number', multipleOf: 0.01 } },
        propertyNames: { maxLength: 20 },
        if: { required: ['date'] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { minProperties: 2 }
      })
    }
  },
  requests: [
    [
      'POST /formats',
      '{"date":"2026-11-21","time":"10:00:00Z","email":"a@b.c","uri":"http://a/b","ipv6":"::1"}'
    ],
    [
      'POST /formats',
      '{"url":"http://a:1/","uuid":"01234567-89ab-cdef-0123-456789abcdef","x-a":0.07,"regex":"^a+$"}'
    ]
  ]
}

export const contracts: readonly FuzzContract[] = [plants, unions, forms, parameters, formats]

export const bytesOf = ([first, body, type]: FuzzContract['requests'][number]): Buffer =>
  request(first, body, type === undefined ? {} : { 'Content-Type': type })
