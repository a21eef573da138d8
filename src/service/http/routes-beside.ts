/** Routes of `extend`, beside those of the contract and of every service. */
import type { FastifyInstance, FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for a route of `extend`. */
    readonly isBeside?: boolean
  }
}

export interface RouteBeside {
  readonly method: string
  readonly url: string
  readonly hasSchema: boolean
}

/**
 * Adds routes below a base path, and marks them.
 * @param add adds the routes, and resolves when their plugins are loaded
 * @returns the routes
 */
export async function addRoutesBeside(
  app: FastifyInstance,
  basePath: string,
  add: () => Promise<unknown>
): Promise<readonly RouteBeside[]> {
  const routes: RouteBeside[] = []
  let isAdding = true
  app.addHook('onRoute', (route) => {
    if (!isAdding) return
    route.config = { ...route.config, isBeside: true }
    const { url, schema } = route
    for (const method of [route.method].flat()) routes.push({ method, url, hasSchema: schema !== undefined })
  })
  setRoutePrefix(app, basePath)
  await add()
  setRoutePrefix(app, '')
  isAdding = false
  return routes
}

/** Sets the prefix of later routes, which Fastify lets only an encapsulated instance have. */
function setRoutePrefix(app: FastifyInstance, prefix: string): void {
  const keys = Object.getOwnPropertySymbols(app)
  for (const key of keys.filter(({ description }) => description === 'fastify.routePrefix'))
    Reflect.set(app, key, prefix)
}

/** Returns the pattern of a route of `extend`: `/hooks/:source`; undefined for any other. */
export function patternBeside({ routeOptions }: FastifyRequest): string | undefined {
  return routeOptions.config.isBeside === true ? routeOptions.url : undefined
}
