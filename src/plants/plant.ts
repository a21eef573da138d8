/** Converts plants between the request schema of createPlant and their stored form. */

import {
  exactStringify,
  isSameValue,
  type OperationCodec,
  operationCodec
} from '@contract-first/engine/codec'
import { FailureError } from '@contract-first/engine/errors'
import contract from '../../generated/contract.ts'
import type { components } from '../../generated/types.ts'
import type { Store, StoredPlant } from '../store/store.ts'

export type NewPlant = components['schemas']['NewPlant']
type Plant = components['schemas']['Plant']

/** Stored plant that no longer fits the contract. */
export interface Misfit {
  readonly id: bigint
  /** `kind is required; tag must be string` */
  readonly reason: string
}

/** Request with a JSON body; another media type in the contract is an error of `tsc` here. */
interface CreateRequest {
  readonly body: NewPlant
  readonly mediaType: 'application/json'
}

export class Plants {
  readonly #codec: OperationCodec<NewPlant, Plant>

  /** @throws {BootError} when the contract has no such operation; `tsc` reports that first */
  static async load(): Promise<Plants> {
    const codec = await operationCodec(contract, {
      operationId: 'createPlant',
      mediaType: 'application/json',
      status: 200,
      file: 'src/plants/plant.ts'
    })
    return new Plants(codec)
  }

  private constructor(codec: OperationCodec<NewPlant, Plant>) {
    this.#codec = codec
  }

  get digest(): string {
    return this.#codec.digest
  }

  /**
   * Parses one NewPlant.
   * @returns its declared properties
   * @throws {FailureError} with every problem
   */
  parse(json: Buffer): NewPlant {
    return this.#codec.declared(this.#codec.parse(json))
  }

  /**
   * Reads a stored plant, which may follow an earlier contract: nothing is validated.
   * @throws {TypeError} when it is not JSON, which only a manual change of the database can cause
   */
  read(plant: StoredPlant): NewPlant {
    try {
      return this.#codec.read(lineOf(plant))
    } catch (cause) {
      throw new TypeError(`the stored plant ${plant.id} is not JSON`, { cause })
    }
  }

  /**
   * Reads one NewPlant, which may follow an earlier contract: only its id is validated.
   * @throws {Error} that describes the problem of the line
   */
  readLine(line: Buffer): NewPlant {
    const plant = this.#codec.read(line)
    if (typeof plant !== 'object' || plant === null || typeof plant.id !== 'bigint')
      throw new TypeError('id must be integer')
    return plant
  }

  /** @returns the problems of a stored plant that does not fit the contract; undefined when it fits */
  misfit(plant: StoredPlant): Misfit | undefined {
    try {
      this.#codec.parse(Buffer.from(lineOf(plant)))
      return undefined
    } catch (error) {
      return { id: plant.id, reason: reasonOf(error) }
    }
  }

  /** Copies the declared properties of a plant; no others are stored. */
  declared({ body }: CreateRequest): NewPlant {
    return this.#codec.declared(body)
  }

  /** Compares two plants in the properties that the current contract declares. */
  isSame(one: NewPlant, other: NewPlant): boolean {
    return isSameValue(this.#codec.declared(one), this.#codec.declared(other))
  }
}

/** @param plant declared properties only */
export function stored({ id, ...fields }: NewPlant): StoredPlant {
  return { id, document: exactStringify(fields) }
}

/** @returns one line of NDJSON: a NewPlant, its id first */
export function lineOf({ id, document }: StoredPlant): string {
  const isOurs = document.startsWith('{"') && !document.includes('\n')
  const fields = isOurs ? document.slice(1) : fieldsOf(document)
  return fields === '}' ? `{"id":${id}}\n` : `{"id":${id},${fields}\n`
}

/** Returns the members of a document as text; one that was written by hand may have white space, or be no object. */
function fieldsOf(document: string): string {
  const [, fields] = /^\s*\{\s*(.*)$/s.exec(document.replaceAll(/[\r\n]/g, ' ').trimEnd()) ?? []
  return fields ?? `"document":${JSON.stringify(document)}}`
}

/** @returns `kind is required; tag must be string` */
export function reasonOf(error: unknown): string {
  if (!(error instanceof FailureError)) return error instanceof Error ? error.message : String(error)
  const { message, problems } = error.failure
  const texts = problems.map(({ place, message }) => `${place.replace(/^body\/?/, '')} ${message}`.trim())
  return texts.length === 0 ? message : texts.join('; ')
}

/**
 * Stores a plant. When its id is taken, compares both plants by value, in the properties of the current contract.
 * @param plant declared properties only
 * @returns the plant as it is stored; undefined when a different plant has its id
 * @throws {StoreOverloaded}
 * @throws {StoreUnavailable}
 */
export function keepPlant(store: Store, plants: Plants, plant: NewPlant): Promise<NewPlant | undefined> {
  return store
    .create(stored(plant))
    .then((outcome) => (outcome === 'taken' ? standingPlant(store, plants, plant) : plant))
}

async function standingPlant(store: Store, plants: Plants, plant: NewPlant): Promise<NewPlant | undefined> {
  const standing = await store.get(plant.id)
  if (standing === undefined) return undefined
  const found = plants.read({ id: plant.id, document: standing })
  return plants.isSame(found, plant) ? found : undefined
}
