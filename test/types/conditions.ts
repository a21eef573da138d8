import type { Handlers } from './contract.ts'

type Read = Pick<Handlers, 'read'>
type Write = Pick<Handlers, 'write'>
type Covers = Pick<Handlers, 'covers'>
const body = { title: 'x' }

export const made: Read = { read: () => ({ status: 200, body }) }
export const given: Read = { read: () => ({ status: 200, body, headers: { eTag: '"1"', 'X-Other': 1 } }) }
export const unchanged: Read = { read: () => ({ status: 304, headers: { ETag: '"1"' } }) }
export const total: Covers = { covers: () => ({ status: 200, body: [], headers: { 'X-Total': 1 } }) }
export const written: Write = { write: () => ({ status: 204, headers: { ETag: '"1"' } }) }

// @ts-expect-error a tag is a text
export const numbered: Read = { read: () => ({ status: 200, body, headers: { eTag: 1 } }) }
// @ts-expect-error the tag of 304 is required
export const bare: Read = { read: () => ({ status: 304 }) }
// @ts-expect-error the other required header is missing
export const other: Covers = { covers: () => ({ status: 200, body: [], headers: { ETag: '"1"' } }) }
// @ts-expect-error no tag is made of no body
export const empty: Covers = { covers: () => ({ status: 205 }) }
// @ts-expect-error no tag is made for a method that changes something
export const untagged: Write = { write: () => ({ status: 204 }) }
