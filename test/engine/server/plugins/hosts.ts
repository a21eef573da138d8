/** A contract beside a plugin: in a Fastify of the user, with a prefix and without one, and in a server of the engine. */
import type { Test } from 'tap'
import { parse } from 'yaml'
import { compiled, type Served, type Service, serve, servePlugins } from '../../serve.ts'

export interface Host extends Served {
  readonly name: string
  /** Prefix of the contract's paths. */
  readonly base: string
  /** True where the errors of routes beside the contract have its shape. */
  readonly isEngine: boolean
}

/** A contract with `GET /things`, which needs a token, and `POST /things`, which takes JSON or a form with a file. */
const document = parse(`
paths:
  /things:
    get:
      operationId: getThings
      security: [{ token: [] }]
      responses: &ok { 200: { description: ok, content: { application/json: {} } } }
    post:
      operationId: takeThing
      requestBody:
        required: true
        content:
          application/json: { schema: { type: object, required: [size], properties: { size: &size { type: integer } } } }
          multipart/form-data:
            schema: { type: object, required: [size], properties: { size: *size, file: { type: string, format: binary } } }
      responses: *ok
  /things/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getThing
      responses: { 200: { description: ok, content: { application/json: { schema: {} } } }, 204: { description: none } }
components: { securitySchemes: { token: { type: http, scheme: bearer } } }
`)

/** Headers of a request that `GET /things` answers. */
export const token = { Authorization: 'Bearer good' }

/** Starts the three hosts of a contract, with handlers that a test replaces. */
export async function hosts(t: Test, { handlers, ...service }: Service): Promise<Host[]> {
  const contract = await compiled(t, document)
  const options: Service = {
    ...service,
    security: { token: (credential: string) => (credential === 'good' ? { id: 'p' } : undefined) },
    handlers: {
      getThings: () => ({ status: 200, body: { things: [] } }),
      takeThing: ({ body }: { body: unknown }) => ({ status: 200, body }),
      getThing: ({ params }: { params: unknown }) => ({ status: 200, body: params }),
      ...handlers
    }
  }
  const prefixed = await servePlugins(t, contract, options, ['/v1'])
  const plain = await servePlugins(t, contract, options)
  return [
    { name: 'plugin under a prefix', ...prefixed, base: '/v1', isEngine: false },
    { name: 'plugin without a prefix', ...plain, base: '', isEngine: false },
    { name: 'server', ...(await serve(t, contract, options)), base: '', isEngine: true }
  ]
}
