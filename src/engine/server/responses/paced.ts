/** Sends large payloads in slices, a few per event-loop turn, so that many large responses do not delay small ones. */
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { UnreadBytes } from '../transport/unread.ts'

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
      (_request, reply, payload, done) => {
        const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
        done(null, isWhole ? paced(payload, reply) : payload)
      }
    ]
  })
}

/**
 * Returns a stream in place of a large payload, and the payload itself otherwise.
 * @param unread counts the payload until the client has read it
 */
export function paced(
  payload: string | Buffer,
  reply: FastifyReply,
  unread?: UnreadBytes
): string | Buffer | Readable {
  unread?.ofStream(reply.raw)(payload.length)
  // A text has at least as many bytes as characters.
  if (payload.length <= maxSlice || reply.request.method === 'HEAD') return payload
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
  reply.header('content-length', bytes.length)
  return Readable.from(slices(bytes, reply, unread), { objectMode: false, highWaterMark: maxSlice })
}

async function* slices(
  bytes: Buffer,
  { request }: FastifyReply,
  unread: UnreadBytes | undefined
): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += maxSlice) {
    await nextSlot()
    yield bytes.subarray(at, at + maxSlice)
    unread?.onTaken(request.raw.socket)
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
