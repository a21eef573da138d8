/** The model of a document, for readers that hold the document. */
import { buildContract, schemaOf } from '../build/build-contract.ts'
import type { Contract } from '../model/contract.ts'
import type { Json, JsonObject } from '../model/json.ts'
import type { Place, Places } from '../model/origin.ts'
import type { Schema } from '../model/schema.ts'

const models = new WeakMap<JsonObject, Contract>()

/** Returns the model of a document, the same one for the same document. */
export function modelIn(document: JsonObject, places: Places = () => nowhere): Contract {
  const model = models.get(document) ?? buildContract(document, places)
  models.set(document, model)
  return model
}

const nowhere: Place = { file: '', pointer: '#', line: 1, column: 1 }

/** Returns the schema of a node, for readers that hold a document as JSON. */
export const schemaIn = (document: JsonObject, node: Json): Schema => schemaOf(modelIn(document), node)
