/** POST /tickets */
import type { Store } from '../../store/store.ts'
import { insertTicket } from '../../store/tickets.ts'
import type { Handlers } from '../../user.ts'

export function createTicket(store: Store): Handlers['createTicket'] {
  return async ({ principal, body }) => {
    const ticket = await insertTicket(store, principal.id, body)
    return { status: 201, body: ticket, headers: { Location: `/tickets/${ticket.id}` } }
  }
}
