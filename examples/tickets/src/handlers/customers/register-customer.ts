/** POST /customers */
import { randomBytes, randomUUID } from 'node:crypto'
import { Conflict } from '../../errors.ts'
import { passwordHash } from '../../passwords.ts'
import type { Store } from '../../store/store.ts'
import type { Handlers } from '../../user.ts'

export function registerCustomer(store: Store): Handlers['registerCustomer'] {
  return async ({ body: { email, password } }) => {
    const [id, salt] = [randomUUID(), randomBytes(16)]
    const row = { id, email, salt, hash: await passwordHash(password, salt) }
    const insert = store.db.insertInto('customers').values(row)
    const stored = insert.onConflict((it) => it.doNothing()).returning('id')
    if ((await stored.executeTakeFirst()) === undefined)
      throw new Conflict('this address has an account already')
    return { status: 201, body: { id, email } }
  }
}
