import Fastify from 'fastify'
import { type Note, Notes } from './notes.ts'

const notes = new Notes<number>()
const app = Fastify()
app.post<{ Body: Note<number> }>('/notes', async ({ body }, reply) => reply.code(201).send(notes.add(body)))
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
