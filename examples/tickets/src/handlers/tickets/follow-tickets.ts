/** GET /tickets/events */
import type { Store } from '../../store/store.ts'
import { changesOf } from '../../store/tickets.ts'
import type { Handlers } from '../../user.ts'

export function followTickets(store: Store): Handlers['followTickets'] {
  return async ({ principal, signal }) => ({ status: 200, body: changesOf(store, principal, signal) })
}
