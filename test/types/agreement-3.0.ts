import contract, { type components, type Handlers } from './contract.ts'
import { createContractServer } from 'ENGINE'

type Thing = components['schemas']['Thing']

export const nulls: Thing = { wide: null, few: null, loose: null }
export const values: Thing = { wide: 1n, few: 2n, strict: { a: 'x' }, loose: { a: 'x' }, lists: [['a'], []] }
export const undeclared: Thing = { undeclared: { a: 'x', b: null } }
export const upload: Pick<Handlers, 'upload'> = {
  upload: ({ body }) => {
    const file: typeof body.file = null
    return file === null ? { status: 204 } : { status: 204 }
  }
}

// @ts-expect-error a required name is missing
export const incomplete: Thing = { undeclared: { a: 'x' } }
// @ts-expect-error a required property of the nullable schema is missing
export const empty: Thing = { loose: {} }
// @ts-expect-error an item that is no list
export const flat: Thing = { lists: ['a'] }

export const inline = createContractServer({
  contract,
  handlers: {
    add: async () => ({ status: 200, body: { undeclared: { a: 'x', b: 1 } } }),
    upload: () => ({ status: 204 }),
    ping: async () => ({ status: 200, body: { state: 'up', code: 1 } })
  },
  security: {},
  errorBody: () => ({})
})

export const wrongInline = createContractServer({
  contract,
  handlers: {
    add: async () => ({ status: 200, body: {} }),
    upload: () => ({ status: 204 }),
    // @ts-expect-error a value that is not listed
    ping: async () => ({ status: 200, body: { state: 'sideways' } })
  },
  security: {},
  errorBody: () => ({})
})
