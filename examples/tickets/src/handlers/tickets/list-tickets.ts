/** GET /tickets */
import { FailureError } from '@contract-first/engine/errors'
import type { Store } from '../../store/store.ts'
import { ticketOf, ticketsOf } from '../../store/tickets.ts'
import type { Handlers } from '../../user.ts'

export function listTickets(store: Store): Handlers['listTickets'] {
  return async ({ principal, query: { status, limit, cursor } }) => {
    let found = ticketsOf(store, principal).orderBy('id', 'desc')
    if (status !== undefined) found = found.where('status', '=', status)
    if (cursor !== undefined) found = found.where('id', '<', idOf(cursor))
    const rows = await found.limit(limit + 1).execute()
    const tickets = rows.slice(0, limit).map(ticketOf)
    const last = rows.length > limit ? tickets.at(-1) : undefined
    return { status: 200, body: { tickets, ...(last && { next: cursorOf(last.id) }) } }
  }
}

const cursorOf = (id: number): string => Buffer.from(String(id)).toString('base64url')

/** @throws {FailureError} for a cursor that is not of this service */
function idOf(cursor: string): number {
  const id = Number(Buffer.from(cursor, 'base64url').toString())
  if (Number.isSafeInteger(id)) return id
  const problems = [{ place: 'query/cursor', message: 'must be the `next` of a page' }]
  throw new FailureError('mismatch', { problems })
}
