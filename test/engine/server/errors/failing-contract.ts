/** A contract whose operations declare errors in several shapes, with handlers that return what a test sets. */
import type { ErrorBody } from '../../../../src/engine/server/errors/error-response.ts'
import type { Json } from '../../serve.ts'

const problem: Json = {
  type: 'object',
  required: ['type', 'status'],
  properties: { type: { type: 'string' }, status: { type: 'integer' } },
  additionalProperties: false
}
const content = (schema: Json): Json => ({ 'application/problem+json': { schema } })

export const document: Json = {
  openapi: '3.2.0',
  paths: {
    '/shaped': {
      get: {
        operationId: 'shaped',
        responses: {
          200: { description: '', content: { 'application/json': {} } },
          default: { description: '', content: content(problem) }
        }
      },
      post: {
        operationId: 'create',
        requestBody: { required: true, content: { 'application/json': {} } },
        responses: {
          201: { description: '' },
          '4XX': { description: '', content: content(problem) },
          '5XX': { description: '', content: content(problem) }
        }
      }
    },
    '/text': {
      get: {
        operationId: 'text',
        responses: {
          200: { description: '' },
          406: { description: '', content: { 'text/plain': { schema: { type: 'string' } } } },
          500: { description: '', content: { 'text/plain': { schema: { type: 'string' } } } }
        }
      }
    },
    '/narrow': {
      post: {
        operationId: 'narrow',
        requestBody: { required: true, content: { 'application/json': { schema: { type: 'string' } } } },
        responses: {
          200: { description: '' },
          400: {
            description: '',
            content: { 'application/json': { schema: { type: 'object', required: ['impossible'] } } }
          }
        }
      }
    },
    '/items/{id}': {
      get: {
        operationId: 'item',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: { 200: { description: '', content: { 'application/json': {} } } }
      }
    },
    '/own': {
      get: {
        operationId: 'ownGet',
        responses: { 200: { description: '', content: { 'application/json': {} } } }
      },
      head: {
        operationId: 'ownHead',
        responses: { 200: { description: '', headers: { 'X-Own': { schema: { type: 'string' } } } } }
      },
      query: {
        operationId: 'find',
        requestBody: { content: { 'application/json': {} } },
        responses: { 200: { description: '', content: { 'application/json': {} } } }
      }
    }
  }
}

/** Result of the handlers `shaped`, `create`, `text` and `narrow`. */
let result: () => unknown = () => ({ status: 200 })

export function setResult(next: () => unknown): void {
  result = next
}

export const handlers = {
  shaped: () => result(),
  create: () => result(),
  text: () => result(),
  narrow: () => result(),
  item: ({ params }: { params: object }) => ({ status: 200, body: params }),
  ownGet: () => ({ status: 200, body: 'get' }),
  ownHead: () => ({ status: 200, headers: { 'X-Own': 'head' } }),
  find: ({ body }: { body: unknown }) => ({ status: 200, body: { body } })
}
export const shaped: ErrorBody = ({ code, status, operationId }) =>
  operationId === 'text' ? `failed: ${code}` : { type: code, status }
