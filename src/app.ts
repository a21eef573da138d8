/** Makes this service Plant Store: its contract, handlers, security, error body and store. */
import contract from '../generated/contract.ts'
import { BackgroundCheck } from './plants/background-check.ts'
import { errorBody, errorLabel, errorReason } from './plants/failures.ts'
import { createHandlers } from './plants/handlers.ts'
import { Plants } from './plants/plant.ts'
import { defaults, handlerFile, tokenPrefix } from './plants/product.ts'
import { type AppOptions, defineService } from './service/definition.ts'
import { openStore } from './store/open.ts'
import type { Store } from './store/store.ts'

export const plantStore = defineService({
  contract,
  handlers: async (store: Store) => createHandlers({ store, plants: await Plants.load() }),
  handlerFile,
  security: (authenticate) => ({ bearerAuth: authenticate }),
  errorBody,
  errorLabel,
  errorReason,
  openStore: (databaseUrl, options) => {
    // The folder of the default file belongs to the product; one that the operator names may be a volume that is not mounted.
    const makesFolders = options.makesFolders || databaseUrl === defaults.DATABASE_URL
    return openStore(databaseUrl, { ...options, makesFolders })
  },
  background: async (store, log) => new BackgroundCheck(store, await Plants.load(), log),
  tokenPrefix
})

/** Builds the application without listening: tests run what production runs. */
export async function buildApp(options: AppOptions<Store>) {
  const { buildService } = await import('./service/build.ts')
  return buildService(plantStore, options)
}
