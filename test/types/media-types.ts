import { Readable } from 'node:stream'
import type { Handlers } from './contract.ts'

export const exact: Handlers = {
  store: (request) => {
    if (request.mediaType === 'application/json') return { status: 200, body: { a: request.body.a } }
    if (request.mediaType === 'text/plain') return { status: 200, body: request.body.trim() }
    if (request.mediaType === 'image/*') return { status: 200, body: String(request.body.byteLength) }
    if (request.mediaType === undefined) return { status: 200, body: request.body ?? '' }
    return { status: 200, body: {} }
  },
  textJson: ({ body }) => ({ status: 200, body: { a: Number(body.a ?? 0n) } }),
  anything: () => ({ status: 200, body: 'text' }),
  bytes: ({ body }) => ({ status: 200, body: body.subarray(1) })
}

export const sized: Pick<Handlers, 'bytes'> = {
  bytes: ({ body }) => ({ status: 200, body: Readable.from([body]), headers: { 'Content-Length': body.length } })
}

export const wrong: Pick<Handlers, 'store' | 'bytes'> = {
  // @ts-expect-error a length is a number
  bytes: ({ body }) => ({ status: 200, body, headers: { 'Content-Length': 'all' } }),
  // @ts-expect-error the media type must be checked first
  store: ({ body }) => ({ status: 200, body: body.trim() })
}
