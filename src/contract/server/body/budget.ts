/** Bounds the memory that the bodies of all requests take together. */
import type { ServerResponse } from 'node:http'
import type { Contract } from '../../model/compiled-contract.ts'
import { FailureError } from '../errors/failure.ts'

/** Bytes of each body that are not counted: a connection costs as much anyway, and small requests are always served. */
const freeBytes = 16_384

/**
 * Reserves further bytes of one body. They are given back when its response closes.
 *
 * @throws {FailureError} `overloaded`
 */
export type Reserve = (bytes: number) => void

/**
 * There is room for the largest body that the contract allows in any case.
 *
 * @param limit of bodies whose content has no limit of its own, in bytes
 */
export function bodyBudget({ operations }: Contract, limit: number, max = 67_108_864): BodyBudget {
  const contents = operations.flatMap(({ requestBody }) => requestBody?.content ?? [])
  return new BodyBudget(Math.max(max, ...contents.map((content) => content.limit ?? limit)))
}

export class BodyBudget {
  #left: number

  /** @param max in bytes */
  constructor(max: number) {
    this.#left = max
  }

  /**
   * @param declared length of the body in bytes; undefined where it is unknown
   * @throws {FailureError} `overloaded` when there is no room for it, so that it need not be read
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

/** For a body that is small, or read outside of an operation. */
export function uncounted(): void {}

function overloaded(): FailureError {
  return new FailureError('overloaded', { headers: { 'retry-after': '1' } })
}
