/** SHA-256 of a token: what is stored, compared and logged in its place. */
import { hash } from 'node:crypto'

/** By way of hexadecimal text, which Node makes in half the time of a buffer of its own. */
export const digestOf = (token: string): Buffer => Buffer.from(hash('sha256', token, 'hex'), 'hex')

/** `sha256:<hex>`: the form in which a token file may hold a token. */
export const digestLine = (token: string): string => `sha256:${digestOf(token).toString('hex')}`
