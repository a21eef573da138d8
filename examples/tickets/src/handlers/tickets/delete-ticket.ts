/** DELETE /tickets/{id} */
import type { Store } from '../../store/store.ts'
import { removeTicket } from '../../store/tickets.ts'
import type { Handlers } from '../../user.ts'

export function deleteTicket(store: Store): Handlers['deleteTicket'] {
  return async ({ principal, params }) => {
    await removeTicket(store, principal, params.id)
    return { status: 204 }
  }
}
