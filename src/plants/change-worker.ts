/** Thread that runs a user's change function, so that it can be stopped. The parent side is change-plants.ts. */
import { pathToFileURL } from 'node:url'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { exactStringify } from '@contract-first/engine/codec'
import type { StoredPlant } from '../store/store.ts'
import { type NewPlant, Plants, reasonOf, stored } from './plant.ts'

/** Answer: the changed documents, up to the first plant that could not be changed. */
export interface ChangeAnswer {
  readonly documents: readonly string[]
  readonly reason?: string
}

interface ChangeData {
  /** Absolute path of the user's module. */
  readonly file: string
  /** Counter of the plants that were begun. */
  readonly begun: Int32Array
}

type Change = (plant: NewPlant) => unknown

const { file, begun } = workerData as ChangeData
const port = parentPort as MessagePort
const plants = await Plants.load()
const change = await load()

async function load(): Promise<Change | string> {
  try {
    const module = (await import(pathToFileURL(file).href)) as { default?: unknown }
    return typeof module.default === 'function'
      ? (module.default as Change)
      : `${file} has no function as its default export`
  } catch (error) {
    return `${file} cannot be loaded: ${reasonOf(error)}`
  }
}

async function answer(page: readonly StoredPlant[]): Promise<ChangeAnswer> {
  const documents: string[] = []
  if (typeof change === 'string') return { documents, reason: change }
  for (const plant of page) {
    Atomics.add(begun, 0, 1)
    try {
      documents.push(await changed(plant, change))
    } catch (error) {
      return { documents, reason: reasonOf(error) }
    }
  }
  return { documents }
}

/** @throws {Error} whose message is a predicate about the plant */
async function changed(plant: StoredPlant, change: Change): Promise<string> {
  const result = await run(change, plants.read(plant))
  if (typeof result !== 'object' || result === null || Array.isArray(result))
    throw new TypeError(`the change function returned ${typeName(result)} in place of a plant`)
  const { id } = result as { id?: unknown }
  if (String(id) !== String(plant.id))
    throw new TypeError(`the change function changed the id to ${String(id)}`)
  return fitting(exactStringify(result))
}

function fitting(json: string): string {
  try {
    return stored(plants.parse(Buffer.from(json))).document
  } catch (error) {
    throw new TypeError(`the changed plant does not fit the contract: ${reasonOf(error)}`)
  }
}

async function run(change: Change, plant: NewPlant): Promise<unknown> {
  try {
    return await change(plant)
  } catch (error) {
    throw new Error(`the change function threw ${error instanceof Error ? error : String(error)}`)
  }
}

const typeName = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list'
  return value === null || value === undefined ? String(value) : `a ${typeof value}`
}

port.on('message', async (page: readonly StoredPlant[] | undefined) => {
  if (page === undefined) port.close()
  else port.postMessage(await answer(page))
})
