/** Fastify options that make errors below its routes (parser, time-outs, URLs) use the contract's error body. */
import type { Server } from 'node:http'
import type { FastifyHttpOptions, FastifyReply } from 'fastify'
import { type Failure, FailureError } from '../errors/failure.ts'
import { sendError } from '../errors/send-error.ts'
import { originForm } from '../routing/request-target.ts'
import { refuseConnection } from './client-error.ts'
import { type RenderFailure, renderSafely } from './raw-response.ts'

type TransportOptions = Pick<
  FastifyHttpOptions<Server>,
  'clientErrorHandler' | 'frameworkErrors' | 'return503OnClosing' | 'rewriteUrl' | 'http'
>

/** Returns options that disable Node's Host check, which responds without a body; the guard checks Host instead. */
export function transportOptions(render: RenderFailure): TransportOptions {
  return {
    http: { requireHostHeader: false, shouldUpgradeCallback: () => false },
    return503OnClosing: false,
    // The target of a CONNECT is a host and a port.
    rewriteUrl: ({ method, url = '' }) => (method === 'CONNECT' ? `/${url}` : originForm(url)),
    clientErrorHandler: (error, socket) =>
      refuseConnection(error, socket, (failure) => render(failure, socket)),
    frameworkErrors: (error, { raw }, reply: FastifyReply) => {
      const response = renderSafely(urlFailure(error), (failure) => render(failure, raw.socket))
      sendError(reply, response)
    }
  }
}

function urlFailure(error: Error & { code?: string }): Failure {
  if (error.code === 'FST_ERR_BAD_URL') return new FailureError('malformed-url').failure
  if (error.code === 'FST_ERR_MAX_PARAM_LENGTH')
    return new FailureError('malformed-url', { message: 'a part of the path is too long' }).failure
  return new FailureError('internal', { cause: error }).failure
}
