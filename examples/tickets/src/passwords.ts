/** What the database keeps of passwords and sessions: nothing that a thief of it could log in with. */
import { createHash, scrypt } from 'node:crypto'

export const sessionDigest = (session: string): string => createHash('sha256').update(session).digest('hex')

export const passwordHash = (password: string, salt: Uint8Array): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    scrypt(password, salt, 32, (error, hash) => (error ? reject(error) : resolve(hash)))
  )
