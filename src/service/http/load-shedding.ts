/** Refuses early what could only be answered late: a server that takes on everything answers nobody in time. */
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { FailureError } from '../../contract/errors.ts'

/** Milliseconds that a turn of the event loop may take on average; about how late every answer is by then. */
const maxDelay = 500
/** Milliseconds between two looks. Longer than the bound: a look that finds no turn since the last one takes it for pressure. */
const sampleInterval = 600
/** Milliseconds after which a look is of the past: none is taken in a turn that lasts. */
const longestTurn = 1_000
/** Seconds after which to come back; the pressure is looked at anew several times in it. */
const retryAfter = '1'

/**
 * The other bound, of creates that wait for the store, is the store's own (StoreOverloaded). Both end in 503.
 * @param isExempt health checks: who asks them must hear that we live, or restarts what is busy
 */
export async function shedLoad(
  app: FastifyInstance,
  isExempt: (request: FastifyRequest) => boolean
): Promise<void> {
  let isSettled = false
  let turned = performance.now()
  const turns = setInterval(() => (turned = performance.now()), sampleInterval).unref()
  app.addHook('onClose', async () => clearInterval(turns))
  app.addHook('onReady', async () => {
    // What the start itself took is no pressure.
    setTimeout(() => (isSettled = true), 2 * sampleInterval).unref()
  })
  await app.register(underPressure, {
    maxEventLoopDelay: maxDelay,
    sampleInterval,
    pressureHandler: async (request: FastifyRequest) => {
      const isOfThePast = performance.now() - turned > longestTurn
      if (!isSettled || isOfThePast || isExempt(request)) return
      throw new FailureError('overloaded', { headers: { 'retry-after': retryAfter } })
    }
  })
}
