/** Compilers of the schemas of routes beside the contract. Fastify would load its own at each start. */
import type { FastifyInstance, FastifyServerOptions } from 'fastify'

type Factory = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>
type Compilers = Required<Factory>

interface LazyCompilers {
  readonly load: () => Promise<void>
  readonly compilersFactory: Compilers
}

/** Returns compilers that must be loaded before a schema is compiled. */
export function lazyCompilers(): LazyCompilers {
  let loaded: Compilers | undefined
  const lazily =
    (name: keyof Compilers) =>
    (...given: readonly unknown[]) =>
      Reflect.apply((loaded ?? missing())[name], undefined, given)
  return {
    load: async () => {
      loaded = await loadCompilers()
    },
    compilersFactory: { buildValidator: lazily('buildValidator'), buildSerializer: lazily('buildSerializer') }
  }
}

async function loadCompilers(): Promise<Compilers> {
  const [{ default: validators }, { default: serializers }] = await Promise.all([
    import('@fastify/ajv-compiler'),
    import('@fastify/fast-json-stringify-compiler')
  ])
  return { buildValidator: validators(), buildSerializer: serializers() }
}

function missing(): never {
  throw new Error('schemas are compiled only for a service whose `extend` adds a route with a schema')
}

/**
 * Declares that validators are Fastify's own: it writes the names in schemas of headers in lower case for these, as Node
 * gives them, and otherwise takes every `buildValidator` for that of another library, whose schemas it leaves alone.
 */
export function declareOwnValidators(app: FastifyInstance): void {
  const keys = Object.getOwnPropertySymbols(app)
  for (const key of keys.filter(({ description }) => description === 'fastify.schemaController'))
    Reflect.set(Object(Reflect.get(app, key)), 'isCustomValidatorCompiler', false)
}
