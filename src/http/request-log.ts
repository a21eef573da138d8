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
    reply.raw.once('close', () => {
      tell({ request, status: statusOf(reply), milliseconds: performance.now() - began })
    })
    next()
  })
}

const statusOf = ({ raw }: FastifyReply): number => (raw.writableFinished ? raw.statusCode : clientLeft)

/** One line. Of the URL only the route, for what stands in paths and queries is the client's own business. */
export function logOutcome({ request, status, milliseconds }: Outcome, who: object): void {
  const level = status >= 500 ? 'error' : 'info'
  const { method, routeOptions } = request
  request.log[level](
    { method, route: routeOptions.url, ...who, status, ms: Math.round(milliseconds * 1000) / 1000 },
    'request'
  )
}
