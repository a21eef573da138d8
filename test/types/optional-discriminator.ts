import type { Handlers, Requests, Schemas } from './contract.ts'

/** Both directions narrow; a value without the property may be either alternative. */
export const narrowed: Pick<Handlers, 'plain'> = {
  plain: ({ body }) => {
    if (body?.view === 'private') return { status: 200, body: { view: 'private', secret: body.secret } }
    return { status: 200, body: { name: body?.name ?? '' } }
  }
}

/** Values that select nothing belong to the schema of defaultMapping. */
export const standard: readonly Schemas['Standard'][] = [
  { kind: 'Cat', lives: 9 },
  { kind: 'else', size: 1 },
  { size: 1 }
]
// @ts-expect-error no value for an alternative that is selected by its own
export const unselected: Schemas['Standard'] = { kind: 'else', lives: 9 }

/** The property is hidden from requests. */
export const received: Requests['Hidden'] = { a: 1 }
export const sent: Schemas['Hidden'] = { type: 'A', a: 1 }
// @ts-expect-error the value of the other alternative
export const mismatched: Schemas['Hidden'] = { type: 'B', a: 1 }
// @ts-expect-error the value of the other alternative
export const wrong: Schemas['Plain'] = { view: 'private', name: 'a' }
