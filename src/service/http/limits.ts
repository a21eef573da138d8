/** What a client may take of the server: bytes, time and connections, as options of Fastify and node:http. */

import type { Server } from 'node:http'
import type { FastifyHttpOptions } from 'fastify'
import type { Config } from '../config/config.ts'

export const limits = {
  /** Bytes of all request headers together. Told in the contract. */
  headers: 16_384,
  /** Connections at a time; further ones are closed as they come. Some 10 KB each, for no body is read without a token. */
  connections: 10_000,
  /** Milliseconds that a connection may be idle; longer than the minute after which most proxies let go of theirs. */
  keepAlive: 72_000
} as const

export function limitOptions({ bodyLimit, requestTimeout, trustProxy }: Config) {
  return {
    bodyLimit,
    requestTimeout,
    keepAliveTimeout: limits.keepAlive,
    trustProxy: typeof trustProxy === 'object' ? [...trustProxy] : trustProxy,
    http: { maxHeaderSize: limits.headers, headersTimeout: requestTimeout }
  } satisfies FastifyHttpOptions<Server>
}
