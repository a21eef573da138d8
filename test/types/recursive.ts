import type { Handlers } from './contract.ts'

export const values: Pick<Handlers, 'value' | 'layers'> = {
  value: ({ body }) => {
    const first = Array.isArray(body) ? body[0] : body
    const second = Array.isArray(first) ? first[0] : first
    return { status: 200, body: [typeof second === 'bigint' ? second : 1n, ['a', { b: [2n] }]] }
  },
  layers: ({ body }) => ({ status: 200, body: [...body, [[]], []] })
}

export const wrong: Pick<Handlers, 'value' | 'layers'> = {
  // @ts-expect-error a boolean is not allowed at any depth
  value: () => ({ status: 200, body: [['a', [true]]] }),
  // @ts-expect-error a scalar is not a list
  layers: () => ({ status: 200, body: [[1]] })
}

export const blocks: Pick<Handlers, 'blocks'> = {
  blocks: ({ body }) => ({ status: 200, body: { ...body, type: 'size', size: 1n } })
}
export const incomplete: Pick<Handlers, 'blocks'> = {
  // @ts-expect-error a block is one of its alternatives
  blocks: () => ({ status: 200, body: { type: 'size' } })
}
