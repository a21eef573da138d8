/** Handlers of all operations. `npm run generate -- --stubs` adds the missing ones. */
import type { Handlers } from '../../generated/types.ts'
import type { Store } from '../store/store.ts'
import { createPlant } from './create-plant.ts'
import type { Plants } from './plant.ts'

interface Dependencies {
  readonly store: Store
  readonly plants: Plants
}

export function createHandlers({ store, plants }: Dependencies): Handlers {
  return {
    createPlant: createPlant(store, plants)
  }
}
