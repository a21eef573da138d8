import type { Handlers } from './contract.ts'

const created = '2026-01-02T03:04:05Z'

export const exact: Handlers = {
  register: ({ body }) => {
    const password: string = body.password
    return { status: 201, body: { id: password.length, name: body.name, created } }
  }
}

export const reads: Handlers = {
  // @ts-expect-error a request has no read-only property
  register: ({ body }) => ({ status: 201, body: { id: body.id, name: '', created } })
}

export const writes: Handlers = {
  // @ts-expect-error a response has every required read-only property
  register: () => ({ status: 201, body: { name: '', created } })
}
