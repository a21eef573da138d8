/**
 * Security headers (https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers; OWASP Secure Headers Project). The
 * API serves no documents, so browsers must not run, show or frame its responses. The page loads everything from its
 * own origin.
 */
import type { FastifyInstance } from 'fastify'

type Headers = Readonly<Record<string, string>>

export interface SecurityHeaders {
  readonly api: Headers
  readonly page: Headers
}

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
export function securityHeaders(isHttps: boolean): SecurityHeaders {
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

/** Adds the headers to every response. A route may replace them. */
export function addHeaders(app: FastifyInstance, headers: Headers): void {
  app.addHook('onRequest', (_request, reply, next) => {
    reply.headers(headers)
    next()
  })
}
