/** Serves a contract with fastify-openapi-glue as its README says; the handlers record their arguments. */
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import glue from 'fastify-openapi-glue'

/** Call of a handler, with the values that glue hands on. */
export interface Call {
  readonly operation: string
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

export interface GlueServer {
  readonly app: FastifyInstance
  /** Removes and returns the calls since the last time. */
  readonly calls: () => readonly Call[]
}

/**
 * @param schemes names of the security schemes, each of which lets every request in
 * @throws when glue cannot register the contract
 */
export async function glueServer(specification: object, schemes: readonly string[]): Promise<GlueServer> {
  let calls: Call[] = []
  const app = Fastify({
    ajv: { customOptions: { strict: false } },
    routerOptions: { maxParamLength: 5000 }
  })
  await app.register(glue, {
    specification,
    operationResolver: (operation: string) => ({
      handler: async ({ params, query, body }: FastifyRequest) => {
        calls.push({ operation, params, query, body })
      },
      serializerCompiler: () => () => ''
    }),
    securityHandlers: Object.fromEntries(schemes.map((scheme) => [scheme, () => undefined]))
  } as never)
  await app.ready()
  return {
    app,
    calls: () => {
      const made = calls
      calls = []
      return made
    }
  }
}
