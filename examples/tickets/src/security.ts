/** Finds the user of a credential: of a customer's session, or of an agent's token. */
import type { Authenticate } from '@contract-first/service'
import type { SecurityHandlers } from '../generated/types.ts'
import { sessionDigest } from './passwords.ts'
import type { Store } from './store/store.ts'
import type { User } from './user.ts'

export const security = (authenticate: Authenticate, { store }: { readonly store: Store }) =>
  ({
    session: async (session): Promise<User | undefined> => {
      const rows = store.db.selectFrom('sessions').where('digest', '=', sessionDigest(session))
      const row = await rows.where('expires', '>', Date.now()).select('customer').executeTakeFirst()
      return row && { id: row.customer, role: 'customer' }
    },
    agent: async (token, context): Promise<User | undefined> => {
      const agent = await authenticate(token, context)
      return agent && { id: agent.id, role: 'agent' }
    }
  }) satisfies SecurityHandlers
