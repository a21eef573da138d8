/**
 * Allows cross-origin requests to operations from any page (Fetch Standard, section 3.2), cookies included: the data is
 * made up. Routes that are added later are not included: the contract itself is none of a foreign page's business.
 */

import type { Contract } from '@contract-first/engine/model'
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
  const others = new Set<string | undefined>()
  app.addHook('onRoute', ({ method, url }) => {
    if ([method].flat().includes('GET')) others.add(url)
  })
  await app.register(cors, {
    delegator: (request: FastifyRequest, decide) => {
      decide(null, {
        ...granted,
        preflight: 'access-control-request-method' in request.headers,
        ...(others.has(request.routeOptions.url) ? { origin: false } : originsOf(request))
      })
    }
  })
}

function originsOf({ headers: { origin } }: FastifyRequest) {
  return origin === undefined ? { origin: '*' } : { origin, credentials: true }
}
