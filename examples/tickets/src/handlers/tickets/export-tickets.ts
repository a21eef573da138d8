/** GET /tickets.csv */
import type { Store } from '../../store/store.ts'
import type { Handlers } from '../../user.ts'

const columns = ['id', 'customer', 'status', 'priority', 'assignee', 'created', 'title', 'text'] as const

export function exportTickets(store: Store): Handlers['exportTickets'] {
  return async () => {
    const tickets = await store.db.selectFrom('tickets').select(columns).orderBy('id').execute()
    const rows = tickets.map((ticket) => columns.map((column) => ticket[column] ?? ''))
    const body = [columns, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('')
    return { status: 200, body, headers: { 'Content-Disposition': 'attachment; filename="tickets.csv"' } }
  }
}

/** Writes a field as RFC 4180 does; an apostrophe keeps spreadsheets from running it as a formula. */
const field = (value: string | number): string =>
  `"${String(value)
    .replace(/^[=+\-@\t\r]/, "'$&")
    .replaceAll('"', '""')}"`
