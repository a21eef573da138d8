/** A contract of streams, served on a real socket, and clients that read when they are told to. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import root, { type Test } from 'tap'
import { parse } from 'yaml'
import { sleep, until } from '../../../time.ts'
import { compiled, type Json, type Service, serve, type servePlugins } from '../../serve.ts'

/** Contents by operation. */
const media: Readonly<Record<string, Json>> = parse(`
lines:
  application/jsonl:
    itemSchema: &plant
      type: object
      required: [id]
      properties: { id: { type: integer, format: int64 }, name: { type: string } }
texts: { application/json-seq: { itemSchema: *plant } }
events: { text/event-stream: { itemSchema: { type: object, properties: { data: *plant, event: {}, id: {}, retry: {} } } } }
words: { text/event-stream: { itemSchema: { type: object, properties: { data: { type: [string, 'null'] }, event: { type: string } } } } }
data: { text/event-stream: { itemSchema: { type: string } } }
free: { application/x-ndjson: { itemSchema: {} } }
either: { application/json: { schema: { type: array, items: *plant } }, application/x-jsonlines: { itemSchema: *plant } }
page: { application/json: { schema: {} } }
`)
const document: Json = {
  openapi: '3.2.0',
  paths: Object.fromEntries(
    Object.entries(media).map(([name, content]) => [
      `/${name}`,
      { get: { operationId: name, responses: { 200: { description: '', content } } } }
    ])
  )
}

export const contract = await compiled(root, document)

export interface Request {
  readonly signal: AbortSignal
  readonly log: FastifyBaseLogger
}

type Body = (request: Request) => unknown

/** Serves the contract; `answer` sets the body of the next responses. */
export async function streams(
  t: Test,
  service: Service = {},
  start: typeof serve | typeof servePlugins = serve
) {
  let body: Body = () => []
  const handlers = Object.fromEntries(
    Object.keys(media).map((name) => [
      name,
      async (request: Request) => ({ status: 200, body: name === 'page' ? 'page' : await body(request) })
    ])
  )
  const served = await start(t, contract, { handlers, ...service })
  const answer = (made: Body) => {
    body = made
  }
  const open = (path: string, options?: Options) => openClient(t, served.port, path, options)
  /** Opens a stream whose items a test gives one by one, and waits until the first is asked for. */
  const begin = async (path: string, source = new Source(), options?: Options) => {
    answer(() => source)
    const client = await open(path, options)
    await until(() => source.next > 0)
    return { client, source }
  }
  return { ...served, answer, open, begin }
}

/** Waits until an iterator is asked no more, because its client does not read. */
export async function stalled(source: Source): Promise<void> {
  await until(async () => {
    const { next } = source
    await sleep(100)
    return next > 0 && source.next === next
  })
}

export interface Options {
  readonly method?: string
  readonly version?: string
  readonly headers?: string
  /** True for a client that reads nothing until `socket.resume()`. */
  readonly isPaused?: boolean
}

export interface Client {
  readonly socket: Socket
  /** All that has arrived. */
  readonly text: () => string
  /** The body without the framing of its chunks. */
  readonly body: () => string
  /** True if the body is complete. */
  readonly isWhole: () => boolean
  /** The end of the connection. */
  readonly ending: () => 'open' | 'closed' | 'reset'
}

/** Sends a request, and keeps the connection. */
export async function openClient(
  t: Test,
  port: number,
  path: string,
  { method = 'GET', version = '1.1', headers = '', isPaused = false }: Options = {}
): Promise<Client> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  t.teardown(() => socket.destroy())
  const chunks: Buffer[] = []
  let ending: 'open' | 'closed' | 'reset' = 'open'
  socket.on('end', () => {
    ending = 'closed'
  })
  socket.on('error', () => {
    ending = 'reset'
  })
  await once(socket, 'connect')
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  if (isPaused) socket.pause()
  socket.write(`${method} /${path} HTTP/${version}\r\nHost: a\r\n${headers}\r\n`)
  const text = () => Buffer.concat(chunks).toString('latin1')
  return {
    socket,
    text,
    body: () => unchunked(text()).body,
    isWhole: () => unchunked(text()).isWhole,
    ending: () => ending
  }
}

/** Reads a body in chunks as far as it has arrived (RFC 9112, section 7.1). */
function unchunked(text: string): { body: string; isWhole: boolean } {
  const start = text.indexOf('\r\n\r\n')
  let rest = start < 0 ? '' : text.slice(start + 4)
  if (!/\r\ntransfer-encoding: chunked\r\n/i.test(text)) return { body: rest, isWhole: false }
  let body = ''
  for (;;) {
    const size = /^([\da-f]+)\r\n/.exec(rest)
    if (size === null) return { body, isWhole: false }
    const length = Number.parseInt(String(size[1]), 16)
    if (length === 0) return { body, isWhole: rest === '0\r\n\r\n' }
    const from = size[0].length
    body += rest.slice(from, from + length)
    rest = rest.slice(from + length + 2)
  }
}

/** An iterable that counts its calls. `next` gives an item for each call of `give`, or all at once. */
export class Source implements AsyncIterable<unknown> {
  next = 0
  returned = 0
  readonly #waiting: ((result: IteratorResult<unknown>) => void)[] = []
  readonly #refusing: ((error: unknown) => void)[] = []
  readonly #item: ((index: number) => unknown) | undefined
  readonly #onReturn: () => unknown

  /** @param item makes the items; without it, each waits for `give` */
  constructor(item?: (index: number) => unknown, onReturn: () => unknown = () => undefined) {
    this.#item = item
    this.#onReturn = onReturn
  }

  /** Number of pending calls of `next`. */
  get pending(): number {
    return this.#waiting.length
  }

  give(value: unknown): void {
    this.#refusing.shift()
    this.#waiting.shift()?.({ done: false, value })
  }

  finish(): void {
    this.#refusing.shift()
    this.#waiting.shift()?.({ done: true, value: undefined })
  }

  fail(error: unknown): void {
    this.#waiting.shift()
    this.#refusing.shift()?.(error)
  }

  [Symbol.asyncIterator](): AsyncIterator<unknown> {
    return {
      next: () => {
        const index = this.next++
        if (this.#item !== undefined) return Promise.resolve({ done: false, value: this.#item(index) })
        return new Promise((resolve, reject) => {
          this.#waiting.push(resolve)
          this.#refusing.push(reject)
        })
      },
      return: () => {
        this.returned++
        const returned = this.#onReturn()
        return Promise.resolve(returned).then(() => ({ done: true, value: undefined }))
      }
    }
  }
}
