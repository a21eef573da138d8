/** The model of a document, and places and problems of the one as the other has them. */
import { buildContract, schemaOf } from '../build/build-contract.ts'
import type { Locator } from '../diagnostics/locator.ts'
import type { ContractProblem } from '../diagnostics/problem.ts'
import { escapePointer } from '../document/pointer.ts'
import type { Contract } from '../model/contract.ts'
import type { Json, JsonObject } from '../model/json.ts'
import type { Place, Places, Problem } from '../model/origin.ts'
import type { Schema } from '../model/schema.ts'

const locators = new WeakMap<JsonObject, Locator>()
const models = new WeakMap<JsonObject, Contract>()

/** Gives the nodes of the model of a document places. */
export const locate = (document: JsonObject, locator: Locator): void => void locators.set(document, locator)

/** Returns the model of a document, the same one for the same document; without places where it was not loaded. */
export function modelIn(document: JsonObject): Contract {
  const locator = locators.get(document)
  const places: Places = (node, keys) => (locator === undefined ? nowhere : placeOf(locator, node, keys))
  const model = models.get(document) ?? buildContract(document, places)
  models.set(document, model)
  return model
}

const nowhere: Place = { file: '', pointer: '#', line: 1, column: 1 }

/** Returns the schema of a node, for readers that hold a document as JSON. */
export const schemaIn = (document: JsonObject, node: Json): Schema => schemaOf(modelIn(document), node)

/** Returns a problem of the model in the form in which the compiler reports. */
export function contractProblem({ severity, rule, message, origin }: Problem): ContractProblem {
  const { file, line, column } = origin
  return { severity, rule, file, message, line, column }
}

/** Finds the last object on the way, whose file the locator knows, and the member below it. */
function placeOf(locator: Locator, node: object, keys: readonly string[]): Place {
  let holder = node
  let used = 0
  for (; used < keys.length - 1; used++) {
    const next: unknown = Reflect.get(holder, keys[used] ?? '')
    if (typeof next !== 'object' || next === null) break
    holder = next
  }
  const further = keys.slice(used)
  const { file, line, column } = locator.problem('error', '', holder, further[0])
  return { file, line, column, pointer: [locator.pointer(holder), ...further.map(escapePointer)].join('/') }
}
