/**
 * Values of node:http. An `import` evaluates all exports, some of which load the fetch client, for a tenth of the time of
 * a start (docs/performance.md).
 */
import type { ServerResponse } from 'node:http'
import { getBuiltinModule } from 'node:process'

const http = getBuiltinModule('node:http')

export const { createServer, STATUS_CODES } = http

export const isServerResponse = (value: unknown): value is ServerResponse =>
  value instanceof http.ServerResponse
