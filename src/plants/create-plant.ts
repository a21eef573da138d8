/** POST /plants. The client chooses the id, which makes a retry safe: the same plant again is answered as the first time. */
import type { Handlers } from '../../generated/types.ts'
import { type Store, StoreOverloaded, StoreUnavailable } from '../store/store.ts'
import { serviceErrors } from './failures.ts'

type CreatePlant = Handlers['createPlant']

/** Seconds after which a client may try again. */
const retryAfter = '1'

/** @param serialize makes the stored document: the contract's own serializer of the answer */
export function createPlant(store: Store, serialize: (plant: unknown) => string): CreatePlant {
  return async ({ body: { id, name, tag } }) => {
    const plant = tag === undefined ? { name } : { name, tag }
    try {
      const outcome = await store.create({ id, document: serialize(plant) })
      if (outcome !== 'taken') return { status: 200, body: plant }
      return {
        status: 400,
        body: { error: serviceErrors.taken, message: `id ${id} is taken by a different plant` }
      }
    } catch (error) {
      return unavailable(error)
    }
  }
}

function unavailable(error: unknown): Extract<Awaited<ReturnType<CreatePlant>>, { status: 503 }> {
  const headers = { 'Retry-After': retryAfter }
  if (error instanceof StoreOverloaded) {
    return {
      status: 503,
      headers,
      body: { error: serviceErrors.overloaded, message: 'the service is overloaded' }
    }
  }
  if (!(error instanceof StoreUnavailable)) throw error
  return {
    status: 503,
    headers,
    body: { error: serviceErrors.unavailable, message: 'the store is unavailable' }
  }
}
