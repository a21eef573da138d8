/** Plugin that adds the routes of a compiled contract to any Fastify instance. */
import type { FastifyInstance, RegisterOptions } from 'fastify'
import type { ContractTypes } from '../model/compiled-contract.ts'
import type { ContractRoutesOptions } from './contract-options.ts'
import { logOf, logRequests } from './errors/standard-error-log.ts'
import { requestGuard } from './operation-route.ts'
import { prefixOf, prepareContract } from './served-contract.ts'
import { answerUnmatched, refuseUnmatched, unmatchedFinder } from './unmatched.ts'

const skipOverride: unique symbol = Symbol.for('skip-override')

/** The plugin; its own type, so that `register` infers the types of handlers from the contract. */
export interface ContractRoutes {
  (app: FastifyInstance, options: WrongOptions): Promise<void>
  readonly [skipOverride]: true
}

/**
 * Options that the other signatures of `register` refuse: they would accept any handlers. TypeScript shows the error of
 * the last signature, which is Fastify's own.
 */
type WrongOptions = Options<ContractTypes, unknown> & {
  readonly contract: 'an option is wrong: contractOptions({ … }) around the options names it'
}

type Options<Types extends ContractTypes, Security> = ContractRoutesOptions<Types, Security> & RegisterOptions

declare module 'fastify' {
  interface FastifyRegister<T> {
    // biome-ignore lint/style/useShorthandFunctionType: only an interface is merged with that of Fastify
    <Types extends ContractTypes, Security>(plugin: ContractRoutes, options: Options<Types, Security>): T
  }
}

/**
 * Adds the routes of a contract to a Fastify instance, encapsulated: hooks and decorators of the instance apply to them;
 * its routes, body parsers, validators, error handler and not-found handler are untouched. Within `prefix` (without one,
 * on the paths of the contract) 404 and 405 have the contract's error shape. Several contracts may share an instance.
 * @throws {BootError} when generated code, handlers and contract do not agree, or a route is there already
 */
export const contractRoutes: ContractRoutes = Object.assign(
  async function contractRoutes<Types extends ContractTypes, Security>(
    parent: FastifyInstance,
    options: Options<Types, Security>
  ): Promise<void> {
    const { prefix = '', logLevel, logSerializers } = options
    const { addRoutes, handleError, trace } = await prepareContract(parent, options, logOf(parent))
    const isPrefixed = prefix !== '' && prefix !== '/'
    await parent.register(
      async (app) => {
        const guard = requestGuard(app)
        logRequests(app)
        trace(app)
        const find = unmatchedFinder(app, options.contract, prefixOf(app.prefix))
        app.setErrorHandler(handleError)
        if (isPrefixed) refuseUnmatched(app, guard, { find, handleError })
        else answerUnmatched(parent, { find, handleError })
        addRoutes(app, { guard, parsed: undefined })
      },
      {
        ...(isPrefixed && { prefix }),
        ...(logLevel && { logLevel }),
        ...(logSerializers && { logSerializers })
      }
    )
  },
  {
    [skipOverride]: true as const,
    [Symbol.for('plugin-meta')]: { name: '@contract-first/engine', fastify: '5.x' }
  }
)

/**
 * Returns the options of `contractRoutes` unchanged: `app.register(contractRoutes, contractOptions({ … }))`. TypeScript
 * names what is wrong in them; without this function it says that no overload of `register` matches.
 */
export const contractOptions = <Types extends ContractTypes, Security>(
  options: Options<Types, Security>
): NoInfer<Options<Types, Security>> => options
