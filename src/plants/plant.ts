/** A plant between the contract and the store: read and written by the contract's own validator and serializer. */
import contract from '../../generated/contract.ts'
import type { components } from '../../generated/types.ts'
import type { Contract, RequestContent } from '../contract/model/compiled-contract.ts'
import { jsonBody } from '../contract/server/body/parse.ts'
import type { StoredPlant } from '../store/store.ts'

export type NewPlant = components['schemas']['NewPlant']
export type Plant = components['schemas']['Plant']

export interface Plants {
  /** What is kept of a plant: its declared fields. Equal plants have equal texts. */
  readonly stored: (plant: NewPlant) => StoredPlant
  /** @param json one NewPlant @throws {FailureError} which says everything that is wrong with it */
  readonly read: (json: Buffer) => StoredPlant
}

/** @throws {TypeError} where the contract has no operation that could */
export async function loadPlants({ operations, load }: Contract = contract): Promise<Plants> {
  const code = await load()
  const operation = operations.find(({ operationId }) => operationId === 'createPlant')
  const serialize = code.serializers[operation?.responses['200']?.content[0]?.serialize ?? '']
  const content: RequestContent | undefined = operation?.requestBody?.content[0]
  if (serialize === undefined || content === undefined)
    throw new TypeError('createPlant takes and gives no JSON')
  const stored = (plant: NewPlant) => ({ id: plant.id, document: serialize(plant) })
  return { stored, read: (json) => stored(jsonBody(json, content, code) as NewPlant) }
}

/** One line of NDJSON: a NewPlant, its id first. */
export function lineOf({ id, document }: StoredPlant): string {
  return document === '{}' ? `{"id":${id}}\n` : `{"id":${id},${document.slice(1)}\n`
}
