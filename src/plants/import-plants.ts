/** Import of plants. Each line is parsed by the current contract. */

import type { LineSink } from '../store/ndjson.ts'
import type { Store } from '../store/store.ts'
import type { ChangeThread } from './change-plants.ts'
import { keepPlant, type NewPlant, type Plants, stored } from './plant.ts'

export function plantSink(store: Store, plants: Plants): LineSink<NewPlant> {
  return {
    read: (line) => plants.parse(line),
    store: (plant) => keep(store, plants, plant)
  }
}

/** Imports plants of an earlier contract; a user's function changes each of them. */
export function changedPlantSink(store: Store, plants: Plants, thread: ChangeThread): LineSink<NewPlant> {
  return {
    read: (line) => plants.readLine(line),
    store: async (plant) => {
      const [document] = await thread.change([stored(plant)])
      await keep(store, plants, plants.read({ id: plant.id, document: String(document) }))
    }
  }
}

async function keep(store: Store, plants: Plants, plant: NewPlant): Promise<void> {
  const kept = await keepPlant(store, plants, plant)
  if (kept === undefined) throw new Error(`id ${plant.id} is taken by a different plant`)
}
