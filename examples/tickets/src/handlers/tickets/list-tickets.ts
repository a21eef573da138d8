/** GET /tickets */
import type { Store } from '../../store/store.ts'
import { ticketOf, ticketsOf } from '../../store/tickets.ts'
import type { Handlers } from '../../user.ts'

export function listTickets(store: Store): Handlers['listTickets'] {
  return async ({ principal, query: { status, limit, cursor } }) => {
    let found = ticketsOf(store, principal).orderBy('id', 'desc')
    if (status !== undefined) found = found.where('status', '=', status)
    if (cursor !== undefined) found = found.where('id', '<', cursor)
    const rows = await found.limit(limit + 1).execute()
    const tickets = rows.slice(0, limit).map(ticketOf)
    const last = rows.length > limit ? tickets.at(-1) : undefined
    return { status: 200, body: { tickets, ...(last && { next: last.id }) } }
  }
}
