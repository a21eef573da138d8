/**
 * Values of node:http, loaded by `require`: an `import` evaluates all exports, some of which load the fetch client (47
 * ms of CPU instead of 4). The folder given to createRequire does not matter for a built-in module; `import.meta.url`
 * would be undefined in a bundle of CommonJS.
 */
import type { ServerResponse } from 'node:http'
// Imports the default export, because the banner of an ES bundle declares `createRequire`.
import module from 'node:module'

const http: typeof import('node:http') = module.createRequire('/')('node:http')

export const { createServer, STATUS_CODES } = http

export const isServerResponse = (value: unknown): value is ServerResponse =>
  value instanceof http.ServerResponse
