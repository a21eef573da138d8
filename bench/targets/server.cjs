/** A bare Fastify route with a hand-written schema and no store, as its users start it: `node server.cjs`. */
const Fastify = require('fastify')

const schema = {
  body: {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: { type: 'integer' }, name: { type: 'string' }, tag: { type: 'string' } }
  },
  response: {
    200: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, tag: { type: 'string' } }
    }
  }
}

const app = Fastify()
app.post('/plants', { schema }, async ({ body }) => ({ name: body.name, tag: body.tag }))
app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
