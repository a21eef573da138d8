/**
 * Values of node:http, read as CommonJS reads them. An `import` of node:http reads all of its exports, and some of them load
 * the fetch client: 47 ms of CPU instead of 4.
 */
import type { ServerResponse } from 'node:http'
import { createRequire } from 'node:module'

const http: typeof import('node:http') = createRequire(import.meta.url)('node:http')

export const { STATUS_CODES } = http

export const isServerResponse = (value: unknown): value is ServerResponse =>
  value instanceof http.ServerResponse
