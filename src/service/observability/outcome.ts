/** Reports the outcome of each request once: when its response was sent or its client disconnected. */
import { logSafely } from '@contract-first/engine/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

export interface Outcome {
  readonly request: FastifyRequest
  /** Status of the response; 499, as in nginx, if the client disconnected before its response was sent. */
  readonly status: number
  readonly milliseconds: number
}

const clientLeft = 499

export function onOutcome(app: FastifyInstance, report: (outcome: Outcome) => void): void {
  app.addHook('onRequest', (request, reply, next) => {
    const began = performance.now()
    reply.raw.on('close', () => {
      // In an event, where an exception ends the process.
      try {
        report({ request, status: statusOf(reply), milliseconds: performance.now() - began })
      } catch (err) {
        logSafely(request.log, 'error', { err }, 'the outcome of a request could not be reported')
      }
    })
    next()
  })
}

const statusOf = ({ raw }: FastifyReply): number => (raw.writableFinished ? raw.statusCode : clientLeft)
