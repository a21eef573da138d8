/** Definition of the service Plant Store: its contract, handlers, security, error body and store. */

import { type AppOptions, buildApp as build, defineService, StartError } from '@contract-first/service'
import contract from '../generated/contract.ts'
import { openStore } from './open-store.ts'
import { BackgroundCheck } from './plants/check-plants.ts'
import { errorBody, errorLabel, errorReason } from './plants/failures.ts'
import { createHandlers } from './plants/handlers.ts'
import { Plants } from './plants/plant.ts'
import { handlerFile, tokenPrefix, variables } from './plants/product.ts'
import { type Store, StoreOpenError } from './store/store.ts'

export const plantStore = defineService({
  contract,
  security: (authenticate) => ({ bearerAuth: authenticate }),
  handlers: async (store: Store) => createHandlers({ store, plants: await Plants.load() }),
  handlerFile,
  errorBody,
  errorLabel,
  errorReason,
  openStore: (databaseUrl, options) => {
    // Makes the folder of the default file only: a folder that the operator names may be an unmounted volume.
    const makesFolders = options.makesFolders || databaseUrl === variables.defaults.DATABASE_URL
    return openStore(databaseUrl, { ...options, makesFolders }).catch((error: unknown) => {
      throw error instanceof StoreOpenError ? new StartError([error.message]) : error
    })
  },
  start: async ({ store, log }) => new BackgroundCheck(store, await Plants.load(), log),
  stop: (check) => check.close(),
  tokenPrefix
})

/** Builds the production application without listening, for tests. */
export const buildApp = (options: AppOptions<Store>) => build(plantStore, options)
