/** The store of every program: notes in memory. Note 13 breaks the contract, as an old row of a database may. */
export interface Note<Id> {
  id: Id
  title: string
  priority?: number
  createdAt: string
  secret?: string
}
type New<Id> = Omit<Note<Id>, 'createdAt'> & { createdAt?: string }

export const token = 'hunter2'

export class Notes<Id> {
  readonly #notes = new Map<string, Note<Id>>()

  constructor() {
    const broken: unknown = { id: 13, title: { text: 'x' }, createdAt: '2026-11-28T00:00:00Z' }
    this.#notes.set('13', broken as Note<Id>)
  }
  list(limit: number): Note<Id>[] {
    return [...this.#notes.values()].filter(({ title }) => typeof title === 'string').slice(0, limit)
  }
  get(id: Id): Note<Id> | undefined {
    return this.#notes.get(String(id))
  }
  add(sent: New<Id>): Note<Id> {
    const note = { createdAt: new Date().toISOString(), ...sent }
    this.#notes.set(String(sent.id), note)
    return note
  }
  change(id: Id, { title, priority }: Partial<New<Id>>): Note<Id> | undefined {
    const note = this.get(id)
    return note && this.add({ ...note, title: title ?? note.title, priority: priority ?? note.priority })
  }
}
