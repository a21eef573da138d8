/** A service of three operations, with an `extend` of its own, over a real socket. */
import type { FastifyInstance } from 'fastify'
import root, { type Test } from 'tap'
import type { Failure } from '../../src/engine/errors.ts'
import { createLog } from '../../src/service/observability/log.ts'
import { createMetrics } from '../../src/service/observability/metrics.ts'
import { buildApp, defineService } from '../../src/service/service.ts'
import { unshed } from '../e2e/running.ts'
import { compiled, type Json } from '../engine/serve.ts'

const answer = { description: '', content: { 'application/json': { schema: { type: 'object' } } } }
const id = { name: 'thingId', in: 'path', required: true, schema: { type: 'string' } }
const document: Json = {
  paths: {
    '/things': { get: { operationId: 'list', responses: { 200: answer } } },
    '/things/{thingId}': { post: { operationId: 'change', parameters: [id], responses: { 200: answer } } },
    '/only-head': { head: { operationId: 'probe', responses: { 204: { description: '' } } } }
  }
}
const contract = await compiled(root, document)

/** Definition of a service with three operations. */
export const parts = {
  contract,
  security: {},
  handlers: () => ({
    list: async () => ({ status: 200, body: {} }),
    change: async () => ({ status: 200, body: {} }),
    probe: async () => ({ status: 204 })
  }),
  errorBody: ({ code, message }: Failure) => ({ code, message })
}

export type Extend = (app: FastifyInstance) => unknown

interface Given {
  readonly environment?: Readonly<Record<string, string>>
}

/** Starts the service with `extend`. */
export async function serve(t: Test, extend: Extend, { environment = {} }: Given = {}) {
  const lines: Record<string, unknown>[] = []
  const log = createLog('info', { write: (line) => lines.push(JSON.parse(line)) })
  const metrics = createMetrics()
  const app = await buildApp(defineService({ ...parts, extend }), { environment, log, metrics })
  t.teardown(() => app.close())
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  lines.length = 0
  const ask = async (path: string, init?: RequestInit) => {
    const response = await unshed(() => fetch(`${origin}${path}`, init))
    const text = await response.text()
    return { status: response.status, headers: Object.fromEntries(response.headers), text }
  }
  return { ask, lines, metrics, app }
}
