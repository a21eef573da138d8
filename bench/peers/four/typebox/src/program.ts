import { Type, type TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { type FastifyError } from 'fastify'
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

const Id = Type.Integer({ format: 'int64' })
const title = Type.String({ minLength: 1, maxLength: 200 })
const priority = Type.Optional(Type.Integer({ minimum: 0, maximum: 9 }))
const closed = { additionalProperties: false }
const NewNote = Type.Object({ id: Id, title, priority, secret: Type.Optional(Type.String()) }, closed)
const SentNote = Type.Object(
  { id: Id, title, priority, createdAt: Type.String({ format: 'date-time' }) },
  closed
)
const NotePatch = Type.Object({ title: Type.Optional(title), priority }, closed)
const Failed = Type.Object({ code: Type.Integer(), message: Type.String() }, closed)
const params = Type.Object({ id: Id })

const app = Fastify().withTypeProvider<TypeBoxTypeProvider>()
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
app.addHook('onRequest', async ({ headers }) => {
  if (headers.authorization !== `Bearer ${token}`) throw new Failure(401, 'no valid token')
})
app.get(
  '/notes',
  {
    schema: {
      querystring: Type.Object({ limit: Type.Integer({ minimum: 1, maximum: 100, default: 20 }) }),
      response: { 200: Type.Array(SentNote), default: Failed }
    }
  },
  async ({ query: { limit } }, reply) => reply.code(200).send(notes.list(limit))
)
app.post(
  '/notes',
  { schema: { body: NewNote, response: { 201: SentNote, default: Failed } } },
  async ({ body }, reply) => reply.code(201).send(notes.add(body))
)
app.get(
  '/notes/:id',
  { schema: { params, response: { 200: SentNote, default: Failed } } },
  async ({ params: { id } }, reply) => reply.code(200).send(found(notes.get(id)))
)
app.patch(
  '/notes/:id',
  { schema: { params, body: NotePatch, response: { 200: SentNote, default: Failed } } },
  async ({ params: { id }, body }, reply) => reply.code(200).send(found(notes.change(id, body)))
)
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
