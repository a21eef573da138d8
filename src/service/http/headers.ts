/**
 * Headers of every response: request ids, CORS, and security
 * (https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers; OWASP Secure Headers Project). The API serves no
 * documents, so browsers must not run, show or frame its responses. The page loads everything from its own origin.
 */

import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Contract } from '@contract-first/engine/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

type Headers = Readonly<Record<string, string>>

const pagePolicy = [
  "default-src 'none'",
  "base-uri 'none'",
  "connect-src 'self'",
  "font-src 'self' data:",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "img-src 'self' data: blob:",
  "script-src 'self'",
  // Scalar writes style elements into the page.
  "style-src 'self' 'unsafe-inline'"
]

/**
 * Returns the headers.
 * @param isHttps clients use HTTPS, so browsers may require it (RFC 6797), for this host only
 */
export function securityHeaders(isHttps: boolean): Readonly<Record<'api' | 'page', Headers>> {
  const common = {
    ...(isHttps && { 'strict-transport-security': 'max-age=31536000' }),
    'x-content-type-options': 'nosniff'
  }
  return {
    api: {
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      ...common,
      'cache-control': 'no-store'
    },
    page: {
      'content-security-policy': pagePolicy.join(';'),
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      ...common
    }
  }
}

/** Returns the headers of a page that may also call these origins. */
export const allowCalls = (headers: Headers, origins: readonly string[]): Headers => {
  const policy = headers['content-security-policy']?.replace("connect-src 'self'", (self) =>
    [self, ...origins].join(' ')
  )
  return { ...headers, ...(policy !== undefined && { 'content-security-policy': policy }) }
}

/** Returns the step that adds the headers to a response, and the id of the request, so that a client can quote it. */
export const withHeaders =
  (headers: Headers) =>
  ({ id }: FastifyRequest, reply: FastifyReply): void => {
    reply.header('x-request-id', id).headers(headers)
  }

/** Syntax of an accepted id, without characters that have a meaning in a log or a shell. */
const plainId = /^[\w.:/+=-]{1,128}$/
/** Syntax of traceparent (W3C Trace Context, section 3.2): version, trace-id, parent-id, flags; no id is all zeros. */
const traceParent = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-|$)/

/**
 * Returns a `genReqId` for Fastify: the id that the client sent, so that both logs can be joined, or a new one. New ids
 * are a random prefix and a count: as unique as random ids, and cheaper.
 */
export function createRequestIds(): (message: Pick<IncomingMessage, 'headers'>) => string {
  const prefix = randomBytes(9).toString('base64url')
  let count = 0
  return ({ headers }) => sentId(headers) ?? `${prefix}-${(++count).toString(36)}`
}

function sentId(headers: IncomingMessage['headers']): string | undefined {
  const sent = headers['x-request-id']
  if (typeof sent === 'string' && plainId.test(sent)) return sent
  const parent = headers['traceparent']
  return typeof parent === 'string' ? traceParent.exec(parent)?.[1] : undefined
}

const allowedHeaders = ['authorization', 'content-type', 'x-request-id', 'traceparent', 'tracestate']
const exposedHeaders = [
  'retry-after',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'www-authenticate',
  'x-request-id'
]
/** Seconds for which a preflight is cached; browsers limit it to two hours at most. */
const maxAge = 7_200

/**
 * Allows cross-origin requests from browsers (Fetch Standard, section 3.2), if configured. Origins are compared
 * exactly. Credentials in the sense of the standard (cookies, client certificates) are never allowed: a page sends its
 * bearer token itself, for which `authorization` among the allowed headers suffices. Must be called before
 * authentication is added, because a preflight has no token.
 */
export async function allowOrigins(
  app: FastifyInstance,
  origins: readonly string[],
  contract: Declaring
): Promise<void> {
  if (origins.length === 0) return
  const { default: cors } = await import('@fastify/cors')
  const granted = { ...grantedBy(contract), origin: [...origins], maxAge }
  // Responses without an origin also vary: a shared cache must not serve them to pages of an allowed origin.
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('vary', 'Origin')
  })
  await app.register(cors, {
    delegator: ({ headers }: FastifyRequest, decide) => {
      const preflight = 'access-control-request-method' in headers
      decide(null, origins.includes(headers.origin ?? '') ? { ...granted, preflight } : { origin: false })
    }
  })
}

type Declaring = Pick<Contract, 'operations' | 'securitySchemes'>

/** Returns the methods and headers of every service and of the contract, API keys included. */
function grantedBy({ operations, securitySchemes }: Declaring) {
  const parameters = operations.flatMap((operation) => operation.parameters)
  const keys = Object.values(securitySchemes).filter((scheme) => scheme.type === 'apiKey')
  const sent = [...parameters, ...keys].filter((each) => each.in === 'header')
  const responses = operations.flatMap((operation) => Object.values(operation.responses))
  const received = responses.flatMap(({ headers }) => headers)
  const distinct = (...names: readonly string[]) => [...new Set(names)]
  return {
    // GET and HEAD are the methods of the docs page.
    methods: distinct('GET', 'HEAD', ...operations.map(({ method }) => method)),
    allowedHeaders: distinct(...allowedHeaders, ...sent.map(({ name }) => name.toLowerCase())),
    exposedHeaders: distinct(...exposedHeaders, ...received.map(({ name }) => name))
  }
}
