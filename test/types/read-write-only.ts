import contract, { type Handlers, type Requests, type Schemas } from './contract.ts'

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

/** Plain types: exactly these members. */
type Is<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
export const sent: Is<Schemas['Account'], { id: number }> = true
export const received: Is<Requests['Account'], { password: string }> = true
export const user: Requests['User'] = { password: 'abc', name: 'Ada' }
export const place: Is<Schemas['Place'], [number, number]> = true
export const unmarked: Is<Requests['Place'], Schemas['Place']> = true
export const tuple: Requests['Spot']['at'] = [1, 2]
// @ts-expect-error a third member
export const triple: Requests['Spot']['at'] = [1, 2, 3]

export async function codecs(): Promise<void> {
  const account: { id: number } = await contract.schemas.Account.parse('{}')
  const secret: { password: string } = await contract.schemas.Account.received.parse('{}')
  const { Spot } = await contract.loadSchemas()
  const text: string = Spot.stringify({ at: [account.id, secret.password.length] })
  // @ts-expect-error what a handler sends has no write-only property
  Spot.stringify({ at: [1, 2], secret: text })
  // @ts-expect-error no such schema
  contract.schemas.received_Account
}
