/**
 * Guards functions among the options of Fastify that it calls outside its error handling: an error there would leave the
 * request without an answer and end the process.
 */
import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import { type FastifyHttpOptions, LogController } from 'fastify'
import { answerOf, type ErrorLog, notify } from './errors/callbacks.ts'

type Options = FastifyHttpOptions<Server>
type Log = () => ErrorLog | undefined

/** @param log is called after a function has failed */
export function withGuardedCallbacks(given: Options, log: Log): Options {
  const { genReqId, logController, routerOptions } = given
  const parser = routerOptions?.querystringParser
  return {
    ...given,
    ...(genReqId && { genReqId: guarded('genReqId', genReqId, { log, accepts: isText, other: randomUUID }) }),
    ...(logController && { logController: guardedController(logController, log) }),
    ...(parser && {
      routerOptions: {
        ...routerOptions,
        querystringParser: guarded('querystringParser', parser, { log, accepts: isObject, other: () => ({}) })
      }
    })
  }
}

const isText = (value: unknown) => typeof value === 'string'
const isObject = (value: unknown) => typeof value === 'object' && value !== null

interface Guard<T> {
  readonly log: Log
  readonly accepts: (value: unknown) => boolean
  /** Returns the value in place of one that the function does not give. */
  readonly other: () => T
}

function guarded<Values extends unknown[], T>(
  name: string,
  call: (...values: Values) => T,
  { log, accepts, other }: Guard<T>
): (...values: Values) => T {
  return (...values) => answerOf(name, log(), { call: () => call(...values), accepts }) ?? other()
}

/**
 * Replaces the methods of a controller by guarded ones, on itself, because its own methods call each other. Where one
 * fails, no line is left out but the one that it writes.
 */
function guardedController(controller: LogController, log: Log): LogController {
  const isPlain =
    controller.constructor === LogController && typeof controller.disableRequestLogging !== 'function'
  if (isPlain || Object.hasOwn(controller, 'isLogDisabled')) return controller
  const isDisabled = controller.isLogDisabled.bind(controller)
  const guard = { log, accepts: (value: unknown) => typeof value === 'boolean', other: () => false }
  controller.isLogDisabled = guarded('isLogDisabled', isDisabled, guard)
  for (const name of lines) {
    const write = controller[name].bind(controller) as (...values: unknown[]) => void
    controller[name] = (...values: unknown[]) => notify(name, log(), () => write(...values))
  }
  return controller
}

const lines = [
  'incomingRequest',
  'requestCompleted',
  'defaultErrorLog',
  'streamError',
  'routeNotFound',
  'serviceUnavailable',
  'writeHeadError',
  'serializerError'
] as const
