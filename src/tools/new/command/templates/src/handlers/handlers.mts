/** A handler for every operation. `npm run generate -- --stubs` adds the missing ones. */
import type { Handlers } from '../../generated/types.ts'
import type { Store } from '../store/store.ts'

export function createHandlers(_store: Store): Handlers {
  return {}
}
