/** A contract whose operations declare errors in several shapes, with handlers that return what a test sets. */
import { parse } from 'yaml'
import type { ErrorBody } from '../../../../src/engine/server/errors/error-response.ts'
import type { Json } from '../../serve.ts'

export const document: Json = parse(`
openapi: 3.2.0
components:
  responses:
    None: &none { description: '' }
    Any: &any { description: '', content: { application/json: {} } }
    Text: &text { description: '', content: { text/plain: { schema: { type: string } } } }
    Impossible: &impossible
      { description: '', content: { application/json: { schema: { type: object, required: [impossible] } } } }
    Problem: &problem
      description: ''
      content: { application/problem+json: { schema: { $ref: '#/components/schemas/Problem' } } }
  schemas:
    Problem:
      type: object
      required: [type, status]
      properties: { type: { type: string }, status: { type: integer } }
      additionalProperties: false
paths:
  /shaped:
    get: { operationId: shaped, responses: { 200: *any, default: *problem } }
    post:
      operationId: create
      requestBody: { required: true, content: { application/json: {} } }
      responses: { 201: *none, 4XX: *problem, 5XX: *problem }
  /text:
    get: { operationId: text, responses: { 200: *none, 406: *text, 500: *text } }
  /narrow:
    post:
      operationId: narrow
      requestBody: { required: true, content: { application/json: { schema: { type: string } } } }
      responses: { 200: *none, 400: *impossible }
  /items/{id}:
    get:
      operationId: item
      parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
      responses: { 200: *any }
  /own:
    get: { operationId: ownGet, responses: { 200: *any } }
    head:
      operationId: ownHead
      responses: { 200: { description: '', headers: { X-Own: { schema: { type: string } } } } }
    query: { operationId: find, requestBody: { content: { application/json: {} } }, responses: { 200: *any } }
`)

/** Result of the handlers `shaped`, `create`, `text` and `narrow`. */
let result: () => unknown = () => ({ status: 200 })

export function setResult(next: () => unknown): void {
  result = next
}

const made = () => result()
export const handlers = {
  ...{ shaped: made, create: made, text: made, narrow: made },
  item: ({ params }: { params: object }) => ({ status: 200, body: params }),
  ownGet: () => ({ status: 200, body: 'get' }),
  ownHead: () => ({ status: 200, headers: { 'X-Own': 'head' } }),
  find: ({ body }: { body: unknown }) => ({ status: 200, body: { body } })
}
export const shaped: ErrorBody = ({ code, status, operationId }) =>
  operationId === 'text' ? `failed: ${code}` : { type: code, status }
