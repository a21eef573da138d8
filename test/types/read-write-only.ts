import type { Handlers } from './contract.ts'

const created = '2026-01-02T03:04:05Z'

export const exact: Handlers = {
  register: ({ body }) => {
    const password: string = body.password
    return { status: 201, body: { id: password.length, name: body.name, created } }
  }
}

export const reads: Handlers = {
  // @ts-expect-error what is read-only is not in a request
  register: ({ body }) => ({ status: 201, body: { id: body.id, name: '', created } })
}

export const writes: Handlers = {
  // @ts-expect-error what is read-only and required is in a response
  register: () => ({ status: 201, body: { name: '', created } })
}
