import type { Handlers } from './contract.ts'

export const exact: Handlers = {
  store: (request) => {
    if (request.mediaType === 'application/json') return { status: 200, body: { a: request.body.a } }
    if (request.mediaType === 'text/plain') return { status: 200, body: request.body.trim() }
    if (request.mediaType === 'image/*') return { status: 200, body: String(request.body.byteLength) }
    if (request.mediaType === undefined) return { status: 200, body: request.body ?? '' }
    return { status: 200, body: {} }
  },
  anything: () => ({ status: 200, body: 'text' }),
  bytes: ({ body }) => ({ status: 200, body: body.subarray(1) })
}

export const wrong: Pick<Handlers, 'store'> = {
  // @ts-expect-error the media type must be checked first
  store: ({ body }) => ({ status: 200, body: body.trim() })
}
