/**
 * Values of node:http, read as CommonJS reads them. An `import` of node:http reads all of its exports, and some of them load
 * the fetch client: 47 ms of CPU instead of 4. A module of Node is found from any folder: `import.meta.url` is unknown in a
 * bundle of CommonJS.
 */
import type { ServerResponse } from 'node:http'
// By its default export, because the banner of an ES bundle declares `createRequire`.
import module from 'node:module'

const http: typeof import('node:http') = module.createRequire('/')('node:http')

export const { STATUS_CODES } = http

export const isServerResponse = (value: unknown): value is ServerResponse =>
  value instanceof http.ServerResponse
