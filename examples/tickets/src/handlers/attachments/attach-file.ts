/** POST /tickets/{id}/attachments */
import type { Store } from '../../store/store.ts'
import { findTicket } from '../../store/tickets.ts'
import type { Handlers } from '../../user.ts'

export function attachFile(store: Store): Handlers['attachFile'] {
  return async ({ principal, params, body: { file } }) => {
    const { id: ticket } = await findTicket(store, principal, params.id)
    const name = file.filename ?? 'file'
    const insert = store.db.insertInto('attachments').values({ ticket, name, content: await file.bytes() })
    const { id } = await insert.returning('id').executeTakeFirstOrThrow()
    const headers = { Location: `/tickets/${ticket}/attachments/${id}` }
    return { status: 201, body: { id, name, size: file.size }, headers }
  }
}
