/** A contract of responses, served on a real socket; a test gives the answer of all operations. */
import root, { type Test } from 'tap'
import { parse } from 'yaml'
import { compiled, type Json, request, type Service, serve } from '../../serve.ts'

/** Responses by operation. */
const responses: Readonly<Record<string, Json>> = parse(
  `
strict: &strict
  200:
    description: ''
    content: &plant
      application/json:
        schema: &plantSchema
          type: object
          required: [id, name]
          properties:
            id: &int64 { type: integer, format: int64 }
            name: { type: string }
            at: { type: string, format: date-time }
            weight: { type: number }
            count: { type: integer }
            secret: { type: string, writeOnly: true }
            made: { type: string, readOnly: true }
            parts: { type: array, items: { type: object, properties: { n: *int64 } } }
plain:
  <<: *strict
  4XX: { description: '', content: &error { application/json: { schema: { type: object, required: [code], properties: { code: { type: string } } } } } }
  default: { description: '', content: { application/json: { schema: { type: object, required: [other], properties: { other: { type: boolean } } } } } }
range: { 2XX: { description: '', content: *plant } }
lists: { 200: { description: '', content: { application/json: { schema: { type: array, items: *int64 } } } } }
maps:
  200: { description: '', content: { application/json: { schema: { type: object, properties: { a: { type: string } }, additionalProperties: *int64 } } } }
free: { 200: { description: '', content: &free { application/json: {} } } }
headers:
  200:
    description: ''
    headers:
      X-Count: { required: true, schema: { type: integer, minimum: 1 } }
      X-Note: { schema: { type: string } }
      X-Json: { content: { application/json: {} } }
      X-Flat: { schema: {} }
      X-Exploded: { explode: true, schema: {} }
    content: *free
  303: { description: '', headers: { Location: { required: true, schema: { type: string } } } }
nothing: { 204: { description: '' }, 200: { description: '' }, 304: { description: '' } }
emptied: { 205: { description: '', content: *plant } }
texts: { 200: { description: '', content: { text/plain: { schema: { type: string, maxLength: 20 } } } } }
bytes: { 200: { description: '', content: &bytes { application/octet-stream: { schema: { type: string, format: binary } } } } }
images: { 200: { description: '', content: { image/*: {} } } }
sized:
  200: { description: '', headers: { Content-Length: { required: true, schema: { type: integer } } }, content: *bytes }
  201: { description: '', headers: { Content-Length: { required: true, schema: {} } }, content: *free }
  204: { description: '', headers: { Content-Length: { schema: { type: integer } } } }
events: { 200: { description: '', content: { text/event-stream: {} } } }
connected:
  200:
    description: ''
    headers:
      Connection: &x { required: true, schema: { const: x } }
      keep-alive: *x
      Transfer-Encoding: *x
      Upgrade: *x
      Trailer: *x
  201: { description: '', headers: { Content-Length: { required: true, schema: {} } }, content: { application/jsonl: { schema: { type: integer } } } }
  202: { description: '', headers: { Content-Length: { required: true, schema: {} } } }
lines: { 200: { description: '', content: &lines { application/jsonl: { schema: { type: integer } } } } }
several:
  200:
    description: ''
    content: { <<: *plant, application/vnd.test+json: { schema: { type: array } }, text/csv: { schema: { type: string } } }
  4XX: { description: '', content: { <<: *error, text/plain: {} } }
any: { 200: { description: '', content: { '*/*': {} } } }
either: { 200: { description: '', content: { <<: *plant, image/*: {} } } }
`,
  { merge: true }
)
const paths = Object.entries(responses).map(([operationId, responses]) => [
  `/${operationId}`,
  { get: { operationId, responses } }
])
const contract = await compiled(root, { paths: Object.fromEntries(paths) })

interface Request {
  readonly accepts: readonly string[]
  readonly signal: AbortSignal
}
type Answer = (request: Request) => unknown

/** Serves the contract; `answer` sets the responses of the next requests. */
export async function answers(t: Test, service: Service = {}) {
  let made: Answer = () => undefined
  const names = Object.keys(responses)
  const handlers = Object.fromEntries(names.map((name) => [name, (given: Request) => made(given)]))
  const served = await serve(t, contract, { handlers, ...service })
  const answer = (next: Answer) => {
    made = next
  }
  const get = (name: string, headers: Readonly<Record<string, string | undefined>> = {}) =>
    served.ask(request(`GET /${name}`, undefined, headers))
  return { ...served, answer, get }
}

export const sized = (body: unknown, length: unknown) => ({
  status: 200,
  body,
  headers: { 'Content-Length': length }
})
