import type { Handlers } from './contract.ts'

export const exact: Pick<Handlers, 'mapped'> = {
  mapped: ({ body }) => {
    if ('lives' in body) return { status: 200, body: { kind: 'cat', lives: body.lives } }
    return { status: 200, body: { kind: 'dog', bark: body.bark, big: body.big ?? 1n } }
  }
}

export const wrong: Pick<Handlers, 'mapped'> = {
  // @ts-expect-error it fits neither branch
  mapped: () => ({ status: 200, body: { kind: 'fish' } })
}
