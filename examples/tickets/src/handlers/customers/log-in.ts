/** POST /session */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { FailureError } from '@contract-first/engine/errors'
import { passwordHash, sessionDigest } from '../../passwords.ts'
import type { Store } from '../../store/store.ts'
import type { Handlers } from '../../user.ts'

const maxMistakes = 5
const windowMs = 60_000
const sessionMs = 12 * 3600 * 1000

export function logIn(store: Store): Handlers['logIn'] {
  /** Wrong passwords by the address of the client, within a window. */
  const mistakes = new Map<string, number>()
  setInterval(() => mistakes.clear(), windowMs).unref()

  return async ({ body: { email, password }, ip }) => {
    const count = mistakes.get(ip) ?? 0
    if (count >= maxMistakes)
      throw new FailureError('too-many-requests', { headers: { 'Retry-After': '60' } })
    const found = store.db.selectFrom('customers').selectAll().where('email', '=', email)
    const customer = await found.executeTakeFirst()
    // Without a customer, too: the time of the answer does not tell which addresses have an account.
    const hash = await passwordHash(password, customer?.salt ?? randomBytes(16))
    if (customer === undefined || !timingSafeEqual(hash, customer.hash)) {
      mistakes.set(ip, count + 1)
      throw new FailureError('credentials-refused', { message: 'the address or the password is wrong' })
    }
    const session = randomBytes(24).toString('base64url')
    const row = { digest: sessionDigest(session), customer: customer.id, expires: Date.now() + sessionMs }
    await store.db.insertInto('sessions').values(row).execute()
    const cookie = `session=${session}; Path=/; HttpOnly; Secure; SameSite=Lax`
    return { status: 204, headers: { 'Set-Cookie': cookie } }
  }
}
