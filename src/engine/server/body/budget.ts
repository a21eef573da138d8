/** Bounds the memory that the bodies of all requests take together. */
import type { ServerResponse } from 'node:http'
import type { Contract } from '../../model/compiled-contract.ts'
import { FailureError } from '../errors/failure.ts'

/** Bytes of each body that are not counted: a connection costs as much, and small requests are always served. */
export const freeBytes = 16_384

/**
 * Reserves further bytes of one body until its response closes, or gives bytes back.
 *
 * @param bytes negative where they are given back
 * @throws {FailureError} `overloaded`
 */
export type Reserve = (bytes: number) => void

/** Budgets of the bodies that are read whole, and of what is in memory of those that are read as they arrive. */
export interface BodyBudgets {
  readonly bodyBudget: OpenBudget
  /** A budget of its own: a client that streams slowly takes no room of the others. */
  readonly streamBudget: OpenBudget
}

/**
 * Returns budgets in which the largest body of the contract always fits; of a streamed one at most twice `limit` is held.
 *
 * @param limit the default limit of a body, in bytes
 * @param max bytes of each budget
 */
export function bodyBudgets({ operations }: Contract, limit: number, max = 67_108_864): BodyBudgets {
  const contents = operations.flatMap(({ requestBody }) => requestBody?.content ?? [])
  const limits = contents.map((content) =>
    content.stream || content.items ? limit : (content.limit ?? limit)
  )
  return {
    bodyBudget: budgetOf(Math.max(max, ...limits)),
    streamBudget: budgetOf(Math.max(max, 2 * limit))
  }
}

/**
 * Admits one body.
 * @param contentLength length of the body in bytes; undefined where it is unknown
 * @throws {FailureError} `overloaded` when the body does not fit; it is then not read
 */
export type OpenBudget = (contentLength: number | undefined, response: ServerResponse) => Reserve

/** @param max bytes of all bodies together */
export function budgetOf(max: number): OpenBudget {
  let left = max
  return (contentLength = 0, response) => {
    if (contentLength - freeBytes > left) throw overloaded()
    let size = 0
    let reserved = 0
    let state: 'unused' | 'open' | 'closed' = 'unused'
    return (bytes) => {
      size += bytes
      const needed = Math.max(0, size - freeBytes) - reserved
      if (needed === 0 || state === 'closed' || response.closed) return
      if (needed > left) throw overloaded()
      if (state === 'unused')
        response.once('close', () => {
          state = 'closed'
          left += reserved
        })
      state = 'open'
      reserved += needed
      left -= needed
    }
  }
}

function overloaded(): FailureError {
  return new FailureError('overloaded', { headers: { 'retry-after': '1' } })
}
