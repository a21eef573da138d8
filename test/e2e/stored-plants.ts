/**
 * Exports the store, imports it into a new one, and checks it, in a separate process, because each contract has its own
 * generated code.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { openStore } from '../../src/open-store.ts'
import { PlantCheck } from '../../src/plants/check-plants.ts'
import { exportText, ImportError, importPlants, linesOf } from '../../src/plants/ndjson.ts'
import { Plants } from '../../src/plants/plant.ts'

export interface StoredPlants {
  /** Number of the first refused line. */
  readonly refused?: string
  readonly misfits: number
}

const plants = await Plants.load()
const store = await openStore('sqlite:data/plants.db', { mustExist: true })
const lines = (await Array.fromAsync(exportText(store))).join('')
const { misfits } = await new PlantCheck(store, plants).run({ isAnew: true })
await store.close()
writeFileSync('all.ndjson', lines)

const again = await openStore('sqlite:data/again.db')
const refused = await importPlants(again, plants, linesOf(Readable.from([Buffer.from(lines)]))).then(
  () => undefined,
  (error: unknown) => (error instanceof ImportError ? error.problems[0] : Promise.reject(error))
)
await again.close()
rmSync('data/again.db')
console.log(JSON.stringify({ refused, misfits }))
