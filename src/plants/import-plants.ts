/** The import of plants: each line is parsed by the contract of today. */
import type { Store } from '../store/store.ts'
import type { LineSink } from '../store/transfer/import.ts'
import { keepPlant } from './keep-plant.ts'
import type { NewPlant, Plants } from './plant.ts'

export function plantSink(store: Store, plants: Plants): LineSink<NewPlant> {
  return {
    read: (line) => plants.parse(line),
    store: async (plant) => {
      const kept = await keepPlant(store, plants, plant)
      if (kept === undefined) throw new Error(`id ${plant.id} is taken by a different plant`)
    }
  }
}
