/** PATCH /tickets/{id} */
import { FailureError } from '@contract-first/engine/errors'
import type { Store } from '../../store/store.ts'
import { updateTicket } from '../../store/tickets.ts'
import type { Handlers } from '../../user.ts'

export function changeTicket(store: Store): Handlers['changeTicket'] {
  return async ({ principal, params, body }) => {
    if (body.assignee !== undefined && principal.role !== 'agent')
      throw new FailureError('forbidden', { message: 'only agents assign tickets' })
    return { status: 200, body: await updateTicket(store, principal, params.id, body) }
  }
}
