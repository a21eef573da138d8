/** A handler for every operation. `npm run generate -- --stubs` adds the missing ones. */
import type { Store } from '../store/store.ts'
import type { Handlers } from '../user.ts'
import { attachFile } from './attachments/attach-file.ts'
import { downloadFile } from './attachments/download-file.ts'
import { logIn } from './customers/log-in.ts'
import { logOut } from './customers/log-out.ts'
import { registerCustomer } from './customers/register-customer.ts'
import { changeTicket } from './tickets/change-ticket.ts'
import { createTicket } from './tickets/create-ticket.ts'
import { deleteTicket } from './tickets/delete-ticket.ts'
import { exportTickets } from './tickets/export-tickets.ts'
import { followTickets } from './tickets/follow-tickets.ts'
import { getTicket } from './tickets/get-ticket.ts'
import { listTickets } from './tickets/list-tickets.ts'

export function createHandlers(store: Store): Handlers {
  return {
    registerCustomer: registerCustomer(store),
    logIn: logIn(store),
    logOut: logOut(store),
    listTickets: listTickets(store),
    createTicket: createTicket(store),
    followTickets: followTickets(store),
    getTicket: getTicket(store),
    deleteTicket: deleteTicket(store),
    changeTicket: changeTicket(store),
    attachFile: attachFile(store),
    downloadFile: downloadFile(store),
    exportTickets: exportTickets(store)
  }
}
