/** A contract beside a plugin: in a Fastify of the user, with a prefix and without one, and in a server of the engine. */
import type { Server } from 'node:http'
import Fastify, { type FastifyHttpOptions, type FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import { parse } from 'yaml'
import { contractRoutes, createContractServer } from '../../../../src/engine/server.ts'
import { type Answer, ask, compiled } from '../../serve.ts'

export interface Host {
  readonly name: string
  readonly app: FastifyInstance
  readonly port: number
  /** Prefix of the contract's paths. */
  readonly base: string
  /** True where the errors of routes beside the contract have its shape. */
  readonly isEngine: boolean
  readonly ask: (text: string | Buffer) => Promise<Answer>
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

export interface Service {
  /** Handlers that a test replaces. */
  readonly handlers?: Readonly<Record<string, (request: never) => unknown>>
  /** Registers plugins and routes in the application, before the contract. */
  readonly extend: (app: FastifyInstance) => unknown
  readonly fastify?: FastifyHttpOptions<Server>
  readonly maxBodyBytes?: number
}

/** Starts the three hosts of a contract. */
export async function hosts(t: Test, { handlers, extend, fastify = {}, ...rest }: Service): Promise<Host[]> {
  const options = {
    ...rest,
    contract: await compiled(t, document),
    security: { token: (credential: string) => (credential === 'good' ? { id: 'p' } : undefined) },
    handlers: {
      getThings: () => ({ status: 200, body: { things: [] } }),
      takeThing: ({ body }: { body: unknown }) => ({ status: 200, body }),
      getThing: ({ params }: { params: unknown }) => ({ status: 200, body: params }),
      ...handlers
    },
    errorBody: ({ code, message }: { code: string; message: string }) => ({ code, message })
  }
  const within = async (prefix: string) => {
    const app = Fastify(fastify)
    await extend(app)
    await app.register(contractRoutes, { ...options, ...(prefix !== '' && { prefix }) })
    return app
  }
  const server = await createContractServer({ ...options, extend, fastify })
  return [
    await started(t, 'plugin under a prefix', await within('/v1'), '/v1'),
    await started(t, 'plugin without a prefix', await within('')),
    await started(t, 'server', server)
  ]
}

async function started(t: Test, name: string, app: FastifyInstance, base = ''): Promise<Host> {
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  t.teardown(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  const port = Number(new URL(address).port)
  return { name, app, port, base, isEngine: name === 'server', ask: (text) => ask(port, text) }
}
