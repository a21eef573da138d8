import { FailureError } from '@contract-first/engine/errors'
import { createContractServer } from '@contract-first/engine/server'
import contract from '../generated/contract.ts'
import { type Note, Notes, token } from './notes.ts'

const notes = new Notes<bigint>()

const found = (note: Note<bigint> | undefined): Note<bigint> => {
  if (note === undefined) throw new FailureError('not-found', { message: 'no such note' })
  return note
}

const app = await createContractServer({
  contract,
  security: { bearer: (sent) => (sent === token ? { id: 'ada' } : undefined) },
  errorBody: ({ status, message }) => ({ code: status, message }),
  handlers: {
    listNotes: async ({ query: { limit } }) => ({ status: 200, body: notes.list(limit) }),
    createNote: async ({ body }) => ({ status: 201, body: notes.add(body) }),
    getNote: async ({ params: { id } }) => ({ status: 200, body: found(notes.get(id)) }),
    changeNote: async ({ params: { id }, body }) => ({ status: 200, body: found(notes.change(id, body)) })
  }
})
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
