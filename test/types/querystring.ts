import type { Handlers } from './contract.ts'

export const find: Handlers['find'] = ({ query }) => {
  const from: string | undefined = query?.from
  const seats: bigint | undefined = query?.seats
  // @ts-expect-error the query may be missing
  const missing: string = query.from
  return { status: from === missing && seats === 1n ? 204 : 204 }
}
export const book: Handlers['book'] = ({ query }) => ({ status: query.from === '' ? 204 : 204 })
export const report: Handlers['report'] = ({ query, params, headers }) => {
  const numbers: [bigint, number | undefined, number, number | undefined] = [
    query.n,
    query.part,
    params.day,
    headers['x-page']
  ]
  // @ts-expect-error a property that handlers do not receive
  return { status: numbers.includes(query.own) ? 204 : 204 }
}
export const count: Handlers['count'] = ({ query }) => ({ status: query === 1n ? 204 : 204 })
export const select: Handlers['select'] = ({ query }) => ({ status: query.length === 1 ? 204 : 204 })
// A default.
export const level: Handlers['level'] = ({ query }) => ({ status: query.toFixed() === '' ? 204 : 204 })
