import { HTTPException } from 'hono/http-exception'
import { type Note, Notes } from './notes'

export const notes = new Notes<number>()

export function found(note: Note<number> | undefined): Note<number> {
  if (note === undefined) throw new HTTPException(404, { message: 'no such note' })
  return note
}
