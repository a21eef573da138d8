/** DELETE /session */
import type { Store } from '../../store/store.ts'
import type { Handlers } from '../../user.ts'

export function logOut(store: Store): Handlers['logOut'] {
  return async ({ principal }) => {
    await store.db.deleteFrom('sessions').where('customer', '=', principal.id).execute()
    return { status: 204, headers: { 'Set-Cookie': 'session=; Path=/; Max-Age=0' } }
  }
}
