/** Handler of POST /plants. Idempotent, because the client chooses the id: a repeated plant gets the same answer. */
import type { CreatePlantResponse, Handlers } from '../../generated/types.ts'
import type { Store } from '../store/store.ts'
import { serviceErrors, storeFailure } from './failures.ts'
import { keepPlant, type Plants } from './plant.ts'

export function createPlant(store: Store, plants: Plants): Handlers['createPlant'] {
  return (request): Promise<CreatePlantResponse> =>
    keepPlant(store, plants, plants.declared(request)).then(
      (kept) => (kept === undefined ? taken(request.body.id) : { status: 200, body: kept }),
      storeFailure
    )
}

const taken = (id: bigint): CreatePlantResponse => ({
  status: 400,
  body: { error: serviceErrors.taken, message: `id ${id} is taken by a different plant` }
})
