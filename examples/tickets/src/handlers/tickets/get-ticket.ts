/** GET /tickets/{id} */
import type { Store } from '../../store/store.ts'
import { findTicket } from '../../store/tickets.ts'
import type { Handlers } from '../../user.ts'

export function getTicket(store: Store): Handlers['getTicket'] {
  return async ({ principal, params }) => {
    return { status: 200, body: await findTicket(store, principal, params.id) }
  }
}
