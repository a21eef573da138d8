/** Limits for clients: bytes, time and connections, as options of Fastify and node:http. */
import type { Server } from 'node:http'
import type { FastifyHttpOptions } from 'fastify'
import type { Config } from '../config/config.ts'

export const limits = {
  /** Bytes of all request headers together. The contract states it. */
  maxHeaderBytes: 16_384,
  /** Open connections; further ones are closed. About 10 KB each, because no body is read before authentication. */
  maxConnections: 10_000,
  /** Bytes of all request bodies in flight; further ones are refused before they are read. */
  maxBodyBytes: 67_108_864,
  /** Bytes of all responses that clients have not read; beyond it the connections that wait longest are closed. */
  maxUnreadBytes: 33_554_432,
  /** Longest time in ms that a connection may be idle: more than the minute after which most proxies close it. */
  keepAliveTimeout: 72_000
} as const

/** Returns the bounds of memory, in which the largest body always fits. */
export function byteLimits({ bodyLimit }: Pick<Config, 'bodyLimit'>) {
  const { maxBodyBytes, maxUnreadBytes } = limits
  return { maxBodyBytes: Math.max(maxBodyBytes, bodyLimit), maxUnreadBytes }
}

export function limitOptions({ bodyLimit, requestTimeout, trustProxy }: Config) {
  return {
    bodyLimit,
    requestTimeout,
    keepAliveTimeout: limits.keepAliveTimeout,
    trustProxy: typeof trustProxy === 'object' ? [...trustProxy] : trustProxy,
    // Node compares the two, and its default for a whole request is 300 s until Fastify sets it.
    http: { maxHeaderSize: limits.maxHeaderBytes, headersTimeout: requestTimeout, requestTimeout }
  } satisfies FastifyHttpOptions<Server>
}
