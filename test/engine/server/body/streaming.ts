/** A contract of bodies that are read while they arrive, served on a real socket; a test gives the handler of all operations. */
import { connect, type Socket } from 'node:net'
import root, { type Test } from 'tap'
import { parse } from 'yaml'
import { sleep } from '../../../time.ts'
import { compiled, request, type Service, serve } from '../../serve.ts'

/** Limit of the bytes of `/bytes`. */
export const maxBytes = 1_000_000

const contract = await compiled(
  root,
  parse(`
paths:
  /bytes: { post: { operationId: bytes, requestBody: { required: true, content: { application/octet-stream: { x-stream: true, x-body-limit: ${maxBytes} } } }, responses: &ok { 200: { description: ok, content: { application/json: {}, application/octet-stream: {} } } } } }
  /large: { post: { operationId: large, requestBody: { content: { application/octet-stream: { x-stream: true, x-body-limit: 50000000 } } }, responses: *ok } }
  /take: { post: { operationId: take, requestBody: { content: { application/octet-stream: {}, multipart/form-data: {} } }, responses: *ok } }
  /plain: { post: { operationId: plain, requestBody: { content: { text/plain: {} } }, responses: *ok } }
  /small: { get: { operationId: small, responses: *ok } }
  /items:
    post:
      operationId: items
      requestBody:
        required: true
        content:
          application/jsonl: { itemSchema: &item { type: object, required: [id], properties: { id: &int64 { type: integer, format: int64 }, name: { type: string, maxLength: 100000 } } } }
          application/x-ndjson: { schema: { type: array, items: *item } }
          application/x-jsonlines: { schema: *item }
          application/json-seq: { itemSchema: { type: [object, number, array] } }
          text/event-stream:
            itemSchema:
              type: object
              required: [data]
              properties: { data: { type: object, required: [id], properties: { id: *int64 } }, event: { enum: [made, gone] }, id: { type: string }, retry: { type: integer } }
          text/event-stream; of=text: { itemSchema: { type: string } }
          text/event-stream; of=numbers: { itemSchema: *int64 }
          text/event-stream; of=both: { itemSchema: { anyOf: [{ type: string, maxLength: 3 }, { type: integer, maximum: 9 }] } }
          text/event-stream; of=counts: { itemSchema: { type: object, properties: { data: *int64, id: { type: string } } } }
          text/event-stream; of=ids: { itemSchema: { type: object, properties: { data: { type: string }, id: *int64 } } }
          application/x-ndjson; of=trees: { itemSchema: &tree { $ref: '#/components/schemas/Tree' } }
          text/event-stream; of=trees: { itemSchema: { type: object, properties: { data: *tree } } }
          text/plain: {}
      responses: *ok
  /optional: { post: { operationId: optional, requestBody: { content: { application/jsonl: { itemSchema: *item } } }, responses: *ok } }
  /bounded: { post: { operationId: bounded, requestBody: { content: { application/jsonl: { itemSchema: {}, x-body-limit: 5000 } } }, responses: *ok } }
  /free: { post: { operationId: free, requestBody: { content: { application/jsonl: { itemSchema: {} }, application/json-seq: { itemSchema: {} }, text/event-stream: { itemSchema: { type: string } } } }, responses: *ok } }
  /upload:
    post:
      operationId: upload
      requestBody:
        required: true
        content:
          multipart/form-data:
            x-stream: true
            x-body-limit: 10000000
            schema:
              type: object
              properties:
                file: &binary { type: string, format: binary }
                files: { type: array, items: *binary }
                short: { type: string, format: binary, minLength: 2, maxLength: 100000 }
                photo: { type: string, contentMediaType: image/png }
                either: { anyOf: [*binary, { type: object, required: [a], properties: { a: { type: integer } } }] }
                title: { type: string, maxLength: 5000 }
                count: *int64
      responses: *ok
components: { schemas: { Tree: { type: object, properties: { next: *tree } } } }
`)
)

export type Handler = (request: never) => unknown

/**
 * Serves the contract; `handle` sets the handler of the next requests, which answers 200 `"ok"` by default.
 * @param start serves it in another way
 */
export async function bodies(t: Test, { fastify, ...service }: Service = {}, start = serve) {
  let handler: Handler = () => 'ok'
  const run = async (request: never) => ({ status: 200, body: await handler(request) })
  const handlers = Object.fromEntries(contract.operations.map(({ operationId }) => [operationId, run]))
  const options = { handlers, fastify: { requestTimeout: 60_000, ...fastify }, ...service }
  const handle = (next: Handler) => {
    handler = next
  }
  return { ...(await start(t, contract, options)), handle }
}

export const octets = 'application/octet-stream'
export const lines = 'application/jsonl'
export const texts = 'application/json-seq'
export const events = 'text/event-stream'
export const form = 'multipart/form-data; boundary=b'

export const typed = (mediaType: string) => ({ 'Content-Type': mediaType })

/** Returns the headers of a request whose body is sent in chunks. */
export const chunked = (path: string, mediaType: string) =>
  request(`POST ${path}`, '', {
    ...typed(mediaType),
    'Content-Length': undefined,
    'Transfer-Encoding': 'chunked'
  }).toString()

/** Returns a chunk of a text of latin1; an empty one ends the body. */
export const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
export const lastChunk = '0\r\n\r\n'

/** Returns a whole body in chunks of a size. */
export const inChunks = (bytes: Buffer, size: number) =>
  (bytes.toString('latin1').match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []).map(chunk).join('') + lastChunk

/** Returns a part of a form. */
export const part = (name: string, bytes: string | Buffer, more = '') =>
  Buffer.concat([
    Buffer.from(`--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`),
    Buffer.from(bytes),
    Buffer.from('\r\n')
  ])
export const formOf = (...parts: readonly Buffer[]) => Buffer.concat([...parts, Buffer.from('--b--\r\n')])

/** Sends a chunk every 50 ms until the server answers, at most so many. Returns true if it has answered. */
export async function trickle(socket: Socket, text: string, most: number): Promise<boolean> {
  let isAnswered = false
  socket.once('data', () => {
    isAnswered = true
  })
  for (let sent = 0; sent < most && !isAnswered; sent++) {
    socket.write(chunk(text))
    await sleep(50)
  }
  return isAnswered
}

/** Opens a connection, and sends what begins a body. */
export function begin(t: Test, port: number, sent: string | Buffer): Socket {
  const client = connect(port, '127.0.0.1')
  t.teardown(() => client.destroy())
  client.write(typeof sent === 'string' ? Buffer.from(sent, 'latin1') : sent)
  return client
}

/** Returns a promise of a handler, and the function that ends its wait. */
export function gate(): { readonly wait: () => Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined
  const wait = () =>
    new Promise<void>((resolve) => {
      open = resolve
    })
  return { wait, open: () => open() }
}
