import type { Handlers, Schemas } from './contract.ts'

export const exact: Pick<Handlers, 'mapped'> = {
  mapped: ({ body }) => {
    if (body.kind === 'cat') return { status: 200, body: { kind: 'cat', lives: body.lives } }
    return { status: 200, body: { kind: 'hound', bark: body.bark, big: body.big ?? 1n } }
  }
}

/** Values are references or names; without a mapping, they are the names of the schemas. */
export const narrowed: Pick<Handlers, 'implied' | 'shapes'> = {
  implied: ({ body }) => {
    const value: number | boolean = body.kind === 'Cat' ? body.lives : body.bark
    return { status: value === 0 ? 204 : 204 }
  },
  shapes: ({ body }) => {
    // @ts-expect-error the parent's value of no alternative
    if (body.kind === 'line') return { status: 204 }
    switch (body.kind) {
      case 'circle':
      case 'ring':
        return { status: body.radius === 0 ? 204 : 204 }
      default:
        return { status: body.side === 0 ? 204 : 204 }
    }
  }
}

/** Outside of a union the property keeps its type, in heirs too. */
export const alone: Schemas['Cat'] = { kind: 'other', lives: 9 }
export const derived: Schemas['Derived'] = { type: 'other', more: 'text' }

export const wrong: Pick<Handlers, 'mapped'> = {
  // @ts-expect-error it fits neither branch
  mapped: () => ({ status: 200, body: { kind: 'fish' } })
}

export const mismatched: Pick<Handlers, 'mapped'> = {
  // @ts-expect-error it fits the branch of another value
  mapped: () => ({ status: 200, body: { kind: 'cat', bark: true } })
}

export const other: Pick<Handlers, 'mapped'> = {
  // @ts-expect-error a value that selects no branch
  mapped: () => ({ status: 200, body: { kind: 'lion', lives: 9 } })
}

export const unselected: Pick<Handlers, 'mapped'> = {
  // @ts-expect-error a cat outside of the union may have any value
  mapped: () => ({ status: 200, body: alone })
}
export const selected: Extract<Schemas['Mapped'], { kind: 'cat' }> = { kind: 'cat', lives: 9 }
export const helped: Pick<Handlers, 'mapped'> = { mapped: () => ({ status: 200, body: selected }) }
