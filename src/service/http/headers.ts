/** The headers of helmet, cut to what has a meaning for an API and for the page of its documentation. */
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import helmet, { type HelmetOptions } from 'helmet'

type Headers = Readonly<Record<string, string>>

/** These are for browsers of long ago, or for pages that are more than a reference. */
const withoutMeaning = {
  crossOriginOpenerPolicy: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xFrameOptions: false,
  xPermittedCrossDomainPolicies: false,
  xPoweredBy: false,
  xXssProtection: false
} as const satisfies HelmetOptions

/** And these for pages: what the API answers is embedded by nobody, since it takes a token, and leads nowhere. */
const forPages = { crossOriginResourcePolicy: false, referrerPolicy: false } as const satisfies HelmetOptions

/** Nothing that the API answers is a document, so a browser is to run, show and frame none of it. */
const nothing = { defaultSrc: ["'none'"], frameAncestors: ["'none'"] }

/** Everything of the page comes from this service; its examples call this service, too. */
const ownOrigin = {
  defaultSrc: ["'none'"],
  baseUri: ["'none'"],
  connectSrc: ["'self'"],
  fontSrc: ["'self'", 'data:'],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
  imgSrc: ["'self'", 'data:', 'blob:'],
  scriptSrc: ["'self'"],
  // The page writes its styles into itself.
  styleSrc: ["'self'", "'unsafe-inline'"]
}

export interface SecurityHeaders {
  readonly api: Headers
  readonly page: Headers
}

/** @param isHttps whether clients reach the service by HTTPS; only then they may be told to insist on it, for this host alone */
export function securityHeaders(isHttps: boolean): SecurityHeaders {
  const common: HelmetOptions = {
    ...withoutMeaning,
    strictTransportSecurity: isHttps && { includeSubDomains: false }
  }
  return {
    api: {
      ...headersOf({ ...common, ...forPages, contentSecurityPolicy: policy(nothing) }),
      'cache-control': 'no-store'
    },
    page: headersOf({ ...common, contentSecurityPolicy: policy(ownOrigin) })
  }
}

const policy = (directives: Record<string, string[]>) => ({ useDefaults: false, directives })

/** helmet writes them anew for each answer; they never change, so they are written once and kept. */
function headersOf(options: HelmetOptions): Headers {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  helmet(options)(request, response, () => {})
  return Object.fromEntries(
    Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)])
  )
}

/** On every answer; a route that sets one of them itself has the last word. */
export function addHeaders(app: FastifyInstance, headers: Headers): void {
  app.addHook('onRequest', (_request, reply, next) => {
    reply.headers(headers)
    next()
  })
}
