import type { Handlers } from './contract.ts'

type List = Pick<Handlers, 'list'>
const problem = { code: 'a', message: 'b' }

export const ok: List = { list: () => ({ status: 200, body: ['a'], headers: { 'X-Total': 1 } }) }
export const structured: List = {
  list: () => ({
    status: 200,
    body: ['a'],
    headers: { 'X-Total': 1, 'X-Point': { x: 1 }, 'X-List': [1], 'X-Json': { id: 1n } }
  })
}
export const theirs: List = { list: async () => ({ status: 404, body: problem }) }
export const any: List = { list: () => ({ status: 503, body: problem }) }
export const none: Pick<Handlers, 'clear'> = { clear: () => ({ status: 204 }) }

// @ts-expect-error a required header is missing
export const headless: List = { list: () => ({ status: 200, body: ['a'] }) }
// @ts-expect-error another type of item
export const mistyped: List = { list: () => ({ status: 200, body: [1], headers: { 'X-Total': 1 } }) }
// @ts-expect-error a body without a required property
export const lacking: List = { list: () => ({ status: 404, body: { code: 'a' } }) }
// @ts-expect-error status 200 is declared on its own, so `default` does not cover it
export const mixed: List = { list: () => ({ status: 200, body: problem }) }
// @ts-expect-error an undeclared status
export const undeclared: Pick<Handlers, 'clear'> = { clear: () => ({ status: 200 }) }
// @ts-expect-error no body is declared
export const full: Pick<Handlers, 'clear'> = { clear: () => ({ status: 204, body: 'x' }) }
// @ts-expect-error undefined is not a response
export const nothing: List = { list: () => undefined }
// @ts-expect-error a handler is missing
export const missing: Handlers = { ...ok, ...none }
