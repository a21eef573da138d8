/** Bounds the memory that the bodies of all requests take together. */
import type { ServerResponse } from 'node:http'
import type { Contract } from '../../model/compiled-contract.ts'
import { FailureError } from '../errors/failure.ts'

/** Bytes of each body that are not counted: a connection costs as much, and small requests are always served. */
const freeBytes = 16_384

/**
 * Reserves further bytes of one body, until its response closes.
 *
 * @throws {FailureError} `overloaded`
 */
export type Reserve = (bytes: number) => void

/**
 * Returns a budget in which the largest body of the contract always fits.
 *
 * @param limit the default limit of a body, in bytes
 */
export function bodyBudget({ operations }: Contract, limit: number, max = 67_108_864): BodyBudget {
  const contents = operations.flatMap(({ requestBody }) => requestBody?.content ?? [])
  return new BodyBudget(Math.max(max, ...contents.map((content) => content.limit ?? limit)))
}

export class BodyBudget {
  #left: number

  /** @param max bytes of all bodies together */
  constructor(max: number) {
    this.#left = max
  }

  /**
   * Admits one body.
   * @param declared length of the body in bytes; undefined where it is unknown
   * @throws {FailureError} `overloaded` when the body does not fit; it is then not read
   */
  open(declared: number | undefined, response: ServerResponse): Reserve {
    if (declared !== undefined && declared <= freeBytes) return uncounted
    if ((declared ?? 0) - freeBytes > this.#left) throw overloaded()
    let size = 0
    let reserved = 0
    return (bytes) => {
      size += bytes
      const needed = size - freeBytes - reserved
      if (needed <= 0) return
      if (needed > this.#left) throw overloaded()
      if (reserved === 0) response.once('close', () => (this.#left += reserved))
      reserved += needed
      this.#left -= needed
    }
  }
}

/** Reserves nothing, for small bodies and for those outside of an operation. */
export function uncounted(): void {}

function overloaded(): FailureError {
  return new FailureError('overloaded', { headers: { 'retry-after': '1' } })
}
