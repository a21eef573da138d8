import contract, { type components } from './contract.ts'
import { contractRoutes, createContractServer } from 'ENGINE'

type Thing = components['schemas']['Thing']

export const nulls: Thing = { open: null, strict: null, either: null }
export const values: Thing = { open: { a: 'x', b: 1 }, widened: { a: 'x', b: 1, c: 'any' }, listed: 'a' }
export const tuples: Thing = { pair: [], pairs: ['a', 1, 2] }
export const pair: Thing = { pair: ['a', 1n] }
export const either: Thing = { either: { a: 'x', x: 1 } }

// @ts-expect-error `nullable` has no effect since OpenAPI 3.1
export const nullable: Thing = { before: null }
// @ts-expect-error a required name is missing
export const widened: Thing = { widened: { a: 'x', b: 1 } }
// @ts-expect-error a property beside the reference
export const sibling: Thing = { widened: { a: 'x', b: '1', c: 1 } }
// @ts-expect-error a listed value of another type
export const listed: Thing = { listed: null }
// @ts-expect-error more items than are declared
export const long: Thing = { pair: ['a', 1n, 2n] }
// @ts-expect-error the first item is required
export const short: Thing = { pairs: [] }

/** Tuples that handlers return, written inline. */
declare const app: Awaited<ReturnType<typeof createContractServer>>
const others = { security: {}, errorBody: () => ({}) }
export const server = createContractServer({
  contract,
  handlers: {
    add: async ({ url }) => {
      if (url === '/') return { status: 200, body: { pair: ['a', 1n], pairs: ['a', ...url.split('/').map(Number)] } }
      return { status: 200, body: { pairs: ['a'] } }
    }
  },
  ...others
})
export const plugin = app.register(contractRoutes, {
  contract,
  handlers: { add: () => ({ status: 200, body: { pair: ['a', 1n] } }) },
  ...others
})
export const wrong = createContractServer({
  contract,
  // @ts-expect-error an item of another type
  handlers: { add: () => ({ status: 200, body: { pair: ['a', true] } }) },
  ...others
})
export const tooLong = createContractServer({
  contract,
  // @ts-expect-error more items than are declared
  handlers: { add: async () => ({ status: 200, body: { pair: ['a', 1n, 2n] } }) },
  ...others
})
