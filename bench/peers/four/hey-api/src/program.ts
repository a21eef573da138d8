import { fileURLToPath } from 'node:url'
import Fastify, { type FastifyError, type FastifyRequest } from 'fastify'
import glue from 'fastify-openapi-glue'
import type { RouteHandlers } from './client/fastify.gen.ts'
import { type Note, Notes, token } from './notes.ts'

const notes = new Notes<number>()

class Failure extends Error {
  readonly statusCode: number
  constructor(statusCode: number, message: string) {
    super(message)
    this.statusCode = statusCode
  }
}
const found = (note: Note<number> | undefined): Note<number> => {
  if (note === undefined) throw new Failure(404, 'no such note')
  return note
}

const serviceHandlers: RouteHandlers = {
  listNotes: async (request, reply) => reply.code(200).send(notes.list(request.query?.limit ?? 20)),
  createNote: async ({ body }, reply) => reply.code(201).send(notes.add(body)),
  getNote: async ({ params: { id } }, reply) => reply.code(200).send(found(notes.get(id))),
  changeNote: async ({ params: { id }, body }, reply) => reply.code(200).send(found(notes.change(id, body)))
}
const securityHandlers = {
  bearer: async ({ headers }: FastifyRequest) => {
    if (headers.authorization !== `Bearer ${token}`) throw new Failure(401, 'no valid token')
  }
}

const app = Fastify()
app.setErrorHandler((error: FastifyError, _request, reply) => {
  const code = error.statusCode ?? 500
  reply.code(code).send({ code, message: code < 500 ? error.message : 'failed' })
})
app.setNotFoundHandler((_request, reply) => reply.code(404).send({ code: 404, message: 'no such path' }))
app.addContentTypeParser(
  'application/merge-patch+json',
  { parseAs: 'string' },
  app.getDefaultJsonParser('error', 'error')
)
app.register(glue, {
  specification: fileURLToPath(new URL('../openapi.yaml', import.meta.url)),
  serviceHandlers,
  securityHandlers
})
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
