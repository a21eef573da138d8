/** POST /plants. The client chooses the id, which makes a retry safe: the same plant again is answered as the first time. */
import type { Handlers } from '../../generated/types.ts'
import { type Store, StoreOverloaded, StoreUnavailable } from '../store/store.ts'
import { serviceErrors } from './failures.ts'
import type { Plants } from './plant.ts'

type CreatePlant = Handlers['createPlant']

/** Seconds after which a client may try again. */
const retryAfter = '1'

export function createPlant(store: Store, { stored }: Plants): CreatePlant {
  return async ({ body }) => {
    try {
      const outcome = await store.create(stored(body))
      if (outcome !== 'taken') return { status: 200, body }
      return {
        status: 400,
        body: { error: serviceErrors.taken, message: `id ${body.id} is taken by a different plant` }
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
