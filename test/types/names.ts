import type { Handlers } from './contract.ts'

export const exact: Pick<Handlers, 'toString' | 'delete' | 'a-b' | 'a_b' | '1#/~'> = {
  toString: ({ params, query, body }) => {
    const all: number = params.constructor + (query.hasOwnProperty ?? 0)
    const wide: bigint | undefined = body?.hasOwnProperty
    return { status: 200, body: { toString: all, hasOwnProperty: wide ?? 0n, valueOf: {} } }
  },
  delete: () => ({ status: 200, body: { class: 'x' } }),
  'a-b': () => ({ status: 200, body: { x: 1 } }),
  a_b: () => ({ status: 200, body: { y: 1 } }),
  '1#/~': () => ({ status: 204 })
}
