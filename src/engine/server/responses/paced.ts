/** Sends large payloads in slices, a few per event-loop turn, so that many large responses do not delay small ones. */
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Bytes of a slice; a payload up to this size is copied to the operating system at once. */
const maxSlice = 65_536
/** Maximum of slices, of all responses together, in one event-loop turn. */
const maxSlicesPerTurn = 16

/** Paces the responses of every later route that is not an operation. */
export function paceRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.operation !== undefined) return
    route.onSend = [
      ...[route.onSend ?? []].flat(),
      (_request, reply, payload, done) => done(null, paced(payload, reply))
    ]
  })
}

/**
 * Returns a stream in place of a large payload, and the payload itself otherwise.
 * @param onTaken called with the connection after each slice that the client has read
 */
export function paced<Payload>(
  payload: Payload,
  reply: FastifyReply,
  onTaken: (socket: Socket) => void = () => undefined
): Payload | Readable {
  // A text has at least as many bytes as characters.
  const isLarge = (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > maxSlice
  if (!isLarge || reply.request.method === 'HEAD') return payload
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
  reply.header('content-length', bytes.length)
  return Readable.from(
    slices(bytes, () => onTaken(reply.request.raw.socket)),
    { objectMode: false, highWaterMark: maxSlice }
  )
}

async function* slices(bytes: Buffer, onTaken: () => void): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += maxSlice) {
    await nextSlot()
    yield bytes.subarray(at, at + maxSlice)
    onTaken()
  }
}

const waiting: (() => void)[] = []

/** Resolves in a later event-loop turn, in the order of the calls. */
export function nextSlot(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(fillSlots)
  })
}

function fillSlots(): void {
  for (const resolve of waiting.splice(0, maxSlicesPerTurn)) resolve()
  if (waiting.length > 0) setImmediate(fillSlots)
}
