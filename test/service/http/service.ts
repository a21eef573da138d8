/** A Fastify instance with the error body of the contract, for the plugins of src/service/http. */
import fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import type { Test } from 'tap'
import { FailureError } from '../../../src/engine/server/errors/failure.ts'

export function createService(t: Test, options: FastifyServerOptions = {}): FastifyInstance {
  const app = fastify(options)
  app.setErrorHandler((error, _request, reply) => {
    const failure = error instanceof FailureError ? error.failure : undefined
    reply.code(failure?.status ?? 500).headers(failure?.headers ?? {})
    reply.send({ code: failure?.code, message: failure?.message })
  })
  t.teardown(() => app.close())
  return app
}
