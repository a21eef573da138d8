/**
 * Handlers of desk.yaml for frameworks whose own validators check requests: these only keep tickets, and check what a
 * validator that reads numbers as doubles cannot, the bounds of int64.
 */
import type { IncomingMessage } from 'node:http'
import { type DeskAnswer, deskToken } from './desk.ts'
import { exactJson, written } from './exact-json.ts'

export interface ServiceRequest {
  readonly url: string
  readonly headers: IncomingMessage['headers']
  /** Body as it was sent. */
  readonly text: string
}

type Ticket = Readonly<Record<string, unknown>>
type Handler = (request: ServiceRequest) => DeskAnswer

const json = { 'content-type': 'application/json' }
export const jsonAnswer = (status: number, value: unknown): DeskAnswer => ({
  status,
  headers: json,
  body: written(value)
})
const refusal = (status: number, message: string) => jsonAnswer(status, { message })

const isInt64 = (text: string): boolean =>
  /^-?\d+$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)
const queryOf = (url: string) => new URL(url, 'http://x').searchParams

/** Returns the key of the ticket in the path; undefined for one beyond int64. */
function idOf(url: string): string | undefined {
  const id = decodeURIComponent(new URL(url, 'http://x').pathname.split('/')[2] ?? '')
  return isInt64(id) ? String(BigInt(id)) : undefined
}

export const isAuthorized = ({ authorization }: IncomingMessage['headers']): boolean =>
  authorization === `Bearer ${deskToken}`

/** @returns handlers by operationId */
export function ticketService(): Readonly<Record<string, Handler>> {
  const tickets = new Map<string, Ticket>()
  const known = (url: string, handle: (id: string, ticket: Ticket) => DeskAnswer): DeskAnswer => {
    const id = idOf(url)
    if (id === undefined) return refusal(400, 'ticketId is beyond int64')
    const ticket = tickets.get(id)
    return ticket === undefined ? refusal(404, 'no such ticket') : handle(id, ticket)
  }
  const exact = (text: string, handle: (value: Ticket) => DeskAnswer): DeskAnswer => {
    const value = Object(exactJson(text)) as Ticket
    const { id = 0, serial = 0 } = value
    const isBeyond = [id, serial].some((number) => !isInt64(String(BigInt(number as number))))
    return isBeyond ? refusal(400, 'beyond int64') : handle(value)
  }
  const keep = (id: string, ticket: Ticket, status = 200): DeskAnswer => {
    tickets.set(id, ticket)
    return jsonAnswer(status, ticket)
  }
  return {
    listTickets({ url, headers: { accept = '*/*' } }) {
      const after = queryOf(url).get('after')
      if (after !== null && !isInt64(after)) return refusal(400, 'after is beyond int64')
      if (accept.includes('text/csv'))
        return { status: 200, headers: { 'content-type': 'text/csv' }, body: 'id,title\r\n' }
      if (!/\*\/\*|json/.test(accept)) return refusal(406, 'csv or json')
      return jsonAnswer(200, [...tickets.values()].slice(-3))
    },
    createTicket: ({ text }) =>
      exact(text, (ticket) => {
        const id = String(BigInt(ticket['id'] as number))
        return tickets.has(id) ? refusal(409, 'taken') : keep(id, ticket, 201)
      }),
    getTicket: ({ url }) => known(url, (_id, ticket) => jsonAnswer(200, ticket)),
    replaceTicket: ({ url, text }) =>
      exact(text, (fields) => known(url, (id, ticket) => keep(id, { ...fields, id: ticket['id'] }))),
    changeTicket: ({ url, text }) =>
      exact(text, (change) => known(url, (id, ticket) => keep(id, { ...ticket, ...change }))),
    deleteTicket: ({ url }) =>
      known(url, (id) => {
        tickets.delete(id)
        return { status: 204 }
      }),
    addComment: ({ url }) => known(url, () => ({ status: 201 })),
    login: () => refusal(401, 'wrong user or password'),
    listEvents: () => ({
      status: 200,
      headers: { 'content-type': 'text/event-stream' },
      body: 'data: {"n":1}\n\ndata: {"n":2}\n\n',
      isOpen: true
    }),
    search: ({ text }) => jsonAnswer(200, text === '' ? [] : [1])
  }
}
