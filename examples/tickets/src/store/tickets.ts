/** Tickets: an agent has access to all, a customer to their own. */
import { on } from 'node:events'
import type { Selectable } from 'kysely'
import type { Requests, Schemas } from '../../generated/types.ts'
import { Conflict, NotFound } from '../errors.ts'
import type { User } from '../user.ts'
import type { Tables } from './migrations.ts'
import type { Change, Store } from './store.ts'

/** Selects the tickets that a user has access to. */
export function ticketsOf({ db }: Store, { id, role }: User) {
  const all = db.selectFrom('tickets').selectAll()
  return role === 'agent' ? all : all.where('customer', '=', id)
}

/** Leaves out the assignee of a ticket that has none, as the contract does. */
export const ticketOf = ({ assignee, ...row }: Selectable<Tables['tickets']>): Schemas['Ticket'] =>
  assignee === null ? row : { ...row, assignee }

/** @throws {NotFound} */
export async function findTicket(store: Store, user: User, id: number): Promise<Schemas['Ticket']> {
  const row = await ticketsOf(store, user).where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw new NotFound('there is no such ticket')
  return ticketOf(row)
}

/** Yields the changes of the tickets that a user has access to, from the first `next` on. */
export async function* changesOf({ events }: Store, user: User, signal: AbortSignal): AsyncGenerator<Change> {
  for await (const [change] of on(events, 'change', { signal }))
    if (user.role === 'agent' || change.data.customer === user.id) yield change
}

export async function insertTicket(store: Store, customer: string, fields: Requests['NewTicket']) {
  const { title, text, priority = 'normal' } = fields
  const row = { customer, status: 'open', title, text, priority, created: new Date().toISOString() } as const
  const inserted = store.db.insertInto('tickets').values(row).returningAll()
  return store.publish('created', ticketOf(await inserted.executeTakeFirstOrThrow()))
}

/** @throws {NotFound | Conflict} */
export async function updateTicket(store: Store, user: User, id: number, patch: Requests['TicketPatch']) {
  const { status } = await findTicket(store, user, id)
  if (status === 'closed' && patch.status !== 'open')
    throw new Conflict('the ticket is closed: open it first')
  await store.db.updateTable('tickets').set(patch).where('id', '=', id).execute()
  return store.publish('changed', await findTicket(store, user, id))
}

/** @throws {NotFound | Conflict} the transaction then restores the attachments */
export async function removeTicket(store: Store, user: User, id: number): Promise<void> {
  await store.db.deleteFrom('attachments').where('ticket', '=', id).execute()
  const ticket = await findTicket(store, user, id)
  if (ticket.status === 'open') throw new Conflict('the ticket is open: close it first')
  await store.db.deleteFrom('tickets').where('id', '=', id).execute()
  store.publish('deleted', ticket)
}
