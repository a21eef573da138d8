/** Asks a real server for what it has (`--proxy`), and says where its answers break the contract. */
import { type ClientOperation, createClient, ResponseMismatch } from '@contract-first/engine/client'
import { framingOf } from '@contract-first/engine/media-types'
import { bodiless, type Contract, declaredResponse, type SecurityScheme } from '@contract-first/engine/model'
import { isLoopback } from '@contract-first/engine/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { MockResponse } from './operation-mock.ts'

/** Request of a handler, with all that its client has sent. */
export interface Proxied {
  readonly params: object
  readonly query: object
  readonly headers: object
  readonly cookies: object
  readonly body?: unknown
  readonly mediaType?: string | undefined
  readonly signal: AbortSignal
}

/** Answer as the real server has sent it. */
interface Sent {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
}

type Call = (call: object) => Promise<MockResponse>

/** Statuses of a server that lacks an operation. */
const missing = new Set([404, 405, 501])

/** Headers of one connection (RFC 9110, section 7.6.1), and those that `fetch` has made untrue. */
const ofConnection = new Set(
  'connection keep-alive transfer-encoding te trailer upgrade proxy-authenticate content-length content-encoding'.split(
    ' '
  )
)

/** Headers that are sent on beside those of the contract. */
const forwarded = ['authorization', 'cookie', 'origin', 'sec-fetch-site']

/** Returns true for a request of a page that neither this mock nor another server of this machine has sent. */
export function isForeign({ headers: { origin }, host }: FastifyRequest): boolean {
  if (origin === undefined) return false
  const page = URL.parse(origin)
  return page === null || (page.host !== host.toLowerCase() && !isLoopback(page.hostname))
}

export class RealServer {
  readonly #contract: Contract
  /** Made once: a client of all operations for each request would take as long as the request. */
  readonly #operations: ReturnType<Contract['client']>
  readonly #url: string
  readonly #onWarning: (warning: string) => void
  readonly #broken = new WeakMap<FastifyRequest, Sent>()

  constructor(contract: Contract, url: string, onWarning: (warning: string) => void) {
    this.#contract = contract
    this.#operations = contract.client()
    this.#url = url
    this.#onWarning = onWarning
  }

  /** Puts an answer that breaks the contract in place of the valid one of the mock. */
  addTo(app: FastifyInstance): void {
    app.addHook('onSend', async (request: FastifyRequest, reply: FastifyReply, payload) => {
      const sent = this.#broken.get(request)
      if (sent === undefined) return payload
      for (const name of Object.keys(reply.getHeaders())) if (ofBody(name)) reply.removeHeader(name)
      reply.code(sent.status).headers(headersOf(sent.headers))
      return sent.bytes
    })
  }

  /**
   * Returns the answer of the real server.
   * @returns undefined where it has none, or one that breaks the contract, which is sent in place of any other
   */
  async answer(
    operationId: string,
    call: Proxied,
    request: FastifyRequest
  ): Promise<MockResponse | undefined> {
    let sent: Sent | undefined
    const operation = (await this.#operations)[operationId] as ClientOperation<Call>
    const client = createClient(
      { operation },
      {
        baseUrl: this.#url,
        fetch: async (url, init) => {
          const response = await fetch(this.#withKeys(url, request), {
            ...init,
            headers: this.#headers(init.headers, request)
          })
          if (isStream(response)) return response
          const bytes = Buffer.from(await response.arrayBuffer())
          sent = { status: response.status, headers: response.headers, bytes }
          return copyOf(sent)
        }
      }
    )
    try {
      const { mediaType: contentType, ...values } = call
      const accept = request.headers.accept
      const answer = await client.operation({ ...values, contentType, ...(accept && { accept }) })
      return { ...answer, headers: this.#sendable(operationId, answer) }
    } catch (error) {
      if (error instanceof ResponseMismatch && sent !== undefined && !missing.has(sent.status)) {
        this.#onWarning(`${this.#url}: ${error.message}`)
        this.#broken.set(request, sent)
      } else if (sent === undefined) this.#onWarning(`${this.#url}: ${reasonOf(error)}`)
      return undefined
    }
  }

  /** Adds credentials, and where the request comes from: the real server may refuse other sites. */
  #headers(written: RequestInit['headers'], request: FastifyRequest): Headers {
    const headers = new Headers(written)
    for (const name of [...forwarded, ...this.#keys('header').map((name) => name.toLowerCase())]) {
      const value = request.headers[name]
      if (value !== undefined) headers.set(name, String(value))
    }
    if (!isForeign(request)) return headers
    headers.delete('cookie')
    // A page of another origin knows a token, but not what a browser adds to its request.
    if (!/^bearer /i.test(headers.get('authorization') ?? '')) headers.delete('authorization')
    return headers
  }

  /** Adds the API keys of the query, which are no parameters of the operation. */
  #withKeys(url: string, request: FastifyRequest): string {
    const target = new URL(url)
    const given = new URL(String(request.raw.url), url).searchParams
    for (const name of this.#keys('query')) {
      const value = given.get(name)
      if (value !== null) target.searchParams.set(name, value)
    }
    return String(target)
  }

  /** Returns the headers without those of the connection; a required coding is applied anew. */
  #sendable(operationId: string, { status, headers }: MockResponse): MockResponse['headers'] {
    const operation = this.#contract.operations.find((each) => each.operationId === operationId)
    const declared = operation && declaredResponse(operation, status)?.headers
    const isEncoded = declared?.some(({ name, required }) => required && name === 'content-encoding') === true
    const isSent = (name: string) => !ofConnection.has(name) || (isEncoded && name === 'content-encoding')
    const sent = Object.entries(headers).filter(([name]) => isSent(name))
    // A text was decoded by its charset, and is sent in UTF-8.
    return Object.fromEntries(
      sent.map(([name, value]) => [name, name === 'content-type' ? inUtf8(value) : value])
    )
  }

  #keys(location: 'header' | 'query'): readonly string[] {
    const isKey = (scheme: SecurityScheme) => scheme.type === 'apiKey' && scheme.in === location
    return Object.values(this.#contract.securitySchemes).flatMap((scheme) =>
      isKey(scheme) ? [String(Object(scheme).name)] : []
    )
  }
}

const inUtf8 = (mediaType: unknown): string =>
  String(mediaType).replace(/;\s*charset\s*=\s*("[^"]*"|[^\s;]+)/i, '; charset=utf-8')

const isStream = ({ headers }: Response): boolean =>
  framingOf(headers.get('content-type') ?? '') !== undefined

const copyOf = ({ status, headers, bytes }: Sent): Response =>
  new Response(bodiless.has(status) ? null : new Uint8Array(bytes), { status, headers })

const ofBody = (name: string): boolean => name.startsWith('content-') || ofConnection.has(name)

function headersOf(headers: Headers): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {}
  for (const [name, value] of headers) if (!ofConnection.has(name)) found[name] = value
  const cookies = headers.getSetCookie()
  return cookies.length > 0 ? { ...found, 'set-cookie': cookies } : found
}

/** Returns the reason of a failed `fetch`, which stands in its cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = Object(error)
  return [message, Object(cause).code ?? Object(cause).message]
    .filter((part) => part !== undefined)
    .join(': ')
}
