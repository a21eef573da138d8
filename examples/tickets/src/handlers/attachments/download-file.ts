/** GET /tickets/{id}/attachments/{attachment} */
import { NotFound } from '../../errors.ts'
import type { Store } from '../../store/store.ts'
import { findTicket } from '../../store/tickets.ts'
import type { Handlers } from '../../user.ts'

export function downloadFile(store: Store): Handlers['downloadFile'] {
  return async ({ principal, params }) => {
    const { id } = await findTicket(store, principal, params.id)
    const attachments = store.db.selectFrom('attachments').selectAll().where('ticket', '=', id)
    const file = await attachments.where('id', '=', params.attachment).executeTakeFirst()
    if (file === undefined) throw new NotFound('there is no such attachment')
    // RFC 8187 encodes these characters, too.
    const name = encodeURIComponent(file.name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)
    const headers = { 'Content-Disposition': `attachment; filename*=UTF-8''${name}` }
    return { status: 200, body: file.content, headers }
  }
}
