/** Limits for clients: bytes, time and connections, as options of Fastify and node:http. */
import type { Server } from 'node:http'
import type { FastifyHttpOptions } from 'fastify'
import type { Config } from '../config/config.ts'

export const limits = {
  /** Bytes of all request headers together. The contract states it. */
  maxHeaderBytes: 16_384,
  /** Open connections; further ones are closed. About 10 KB each, because no body is read before authentication. */
  maxConnections: 10_000,
  /** Longest time that a connection may be idle: longer than the minute after which most proxies close theirs. */
  keepAliveTimeout: 72_000
} as const

export function limitOptions({ bodyLimit, requestTimeout, trustProxy }: Config) {
  return {
    bodyLimit,
    requestTimeout,
    keepAliveTimeout: limits.keepAliveTimeout,
    trustProxy: typeof trustProxy === 'object' ? [...trustProxy] : trustProxy,
    http: { maxHeaderSize: limits.maxHeaderBytes, headersTimeout: requestTimeout }
  } satisfies FastifyHttpOptions<Server>
}
