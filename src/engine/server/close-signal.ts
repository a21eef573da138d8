/** Signal of a request that is aborted when its client disconnects before the response is complete. */
import type { FastifyReply } from 'fastify'
import { type ErrorLog, notify } from './errors/callbacks.ts'

type Listener = Parameters<AbortSignal['addEventListener']>[1]

/** Creates the signal, which is also aborted when a client closes only its sending half. */
export function closeSignal({ raw, request, log }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const { socket } = request.raw
  const stop = () => controller.abort()
  if (raw.destroyed || socket.readableEnded) stop()
  socket.once('end', stop)
  raw.once('close', () => {
    socket.off('end', stop)
    if (!raw.writableFinished) stop()
  })
  return guardListeners(controller.signal, log)
}

/** Logs errors of listeners, and rejections of their promises: Node would end the process with them. */
function guardListeners(signal: AbortSignal, log: ErrorLog): AbortSignal {
  const { addEventListener, removeEventListener } = signal
  const guarded = new WeakMap<Listener, Listener>()
  const guard = (listener: Listener): Listener => {
    const known = guarded.get(listener)
    if (known !== undefined) return known
    const safe: Listener = (event) =>
      notify('a listener of request.signal', log, () =>
        typeof listener === 'function' ? listener.call(signal, event) : listener.handleEvent(event)
      )
    guarded.set(listener, safe)
    return safe
  }
  return Object.defineProperties(signal, {
    addEventListener: {
      value: (type: string, listener: Listener, options?: AddEventListenerOptions) =>
        addEventListener.call(signal, type, isListener(listener) ? guard(listener) : listener, options)
    },
    removeEventListener: {
      value: (type: string, listener: Listener, options?: EventListenerOptions) =>
        removeEventListener.call(signal, type, isListener(listener) ? guard(listener) : listener, options)
    },
    onabort: onabort(signal)
  })
}

/** Returns true for what may be a key of a WeakMap; `null` is allowed in place of a listener. */
const isListener = (value: unknown): boolean => Object(value) === value

/** Property `onabort`, whose listener is added like every other one. */
function onabort(signal: AbortSignal): PropertyDescriptor {
  let current: unknown = null
  return {
    get: () => current,
    set: (listener: Listener) => {
      if (typeof current === 'function') signal.removeEventListener('abort', current as EventListener)
      current = listener
      if (typeof listener === 'function') signal.addEventListener('abort', listener)
    }
  }
}
