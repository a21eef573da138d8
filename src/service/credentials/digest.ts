/** SHA-256 of a token, which is stored, compared and logged in its place. */
import { hash } from 'node:crypto'

/** Hashes to hexadecimal text first: Node takes twice as long to hash into a buffer. */
export const digestOf = (token: string): Buffer => Buffer.from(hash('sha256', token, 'hex'), 'hex')

/** Writes `sha256:<hex>`, the form in which a token file may hold a token. */
export const digestLine = (token: string): string => `sha256:${digestOf(token).toString('hex')}`
