/** Routes of `extend`, beside those of the contract and of every service, and the compilers of their schemas. */
import type { FastifyInstance, FastifyRequest, FastifyServerOptions } from 'fastify'

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
  for (const key of symbolsOf(app, 'fastify.routePrefix')) Reflect.set(app, key, prefix)
}

const symbolsOf = (app: FastifyInstance, name: string): symbol[] =>
  Object.getOwnPropertySymbols(app).filter(({ description }) => description === name)

/** Returns the pattern of a route of `extend`: `/hooks/:source`; undefined for any other. */
export function patternBeside({ routeOptions }: FastifyRequest): string | undefined {
  return routeOptions.config.isBeside === true ? routeOptions.url : undefined
}

type Factory = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>
type Compilers = Required<Factory>

/** Returns compilers that must be loaded before a schema is compiled. Fastify would load its own at each start. */
export function lazyCompilers() {
  let loaded: Compilers | undefined
  const compilers = (): Compilers => {
    if (loaded !== undefined) return loaded
    throw new Error('schemas are compiled only for a service whose `extend` adds a route with a schema')
  }
  const compilersFactory: Compilers = {
    buildValidator: (...given: unknown[]) => Reflect.apply(compilers().buildValidator, undefined, given),
    buildSerializer: (...given: unknown[]) => Reflect.apply(compilers().buildSerializer, undefined, given)
  }
  const load = async () => {
    const { default: validators } = await import('@fastify/ajv-compiler')
    const { default: serializers } = await import('@fastify/fast-json-stringify-compiler')
    loaded = { buildValidator: validators(), buildSerializer: serializers() }
  }
  return { load, compilersFactory }
}

/**
 * Declares that validators are Fastify's own: it writes the names in schemas of headers in lower case for these, as Node
 * gives them, and otherwise takes every `buildValidator` for that of another library, whose schemas it leaves alone.
 */
export function declareOwnValidators(app: FastifyInstance): void {
  for (const key of symbolsOf(app, 'fastify.schemaController'))
    Reflect.set(Object(Reflect.get(app, key)), 'isCustomValidatorCompiler', false)
}
