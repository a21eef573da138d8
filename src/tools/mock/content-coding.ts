/** Encodes bodies whose response must have a `Content-Encoding` (RFC 9110, section 8.4). */
import { pipeline, Readable, type Transform } from 'node:stream'
import { constants, createBrotliCompress, createDeflate, createGzip, createZstdCompress } from 'node:zlib'
import { bodiless } from '@contract-first/engine/model'
import { operationOf } from '@contract-first/engine/server'
import type { FastifyInstance, FastifyReply } from 'fastify'

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, ZSTD_e_flush } = constants

/** Coders by the name of their coding; each sends an item as soon as it is written. */
const coders: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', () => createGzip({ flush: Z_SYNC_FLUSH })],
  ['x-gzip', () => createGzip({ flush: Z_SYNC_FLUSH })],
  ['deflate', () => createDeflate({ flush: Z_SYNC_FLUSH })],
  ['br', () => createBrotliCompress({ flush: BROTLI_OPERATION_FLUSH })],
  ['zstd', () => createZstdCompress({ flush: ZSTD_e_flush })]
])

export const codingNames: readonly string[] = [...coders.keys(), 'identity']

/** Encodes each body by the `Content-Encoding` of its response. */
export function addCoding(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply: FastifyReply, payload: unknown) => {
    const coder = coders.get(String(reply.getHeader('content-encoding')))
    const isEmpty = request.method === 'HEAD' || bodiless.has(reply.statusCode)
    // Routes beside those of the contract encode by themselves.
    if (coder === undefined || isEmpty || operationOf(request) === undefined) return payload
    // An empty text is not empty in a coding.
    const body = typeof (payload ?? '') === 'string' ? Buffer.from(String(payload ?? '')) : payload
    if (body instanceof Readable) return encoded(body, reply.removeHeader('content-length'), coder())
    if (!Buffer.isBuffer(body)) return payload
    const bytes = await Array.fromAsync<Buffer>(encoded(Readable.from([body]), reply, coder()))
    reply.header('content-length', Buffer.concat(bytes).length)
    return Buffer.concat(bytes)
  })
}

/** Closing the response ends the body, and an error of the body breaks the response off. */
function encoded(body: Readable, { log }: FastifyReply, coder: Transform): Transform {
  return pipeline(body, coder, (error) => {
    if (error) log.debug({ err: error }, 'an encoded body was not sent')
  })
}
