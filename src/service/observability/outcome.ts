/** What became of a request: told once, when its answer has left or its client has. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

export interface Outcome {
  readonly request: FastifyRequest
  /** 499 where the client left before its answer, as nginx has it. */
  readonly status: number
  readonly milliseconds: number
}

const clientLeft = 499

export function onOutcome(app: FastifyInstance, tell: (outcome: Outcome) => void): void {
  app.addHook('onRequest', (request, reply, next) => {
    const began = performance.now()
    reply.raw.on('close', () => {
      tell({ request, status: statusOf(reply), milliseconds: performance.now() - began })
    })
    next()
  })
}

const statusOf = ({ raw }: FastifyReply): number => (raw.writableFinished ? raw.statusCode : clientLeft)
