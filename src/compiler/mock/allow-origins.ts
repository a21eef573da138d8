/** Allows cross-origin requests from any page (Fetch Standard, section 3.2), cookies included: the data is made up. */

import type { Contract } from '@contract-first/engine/internal/model/compiled-contract'
import cors from '@fastify/cors'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * Registers the hooks; must be called before authentication is hooked in, because a preflight carries no credentials.
 */
export async function allowAllOrigins(app: FastifyInstance, { operations }: Contract): Promise<void> {
  const methods = new Set(['GET', 'HEAD', ...operations.map(({ method }) => method)])
  const headers = operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap((response) => response.headers)
  )
  const exposed = ['preference-applied', 'www-authenticate', 'allow', ...headers.map(({ name }) => name)]
  const granted = { methods: [...methods], exposedHeaders: [...new Set(exposed)] }
  await app.register(cors, {
    delegator: (request: FastifyRequest, decide) => {
      const { origin } = request.headers
      decide(null, {
        ...granted,
        preflight: 'access-control-request-method' in request.headers,
        ...(origin === undefined ? { origin: '*' } : { origin, credentials: true })
      })
    }
  })
}
