/** Stores a plant, unless another one has its id. */
import type { Store } from '../store/store.ts'
import { type NewPlant, type Plants, stored } from './plant.ts'

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
