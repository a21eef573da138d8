/** A bare Fastify route with a hand-written schema; its argument stores the plant. */
import Fastify from 'fastify'

interface NewPlant {
  readonly id: number
  readonly name: string
  readonly tag?: string
}

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

/** @returns its URL */
export async function serve(store: (plant: NewPlant) => Promise<unknown> | undefined): Promise<string> {
  const app = Fastify()
  app.post<{ Body: NewPlant }>('/plants', { schema }, async ({ body }) => {
    await store(body)
    return { name: body.name, tag: body.tag }
  })
  return await app.listen({ host: '127.0.0.1', port: 0 })
}

/** @returns its URL */
export const serveBare = (): Promise<string> => serve(() => undefined)

if (import.meta.main) console.log(await serveBare())
